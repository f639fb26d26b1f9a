// How much longer than in the ordinary build something may take: sanitizers make programs several
// times slower, and there a limit of time is to catch what never ends, no more.
//
// Interface: kSlowdown.
#pragma once

namespace vgpu::test {

#if defined(__has_feature)  // clang's way of saying so; GCC 12 does not have it
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr int kSlowdown = 20;
#else
inline constexpr int kSlowdown = 1;
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kSlowdown = 20;
#else
inline constexpr int kSlowdown = 1;
#endif

}  // namespace vgpu::test

// The factor by which limits of time grow in builds with sanitizers. Those are several times
// slower; there a limit only has to catch an endless program.
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

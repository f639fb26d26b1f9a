// Keeps workers of one launch from accessing a page at the same time.
#pragma once

#include <cstdint>

#include "memory/launch_pages.h"
#include "state/inline.h"

namespace vgpu {

/// Whether no other worker can access the region meanwhile.
VGPU_INLINE bool is_alone(const LaunchPages& launch, const Region& region) {
    return !launch.is_parallel || region.pages == nullptr;
}

/// Keeps other workers out of the pages of [offset, offset + bytes) while it lives. Whoever holds
/// several takes them in order, and at most one PageLock at a time.
class PageLock {
public:
    VGPU_INLINE PageLock(const LaunchPages& launch, const Region& region, std::uint64_t offset,
                         std::uint64_t bytes) {
        if (!launch.is_parallel || region.pages == nullptr) [[likely]]
            return;
        take(&region.pages[offset >> kPageShift],
             &region.pages[(offset + bytes - 1) >> kPageShift]);
    }
    VGPU_INLINE PageLock(const LaunchPages& launch, Page* page) {
        if (launch.is_parallel && page != nullptr) take(page, page);
    }
    VGPU_INLINE ~PageLock() {
        if (first_ == nullptr) [[likely]]
            return;
        for (Page* page = first_; page <= last_; ++page)
            __atomic_store_n(&page->lock, 0u, __ATOMIC_RELEASE);
    }
    PageLock(const PageLock&) = delete;
    PageLock& operator=(const PageLock&) = delete;

private:
    VGPU_INLINE void take(Page* first, Page* last) {
        first_ = first;
        last_ = last;
        for (Page* page = first_; page <= last_; ++page)
            while (__atomic_exchange_n(&page->lock, 1u, __ATOMIC_ACQUIRE) != 0) wait_a_little();
    }

    /// Leaves a core's parts to its other thread meanwhile.
    VGPU_INLINE static void wait_a_little() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    Page *first_ = nullptr, *last_ = nullptr;
};

}  // namespace vgpu

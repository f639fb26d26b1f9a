#include "memory/kept_mappings.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "memory/pages.h"

namespace vgpu {
namespace {

constexpr std::size_t kMostBytes = 24
                                   << 20;  // chosen: there are two, and 64 MiB may be needed more

}  // namespace

KeptMappings::~KeptMappings() {
    for (const Kept& kept : kept_) munmap(kept.at, kept.size_bytes);
}

KeptMappings::Mapping KeptMappings::take(std::size_t size_bytes) {
    // The latest first: it may still be in a cache.
    const auto found = std::find_if(kept_.rbegin(), kept_.rend(), [&](const Kept& kept) {
        return kept.size_bytes == size_bytes;
    });
    if (found != kept_.rend()) {
        const Mapping mapping{found->at, false};
        kept_bytes_ -= size_bytes;
        kept_.erase(std::next(found).base());
        return mapping;
    }
    void* const at = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return {at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at), true};
}

void KeptMappings::give_back(std::byte* at, std::size_t size_bytes) {
    if (size_bytes > kMostBytes) {
        munmap(at, size_bytes);
        return;
    }
    kept_.push_back({at, size_bytes});
    kept_bytes_ += size_bytes;
    for (; kept_bytes_ > kMostBytes; kept_.pop_front()) {
        munmap(kept_.front().at, kept_.front().size_bytes);
        kept_bytes_ -= kept_.front().size_bytes;
    }
}

std::size_t KeptMappings::rounded(std::size_t size_bytes) {
    const std::size_t pages = (size_bytes + kPageBytes - 1) / kPageBytes;
    const std::size_t step = std::max<std::size_t>(std::bit_floor(pages) / 4, 1);
    return (pages + step - 1) / step * step * kPageBytes;
}

}  // namespace vgpu

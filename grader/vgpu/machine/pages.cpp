#include "vgpu/machine/pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "vgpu/machine/region.h"

namespace vgpu {
namespace {

constexpr std::size_t kBitsBytes = kPageBytes / 8;
constexpr std::size_t kRecordBytes = kPageBytes + kBitsBytes;
constexpr std::size_t kChunkBytes = 512 * kRecordBytes;  // about 2 MiB at a time
constexpr std::size_t kChunksKept = 8;

std::size_t data_bytes(const Region& region, std::uint64_t page) {
    return std::min<std::uint64_t>(kPageBytes, region.size_bytes - page * kPageBytes);
}

/// The written bits of a page are whole words: a page has 64 of them.
std::size_t bits_bytes(const Region& region, std::uint64_t page) {
    return (data_bytes(region, page) + 63) / 64 * 8;
}

std::uint64_t* bits_of(const Region& region, std::uint64_t page) {
    return region.written + page * (kPageBytes / 64);
}

}  // namespace

Undo::~Undo() {
    for (auto* chunk : chunks_) munmap(chunk, kChunkBytes);
}

std::byte* Undo::take() {
    if (chunk_ < chunks_.size() && used_ + kRecordBytes > kChunkBytes) {
        ++chunk_;
        used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
        void* chunk = mmap(nullptr, kChunkBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (chunk == MAP_FAILED) throw std::bad_alloc();
        chunks_.push_back(static_cast<std::byte*>(chunk));
    }
    std::byte* record = chunks_[chunk_] + used_;
    used_ += kRecordBytes;
    bytes_ += kRecordBytes;
    return record;
}

void Undo::save(Region& region, std::uint64_t page) {
    const std::lock_guard lock(mutex_);
    // What was never written is known without a look: looking would make the system map the page
    // twice, now for reading and then for writing, and tell the other cores in between.
    if (region.written && !region.was_forgotten) {
        const auto* bits = bits_of(region, page);
        if (std::all_of(bits, bits + bits_bytes(region, page) / 8,
                        [](std::uint64_t word) { return word == 0; })) {
            saved_.push_back({&region, page, nullptr});
            return;
        }
    }
    std::byte* record = take();
    std::memcpy(record, region.data + page * kPageBytes, data_bytes(region, page));
    if (region.written)
        std::memcpy(record + kPageBytes, bits_of(region, page), bits_bytes(region, page));
    saved_.push_back({&region, page, record});
}

void Undo::restore() {
    // Backwards: of a page that was saved twice, the first copy counts.
    for (auto saved = saved_.rbegin(); saved != saved_.rend(); ++saved) {
        const auto& [region, page, record] = *saved;
        std::byte* data = region->data + page * kPageBytes;
        if (record)
            std::memcpy(data, record, data_bytes(*region, page));
        else
            std::memset(data, std::to_integer<int>(kFreshMemory), data_bytes(*region, page));
        if (!region->written) continue;
        if (record)
            std::memcpy(bits_of(*region, page), record + kPageBytes, bits_bytes(*region, page));
        else
            std::memset(bits_of(*region, page), 0, bits_bytes(*region, page));
    }
    forget();
}

bool Undo::is_unchanged() const {
    return std::all_of(saved_.begin(), saved_.end(), [](const Saved& saved) {
        const auto& [region, page, record] = saved;
        if (record == nullptr) return false;  // it was never written, and is now
        return std::memcmp(record, region->data + page * kPageBytes, data_bytes(*region, page)) ==
                   0 &&
               (!region->written || std::memcmp(record + kPageBytes, bits_of(*region, page),
                                                bits_bytes(*region, page)) == 0);
    });
}

void Undo::forget() {
    saved_.clear();
    // Some chunks stay for the next launch: getting pages from the system costs more than copying.
    while (chunks_.size() > kChunksKept) {
        munmap(chunks_.back(), kChunkBytes);
        chunks_.pop_back();
    }
    chunk_ = 0;
    used_ = 0;
    bytes_ = 0;
}

}  // namespace vgpu

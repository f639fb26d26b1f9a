#include "memory/undo.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <set>

#include "memory/fingerprint.h"
#include "memory/region.h"

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

std::optional<Changes> Undo::changes(std::size_t most_pages, DeviceMemory& memory) {
    static const std::vector<std::byte> kFresh(kPageBytes, kFreshMemory);
    Changes changes;
    std::set<const Page*> seen;
    for (const auto& [region, page, record] : saved_) {
        const std::byte* const now = region->data + page * kPageBytes;
        const std::byte* const before = record ? record : kFresh.data();
        const std::size_t data = data_bytes(*region, page), bits = bits_bytes(*region, page);
        const bool is_same = record && std::memcmp(record, now, data) == 0 &&
                             (!region->written ||
                              std::memcmp(record + kPageBytes, bits_of(*region, page), bits) == 0);
        Page& entry = region->pages[page];
        // Of a page that was saved twice, the first copy counts.
        if (is_same || !seen.insert(&entry).second) continue;
        if (!region->written || changes.pages.size() == most_pages) {
            renumber(memory);
            return {};
        }
        std::array<std::uint64_t, kBitsBytes / sizeof(std::uint64_t)> bits_before{};
        if (record) std::memcpy(bits_before.data(), record + kPageBytes, bits);
        // Behind the end of an allocation lies the rest of its last line, of which no copy was
        // made.
        std::array<std::byte, kPageBytes> whole;
        const std::size_t lines = (data + kLineBytes - 1) / kLineBytes;
        std::memcpy(whole.data(), before, data);
        std::memcpy(whole.data() + data, now + data, lines * kLineBytes - data);
        const std::uint64_t address = region->base + page * kPageBytes;
        entry.content += fingerprint(address, now, bits_of(*region, page), lines) -
                         fingerprint(address, whole.data(), bits_before.data(), lines);
        changes.pages.push_back({region, page, entry.content});
        changes.contents.insert(changes.contents.end(), now, now + data);
        const auto* const now_bits = reinterpret_cast<const std::byte*>(bits_of(*region, page));
        changes.contents.insert(changes.contents.end(), now_bits, now_bits + bits);
    }
    return changes;
}

void Undo::renumber(DeviceMemory& memory) {
    for (const auto& [region, page, record] : saved_)
        region->pages[page].content = memory.next_content();
}

void Changes::make() const {
    const std::byte* from = contents.data();
    for (const auto& [region, page, content] : pages) {
        const std::size_t data = data_bytes(*region, page), bits = bits_bytes(*region, page);
        std::memcpy(region->data + page * kPageBytes, from, data);
        std::memcpy(bits_of(*region, page), from + data, bits);
        region->pages[page].content = content;
        from += data + bits;
    }
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

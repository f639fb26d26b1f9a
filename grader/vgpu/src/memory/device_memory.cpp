// Global memory: where allocations lie, and copies in and out of them. See device_memory.h.
#include "memory/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>
#include <bit>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "memory/page_visits.h"
#include "memory/written_bits.h"

namespace vgpu {
namespace {

constexpr std::uint64_t kPage = kPageBytes;
constexpr std::size_t kHugePage = 2 << 20;
constexpr std::uint64_t kRedZone = 1 << 20;  // chosen: catches strays that size alone would not
constexpr std::size_t kQuarantine = 4096;    // freed allocations remembered; chosen
constexpr std::size_t kFreshFileBytes = 4 << 20;  // 8 GiB take 2048 of Linux's 65530 mappings

constexpr Address kHeapBegin = kWindowEnd - (std::uint64_t{64} << 30);  // never used twice
constexpr std::uint64_t kHeapAlignment = 16, kHeapRedZone = 256;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
    return (value + to - 1) / to * to;
}

/// What allocations lie at multiples of. The host maps shared ones at their address, in pages of
/// its own: of 16 or 64 KiB on some Arm machines.
std::uint64_t placed_at() {
    static const auto host_page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return std::max(kPage, host_page);
}

}  // namespace

std::uint64_t count_written(const std::uint64_t* words, std::uint64_t begin, std::uint64_t count) {
    std::uint64_t sum = 0;
    each_word(begin, count, [&](std::uint64_t word, std::uint64_t bits) {
        sum += static_cast<std::uint64_t>(std::popcount(words[word] & bits));
        return true;
    });
    return sum;
}

void copy_written(std::uint64_t* to, std::uint64_t to_begin, const std::uint64_t* from,
                  std::uint64_t from_begin, std::uint64_t count) {
    if (!to) return;
    if (!from) return mark_written(to, to_begin, count);
    // Through a buffer of whole words: overlap then needs no thought, and copies are rare.
    std::vector<std::uint64_t> bits(written_words(count) + 1);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t at = from_begin + i;
        bits[i / 64] |= (from[at / 64] >> (at % 64) & 1) << (i % 64);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t at = to_begin + i, one = std::uint64_t{1} << (at % 64);
        to[at / 64] = (bits[i / 64] >> (i % 64) & 1) ? to[at / 64] | one : to[at / 64] & ~one;
    }
}

DeviceMemory::DeviceMemory(std::uint64_t capacity_bytes)
    : heap_cursor_(kHeapBegin), cursor_(kWindowBegin + kRedZone), capacity_bytes_(capacity_bytes) {}

DeviceMemory::~DeviceMemory() {
    for (auto& [base, entry] : entries_) drop_pages(entry);
    if (fresh_pages_ >= 0) close(fresh_pages_);
}

std::optional<Address> DeviceMemory::allocate(std::uint64_t size_bytes, std::string name) {
    const std::uint64_t charged = round_up(std::max<std::uint64_t>(size_bytes, 1), 256);
    if (charged < size_bytes || charged > capacity_bytes_ - bytes_in_use_) return {};
    const auto base = place(size_bytes);
    if (!base) return {};
    const std::size_t data_bytes = KeptMappings::rounded(charged);
    const std::size_t written_bytes = round_up(written_words(charged) * 8, kPage);
    const std::size_t mapped_bytes = data_bytes + round_up(written_words(data_bytes) * 8, kPage);
    const auto [data, is_new] = data_mappings_.take(mapped_bytes);
    if (data == nullptr) return {};
    if (!is_new) std::memset(data + data_bytes, 0, written_bytes);

    Entry entry;
    entry.region.base = *base;
    entry.region.size_bytes = size_bytes;
    entry.region.data = data;
    entry.region.written = reinterpret_cast<std::uint64_t*>(data + data_bytes);
    entry.region.name = std::move(name);
    entry.mapped_bytes = mapped_bytes;
    entry.charged_bytes = charged;
    if (!fill_fresh(data, round_up(charged, kPage))) {
        drop_pages(entry);
        return {};
    }
    add_shadow(entry);
    bytes_in_use_ += charged;
    entries_.insert_or_assign(*base, std::move(entry));
    return base;
}

/// Small ranges are filled at once; behind large ones lie copy-on-write pages of the pattern, so
/// that an allocation costs host memory only where it is used. False when the host has no more.
bool DeviceMemory::fill_fresh(std::byte* data, std::size_t bytes) {
    if (bytes < kFreshFileBytes) {
        std::memset(data, std::to_integer<int>(kFreshMemory), bytes);
        return true;
    }
    if (fresh_pages_ < 0) {
        const int pages = memfd_create("vgpu-fresh-memory", MFD_CLOEXEC);
        if (pages < 0) return false;
        const std::vector<std::byte> pattern(kFreshFileBytes, kFreshMemory);
        if (::write(pages, pattern.data(), pattern.size()) !=
            static_cast<ssize_t>(pattern.size())) {
            close(pages);
            return false;
        }
        fresh_pages_ = pages;
    }
    for (std::size_t at = 0; at < bytes; at += kFreshFileBytes) {
        const std::size_t part = std::min(kFreshFileBytes, bytes - at);
        if (mmap(data + at, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
                 fresh_pages_, 0) == MAP_FAILED)
            return false;
    }
    return true;
}

/// Unused addresses with red zones around them. Goes round the window before it reuses any; nothing
/// when the window is full.
std::optional<Address> DeviceMemory::place(std::uint64_t size_bytes) {
    const std::uint64_t span = round_up(std::max<std::uint64_t>(size_bytes, 1), placed_at());
    const std::uint64_t gap = round_up(std::max(span, kRedZone), kRedZone);
    Address at = cursor_;
    for (bool wrapped = false;;) {
        if (at + span + gap > kHeapBegin) {
            if (wrapped) return {};
            at = kWindowBegin + kRedZone;
            wrapped = true;
        }
        // The first entry that ends behind `at`: in the way when it is in use.
        auto next = entries_.lower_bound(at);
        if (next != entries_.begin()) {
            const Region& before = std::prev(next)->second.region;
            if (before.base + before.size_bytes + gap > at) --next;
        }
        while (next != entries_.end() && !next->second.region.live &&
               !next->second.region.reserved && next->first < at + span + gap)
            next = entries_.erase(next);
        if (next == entries_.end() || next->first >= at + span + gap) break;
        const Region& taken = next->second.region;
        at = round_up(taken.base + std::max<std::uint64_t>(taken.size_bytes, 1) + gap, placed_at());
    }
    cursor_ = at + span + gap;
    return at;
}

Address DeviceMemory::reserve(std::uint64_t size_bytes) {
    const auto base = place(size_bytes);
    if (!base) throw Error("the device's window of addresses is full");
    Entry entry;
    entry.region.base = *base;
    entry.region.size_bytes = size_bytes;
    entry.region.live = false;
    entry.region.reserved = true;
    entries_.insert_or_assign(*base, std::move(entry));
    return *base;
}

void DeviceMemory::adopt(Address at, std::span<std::byte> memory, std::string name) {
    Entry entry;
    entry.region.base = at;
    entry.region.size_bytes = memory.size();
    entry.region.data = memory.data();
    entry.region.name = std::move(name);
    add_shadow(entry);
    entries_.insert_or_assign(at, std::move(entry));
}

/// Host pages come when kernels touch them. Without (no addresses left), races there go unseen.
void DeviceMemory::add_shadow(Entry& entry) {
    const std::uint64_t pages =
        KeptMappings::rounded(std::max<std::uint64_t>(entry.region.size_bytes, 1)) / kPage;
    const std::size_t shadow_room = pages * kPageWords * sizeof(ShadowWord);
    // Large ones on large host pages: far fewer to get from the system.
    const std::size_t alignment = shadow_room >= kHugePage ? kHugePage : 0;
    const std::size_t page_bytes = round_up(pages * sizeof(Page), kPage);
    entry.shadow_bytes = alignment + shadow_room + page_bytes +
                         round_up(visits_of(pages) * sizeof(PieceVisits), kPage);
    auto [at, is_new] = shadow_mappings_.take(entry.shadow_bytes);
    if (at == nullptr) {
        entry.shadow_bytes = 0;
        return;
    }
    entry.shadow_memory = at;
    if (alignment != 0) {
        at += round_up(reinterpret_cast<std::uintptr_t>(at), alignment) -
              reinterpret_cast<std::uintptr_t>(at);
        madvise(at, shadow_room / kHugePage * kHugePage, MADV_HUGEPAGE);
    }
    entry.region.shadow = reinterpret_cast<ShadowWord*>(at);
    entry.region.pages = reinterpret_cast<Page*>(at + shadow_room);
    entry.region.visits = reinterpret_cast<PieceVisits*>(at + shadow_room + page_bytes);
    if (is_new) return;
    // Old shadow words are out of date, as from one launch to the next, and old visits are
    // forgotten when a launch first comes. Which series of owners the shadow words are of must be
    // known still.
    for (std::uint64_t page = 0; page < pages; ++page) {
        const std::uint32_t owners = entry.region.pages[page].owners;
        entry.region.pages[page] = Page{};
        entry.region.pages[page].owners = owners;
    }
}

Device::Release DeviceMemory::release(Address base) {
    const auto found = entries_.find(base);
    if (found == entries_.end() || found->second.region.reserved || base >= kHeapBegin)
        return Device::Release::not_an_allocation;
    Entry& entry = found->second;
    if (!entry.region.live) return Device::Release::already_freed;
    drop_pages(entry);
    entry.region.live = false;
    bytes_in_use_ -= entry.charged_bytes;
    quarantine_.push_back(base);
    if (quarantine_.size() > kQuarantine) {
        const auto oldest = entries_.find(quarantine_.front());
        if (oldest != entries_.end() && !oldest->second.region.live &&
            !oldest->second.region.reserved)
            entries_.erase(oldest);
        quarantine_.pop_front();
    }
    return Device::Release::ok;
}

Address DeviceMemory::allocate_in_heap(std::uint64_t size_bytes, std::uint64_t heap_bytes) {
    if (size_bytes == 0 || size_bytes > heap_bytes) return 0;
    const std::uint64_t charged = round_up(size_bytes, kHeapAlignment);
    const std::uint64_t gap = std::max(charged, kHeapRedZone);
    if (heap_bytes_in_use_ + charged > heap_bytes || heap_cursor_ + charged + gap > kWindowEnd)
        return 0;
    const Address base = heap_cursor_;
    heap_cursor_ += charged + gap;
    heap_bytes_in_use_ += charged;

    Entry entry;
    entry.in_heap = std::make_unique<std::uint64_t[]>(charged / 8 + written_words(charged));
    entry.charged_bytes = charged;
    entry.region.base = base;
    entry.region.size_bytes = size_bytes;
    entry.region.data = reinterpret_cast<std::byte*>(entry.in_heap.get());
    entry.region.written = entry.in_heap.get() + charged / 8;
    entry.region.name = "malloc #" + std::to_string(++heap_count_) + " in a kernel";
    std::memset(entry.region.data, std::to_integer<int>(kFreshMemory), charged);
    entries_.insert_or_assign(base, std::move(entry));
    return base;
}

Device::Release DeviceMemory::release_in_heap(Address base) {
    const auto found = entries_.find(base);
    if (found == entries_.end() || base < kHeapBegin) return Device::Release::not_an_allocation;
    Entry& entry = found->second;
    if (!entry.region.live) return Device::Release::already_freed;
    entry.region.live = false;
    entry.region.data = nullptr;
    entry.region.written = nullptr;
    entry.in_heap.reset();
    heap_bytes_in_use_ -= entry.charged_bytes;
    heap_quarantine_.push_back(base);
    if (heap_quarantine_.size() > kQuarantine) {
        entries_.erase(heap_quarantine_.front());
        heap_quarantine_.pop_front();
    }
    return Device::Release::ok;
}

void DeviceMemory::drop_pages(Entry& entry) {
    if (entry.shadow_bytes != 0)
        shadow_mappings_.give_back(entry.shadow_memory, entry.shadow_bytes);
    entry.shadow_bytes = 0;
    entry.region.shadow = nullptr;
    entry.region.pages = nullptr;
    entry.region.visits = nullptr;
    // Of large ones, parts are the file of fresh_pages_.
    if (entry.mapped_bytes >= kFreshFileBytes)
        munmap(entry.region.data, entry.mapped_bytes);
    else if (entry.mapped_bytes != 0)
        data_mappings_.give_back(entry.region.data, entry.mapped_bytes);
    entry.mapped_bytes = 0;
    entry.region.data = nullptr;
    entry.region.written = nullptr;
}

std::uint64_t DeviceMemory::add_texture(const Texture& texture) {
    const std::uint64_t handle = kTextureWindow + kTexturesApart * ++textures_made_;
    textures_[handle] = texture;
    return handle;
}

Region* DeviceMemory::find(Address at) {
    auto after = entries_.upper_bound(at);
    if (after == entries_.begin()) return nullptr;
    Region& region = std::prev(after)->second.region;
    return !region.reserved && region.contains(at, 1) ? &region : nullptr;
}

std::optional<Nearest> DeviceMemory::nearest(Address at) const {
    const Region* best = nullptr;
    std::int64_t distance = 0;
    for (const auto& [base, entry] : entries_) {
        const Region& region = entry.region;
        if (!region.live) continue;
        const auto past_end = static_cast<std::int64_t>(at - (base + region.size_bytes));
        const std::int64_t here = at < base ? static_cast<std::int64_t>(at - base) : past_end;
        if (best && std::abs(here) >= std::abs(distance)) continue;
        best = &region;
        distance = here;
    }
    if (!best) return {};
    return Nearest{best->allocation(), distance};
}

/// For the host, which a kernel's heap is no business of.
Region* DeviceMemory::live_range(Address at, std::uint64_t size_bytes) const {
    if (at >= kHeapBegin) return nullptr;
    auto after = entries_.upper_bound(at);
    if (after == entries_.begin()) return nullptr;
    auto& region = const_cast<Region&>(std::prev(after)->second.region);
    const bool empty_inside = size_bytes == 0 && at - region.base <= region.size_bytes;
    return region.live && (empty_inside || region.contains(at, size_bytes)) ? &region : nullptr;
}

bool DeviceMemory::write(Address to, std::span<const std::byte> from) {
    Region* region = live_range(to, from.size());
    if (!region) return false;
    const std::uint64_t offset = to - region->base;
    if (!from.empty()) std::memcpy(region->data + offset, from.data(), from.size());
    if (region->written) mark_written(region->written, offset, from.size());
    return true;
}

bool DeviceMemory::read(std::span<std::byte> to, Address from) const {
    const Region* region = live_range(from, to.size());
    if (!region) return false;
    if (!to.empty()) std::memcpy(to.data(), region->data + (from - region->base), to.size());
    return true;
}

bool DeviceMemory::holds(Address at, std::span<const std::byte> bytes) const {
    const Region* region = live_range(at, bytes.size());
    if (!region || !region->written) return false;
    const std::uint64_t offset = at - region->base;
    // std::equal looks at std::byte one by one.
    return (bytes.empty() || std::memcmp(bytes.data(), region->data + offset, bytes.size()) == 0) &&
           all_written(region->written, offset, bytes.size());
}

bool DeviceMemory::holds(Address at, std::byte value, std::uint64_t size_bytes) const {
    const Region* region = live_range(at, size_bytes);
    if (!region || !region->written) return false;
    const std::uint64_t offset = at - region->base;
    const std::byte* const data = region->data + offset;
    // All bytes are the same where each is the same as the next one.
    return (size_bytes == 0 ||
            (data[0] == value && std::memcmp(data, data + 1, size_bytes - 1) == 0)) &&
           all_written(region->written, offset, size_bytes);
}

bool DeviceMemory::fill(Address to, std::byte value, std::uint64_t size_bytes) {
    Region* region = live_range(to, size_bytes);
    if (!region) return false;
    const std::uint64_t offset = to - region->base;
    if (size_bytes != 0)
        std::memset(region->data + offset, std::to_integer<int>(value), size_bytes);
    if (region->written) mark_written(region->written, offset, size_bytes);
    return true;
}

bool DeviceMemory::copy(Address to, Address from, std::uint64_t size_bytes) {
    Region* target = live_range(to, size_bytes);
    const Region* origin = live_range(from, size_bytes);
    if (!target || !origin) return false;
    const std::uint64_t target_at = to - target->base, origin_at = from - origin->base;
    if (size_bytes != 0)
        std::memmove(target->data + target_at, origin->data + origin_at, size_bytes);
    copy_written(target->written, target_at, origin->written, origin_at, size_bytes);
    target->was_forgotten |= origin->was_forgotten;
    return true;
}

bool DeviceMemory::forget(Address at, std::uint64_t size_bytes) {
    Region* region = live_range(at, size_bytes);
    if (!region) return false;
    if (region->written) mark_unwritten(region->written, at - region->base, size_bytes);
    region->was_forgotten = true;
    return true;
}

}  // namespace vgpu

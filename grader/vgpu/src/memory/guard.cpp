#include "memory/guard.h"

#include <cstdlib>

namespace vgpu {
namespace {

// Of a pool; chosen: keeps a hostile program's in bounds.
constexpr std::size_t kMaxParts = 1 << 16;

bool allows(Permissions given, Permissions needed) {
    return (given.read || !needed.read) && (given.write || !needed.write) &&
           (given.atomic || !needed.atomic);
}

/// The last entry that begins at or before `at` and, by its size, holds it; else the end.
template <class Map>
auto around(Map& map, Address at) {
    auto after = map.upper_bound(at);
    if (after == map.begin()) return map.end();
    const auto found = std::prev(after);
    return at - found->first < found->second.bytes ? found : map.end();
}

/// Whether [begin, begin + bytes) shares a byte with an entry.
template <class Map>
bool overlaps(const Map& map, Address begin, std::uint64_t bytes) {
    const auto next = map.lower_bound(begin);
    if (next != map.end() && next->first - begin < bytes) return true;
    return around(map, begin) != map.end();
}

}  // namespace

bool Guard::annotate(const Annotation& a) {
    switch (a.kind) {
        case Annotation::Kind::open_pool:
            return open_pool(a.at, a.bytes);
        case Annotation::Kind::close_pool:
            return close_pool(a.at);
        case Annotation::Kind::empty_pool:
            return empty_pool(a.at);
        case Annotation::Kind::hand_out:
            return hand_out(a.at, a.bytes);
        case Annotation::Kind::resize:
            return resize(a.at, a.bytes);
        case Annotation::Kind::take_back:
            return take_back(a.at);
        case Annotation::Kind::permit:
            return permit(a.at, a.permissions);
        case Annotation::Kind::name:
        case Annotation::Kind::permit_all:
        case Annotation::Kind::written:
            break;
    }
    return false;
}

bool Guard::open_pool(Address begin, std::uint64_t bytes) {
    if (bytes == 0 || begin < begin_ || begin - begin_ >= size_ ||
        bytes > size_ - (begin - begin_) || pools_.size() == kMaxParts ||
        overlaps(pools_, begin, bytes))
        return false;
    pools_[begin] = {bytes};
    return true;
}

bool Guard::close_pool(Address begin) {
    return pools_.erase(begin) == 1;
}

bool Guard::empty_pool(Address begin) {
    const auto pool = pools_.find(begin);
    if (pool == pools_.end()) return false;
    pool->second.parts.clear();
    return true;
}

void Guard::empty_pools() {
    for (auto& [begin, pool] : pools_) pool.parts.clear();
}

Guard::Pool* Guard::pool_of(Address at, std::uint64_t bytes) {
    const auto pool = around(pools_, at);
    if (pool == pools_.end() || bytes > pool->second.bytes - (at - pool->first)) return nullptr;
    return &pool->second;
}

const Guard::Pool* Guard::pool_of(Address at) const {
    const auto pool = around(pools_, at);
    return pool == pools_.end() ? nullptr : &pool->second;
}

bool Guard::hand_out(Address begin, std::uint64_t bytes) {
    Pool* const pool = pool_of(begin, bytes);
    if (pool == nullptr || bytes == 0 || pool->parts.size() == kMaxParts ||
        overlaps(pool->parts, begin, bytes))
        return false;
    pool->parts[begin] = {bytes};
    return true;
}

bool Guard::resize(Address begin, std::uint64_t bytes) {
    Pool* const pool = pool_of(begin, bytes);
    if (pool == nullptr || bytes == 0) return false;
    const auto part = pool->parts.find(begin);
    if (part == pool->parts.end()) return false;
    const auto next = std::next(part);
    if (next != pool->parts.end() && next->first - begin < bytes) return false;
    part->second.bytes = bytes;
    return true;
}

bool Guard::take_back(Address begin) {
    Pool* const pool = pool_of(begin, 1);
    return pool != nullptr && pool->parts.erase(begin) == 1;
}

bool Guard::permit(Address begin, Permissions permissions) {
    if (Pool* const pool = pool_of(begin, 1)) {
        const auto part = pool->parts.find(begin);
        if (part != pool->parts.end()) {
            part->second.permissions = permissions;
            return true;
        }
    }
    if (begin != begin_) return false;
    permissions_ = permissions;
    return true;
}

void Guard::permit_all() {
    permissions_ = {};
    for (auto& [begin, pool] : pools_)
        for (auto& [at, part] : pool.parts) part.permissions.reset();
}

Cause Guard::no_part(const Pool& pool, Address at) const {
    const auto distance = [&](const Parts::value_type& part) {
        return part.first > at ? part.first - at : at - (part.first + part.second.bytes) + 1;
    };
    const Parts::value_type* nearest = nullptr;
    for (const auto& part : pool.parts)
        if (!nearest || distance(part) < distance(*nearest)) nearest = &part;
    cause::NotHandedOut outside{at - begin_, std::nullopt};
    if (nearest)
        outside.nearest = {nearest->first - begin_,
                           nearest->first - begin_ + nearest->second.bytes - 1};
    return outside;
}

std::optional<Cause> Guard::objection(Address at, std::uint64_t bytes, Permissions needed) const {
    Permissions given = permissions_;
    if (const Pool* const pool = pool_of(at)) {
        const auto part = around(pool->parts, at);
        if (part == pool->parts.end()) return no_part(*pool, at);
        const std::uint64_t left = part->second.bytes - (at - part->first);
        if (bytes > left) return no_part(*pool, at + left);
        given = part->second.permissions.value_or(permissions_);
    }
    if (allows(given, needed)) return {};
    return cause::NotPermitted{given, needed.atomic};
}

bool Guard::is_idle() const {
    return pools_.empty() && allows(permissions_, {true, true, true});
}

}  // namespace vgpu

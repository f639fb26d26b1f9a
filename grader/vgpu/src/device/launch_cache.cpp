#include "device/launch_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace vgpu {
namespace {

// All chosen. A program with more different launches than this begins anew.
constexpr std::size_t kMostLaunches = 256;
constexpr std::size_t kMostKnown = 8;  // of one launch
constexpr std::size_t kMostPages = 16384;
constexpr std::uint64_t kMostKeptBytes = 256 << 20;
// Launches that are looked at before it is done less often, and of those after.
constexpr std::uint32_t kTriesInVain = 8, kOfThoseAfter = 4;

template <class T>
void append(std::string& key, const T& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The first few, then a few after twice as many each time.
bool is_worth_a_look(std::uint32_t in_vain) {
    return in_vain < kTriesInVain || in_vain - std::bit_floor(in_vain) < kOfThoseAfter;
}

}  // namespace

std::string LaunchCache::key_of(const Launch& launch) {
    if (launch.trace || launch.recordings != Launch::Recordings::none) return {};
    std::string key = launch.kernel;
    key += '\0';
    append(key, launch.module);
    for (const Dim3& size : {launch.grid, launch.block}) {
        append(key, size.x);
        append(key, size.y);
        append(key, size.z);
    }
    append(key, launch.dynamic_shared_bytes);
    append(key, launch.cooperative);
    append(key, launch.want_footprint);
    append(key, launch.want_writers);
    append(key, launch.want_lines);
    key.append(reinterpret_cast<const char*>(launch.parameters.data()), launch.parameters.size());
    return key;
}

void LaunchCache::forget() {
    if (kept_bytes_ == 0) return;
    kept_bytes_ = 0;
    for (auto& [key, history] : launches_) history.known.clear();
}

void LaunchCache::forget(const Region& region) {
    if (kept_bytes_ == 0) return;
    const auto is_of_region = [&](const Touched& touched) { return touched.region == &region; };
    for (auto& [key, history] : launches_) {
        std::erase_if(history.known, [&](const Known& known) {
            const auto& before = known.effects.before;
            if (std::none_of(before.begin(), before.end(), is_of_region)) return false;
            kept_bytes_ -= bytes_of(known);
            return true;
        });
    }
}

const LaunchCache::Known* LaunchCache::find(const std::string& key) {
    const auto found = launches_.find(key);
    if (found == launches_.end()) return nullptr;
    for (const Known& known : found->second.known) {
        if (!holds_the_same(known.effects.before)) continue;
        found->second.in_vain = 0;
        return &known;
    }
    return nullptr;
}

std::optional<std::size_t> LaunchCache::most_pages(const std::string& key) {
    if (key.empty()) return {};
    if (launches_.size() >= kMostLaunches) {
        launches_.clear();
        kept_bytes_ = 0;
    }
    const auto [found, is_new] = launches_.try_emplace(key);
    if (is_new) return {};
    return is_worth_a_look(found->second.in_vain++) ? kMostPages : 0;
}

std::uint64_t LaunchCache::bytes_of(const Known& known) {
    const LaunchResult& result = known.result;
    std::uint64_t bytes = sizeof(Known) + known.effects.changes.contents.size() +
                          result.printed.size() + result.footprint.size() * sizeof(Footprint) +
                          result.writers.size() * sizeof(Writers) +
                          result.lines.size() * sizeof(LineCounts);
    for (const Touched& touched : known.effects.before)
        bytes += sizeof(Touched) + touched.contents.size() * sizeof(std::uint64_t);
    return bytes;
}

void LaunchCache::keep(const std::string& key, const LaunchResult& result, Effects effects) {
    std::deque<Known>& known = launches_[key].known;
    known.push_back({std::move(effects), result});
    kept_bytes_ += bytes_of(known.back());
    while (!known.empty() && (known.size() > kMostKnown || kept_bytes_ > kMostKeptBytes)) {
        kept_bytes_ -= bytes_of(known.front());
        known.pop_front();
    }
}

}  // namespace vgpu

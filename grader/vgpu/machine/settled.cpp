#include "vgpu/machine/settled.h"

#include <cstring>

namespace vgpu {
namespace {

/// A program with more different launches than this begins anew; chosen.
constexpr std::size_t kMostKnown = 64;

template <class T>
void append(std::string& key, const T& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string Settled::key_of(const Launch& launch) {
    // The barrier of a cooperative grid is memory that every launch begins afresh.
    if (launch.cooperative || launch.trace) return {};
    std::string key = launch.kernel;
    key += '\0';
    append(key, launch.module);
    for (const Dim3& size : {launch.grid, launch.block}) {
        append(key, size.x);
        append(key, size.y);
        append(key, size.z);
    }
    append(key, launch.dynamic_shared_bytes);
    append(key, launch.want_footprint);
    append(key, launch.want_lines);
    key.append(reinterpret_cast<const char*>(launch.parameters.data()), launch.parameters.size());
    return key;
}

const LaunchResult* Settled::find(const std::string& key) const {
    const auto found = known_.find(key);
    return found != known_.end() && found->second.state == state_ ? &found->second.result : nullptr;
}

bool Settled::runs_again(const std::string& key) {
    if (key.empty()) return false;
    if (known_.size() >= kMostKnown) known_.clear();
    return !known_.try_emplace(key).second;
}

void Settled::keep(const std::string& key, const LaunchResult& result) {
    known_[key] = {state_, result};
}

}  // namespace vgpu

#include "step/replay.h"

#include <algorithm>
#include <bit>

namespace lab {
namespace {

/// How far outside an array an access still counts as meant for it.
constexpr vgpu::Address kNear = 4096;

vgpu::Address distance(const vgpu::Allocation& array, vgpu::Address address) {
    if (address < array.base) return array.base - address;
    const vgpu::Address end = array.base + array.size_bytes;
    return address < end ? 0 : address - end + 1;
}

}  // namespace

StepPlace place_of(const vgpu::Recording& recording, vgpu::Address address) {
    StepPlace nearest;
    vgpu::Address least = kNear + 1;
    const auto look = [&](const std::vector<vgpu::Allocation>& arrays, bool is_shared) {
        for (const vgpu::Allocation& array : arrays) {
            if (distance(array, address) >= least) continue;
            least = distance(array, address);
            nearest = {&array, is_shared, static_cast<std::int64_t>(address - array.base)};
        }
    };
    look(recording.shared_variables, true);
    look(recording.allocations, false);
    return nearest;
}

Replay::Replay(const vgpu::Recording& recording, std::size_t index) : recording_(recording) {
    for (std::size_t i = 0; i <= index && i < recording.steps.size(); ++i)
        apply(recording.steps[i]);
}

const MemoryState* Replay::memory(const vgpu::Allocation& array, bool is_shared,
                                  std::uint32_t block) const {
    const auto found = memory_.find({array.base, is_shared ? block : 0});
    return found == memory_.end() ? nullptr : &found->second;
}

MemoryState Replay::before(const vgpu::Allocation& array) const {
    MemoryState state{std::vector<std::byte>(array.size_bytes),
                      std::vector<bool>(array.size_bytes)};
    for (const vgpu::RecordedMemory& piece : recording_.memory) {
        if (piece.begin < array.base || piece.begin >= array.base + array.size_bytes) continue;
        const std::uint64_t at = piece.begin - array.base;
        for (std::uint64_t i = 0; i < piece.bytes.size() && at + i < array.size_bytes; ++i) {
            state.bytes[at + i] = piece.bytes[i];
            state.written[at + i] = piece.written[i];
        }
    }
    return state;
}

MemoryState& Replay::memory_of(const StepPlace& place, std::uint32_t block) {
    const Key key{place.array->base, place.is_shared ? block : 0};
    const auto found = memory_.find(key);
    return found != memory_.end() ? found->second
                                  : memory_.emplace(key, before(*place.array)).first->second;
}

void Replay::apply(const vgpu::RecordedStep& step) {
    auto& warps = warps_[step.block];
    if (warps.empty()) {
        const std::uint32_t threads = recording_.block.x * recording_.block.y * recording_.block.z;
        for (std::uint32_t first = 0; first < threads; first += kLanes) {
            const std::uint32_t rest = threads - first;
            warps.push_back({rest >= kLanes ? ~std::uint32_t{0} : (1u << rest) - 1, 0});
        }
    }
    WarpState& warp = warps.at(step.warp);
    using Kind = vgpu::RecordedStep::Kind;
    if (step.kind == Kind::wait) warp.waiting |= step.lanes;
    if (step.kind == Kind::go_on) warp.waiting &= ~step.lanes;
    if (step.kind == Kind::leave) warp.live &= ~step.lanes;
    if (!step.is_access()) return;
    const auto lanes = static_cast<std::size_t>(std::popcount(step.lanes));
    for (std::size_t k = 0; k < lanes; ++k) {
        const StepPlace place = place_of(recording_, recording_.addresses[step.addresses + k]);
        if (place.is_outside()) continue;
        MemoryState& memory = memory_of(place, step.block);
        if (!step.is_write()) continue;
        const auto at = static_cast<std::size_t>(place.byte);
        for (std::size_t i = 0; i < step.bytes && at + i < memory.bytes.size(); ++i) {
            memory.bytes[at + i] = recording_.values[step.values + k * step.bytes + i];
            memory.written[at + i] = true;
        }
    }
}

}  // namespace lab

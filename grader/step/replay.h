// Where everything is after some step of a recording: each warp's lanes, and what lies in memory.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "vgpu/recording.h"

namespace lab {

inline constexpr std::uint32_t kLanes = 32;  ///< of a warp

/// Element of an array, by an access's address.
struct StepPlace {
    const vgpu::Allocation* array = nullptr;  ///< null: near no array
    bool is_shared = false;
    std::int64_t byte = 0;  ///< from the array's beginning; negative: before it
    bool is_outside() const {
        return array == nullptr || byte < 0 ||
               static_cast<std::uint64_t>(byte) >= array->size_bytes;
    }
};

/// The array at an address, or the nearest one within 4 KiB.
StepPlace place_of(const vgpu::Recording& recording, vgpu::Address address);

struct WarpState {
    std::uint32_t live = 0, waiting = 0;  ///< a bit a lane
};

/// Bytes of one array, and which of them somebody has written.
struct MemoryState {
    std::vector<std::byte> bytes;
    std::vector<bool> written;
};

/// The state after recording.steps[index]. Fast enough to be made anew for each step.
class Replay {
public:
    Replay(const vgpu::Recording& recording, std::size_t index);

    const std::vector<WarpState>& warps(std::uint32_t block) const { return warps_.at(block); }
    /// Null where the array was not touched until then; shared arrays are each block's own.
    const MemoryState* memory(const vgpu::Allocation& array, bool is_shared,
                              std::uint32_t block) const;

private:
    using Key = std::pair<vgpu::Address, std::uint32_t>;  ///< an array's base; its block, or 0

    void apply(const vgpu::RecordedStep& step);
    MemoryState& memory_of(const StepPlace& place, std::uint32_t block);
    MemoryState before(const vgpu::Allocation& array) const;

    const vgpu::Recording& recording_;
    std::map<std::uint32_t, std::vector<WarpState>> warps_;
    std::map<Key, MemoryState> memory_;
};

}  // namespace lab

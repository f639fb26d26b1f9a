// The virtual GPU's counts and modelled times of a call. A GPU gives none.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/cost.h"

namespace lab {

struct LaunchRecord {
    std::string kernel;  ///< demangled
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t dynamic_shared_bytes = 0;  ///< the third argument of the launch
    std::string outcome;                     ///< "ok", or what stopped it
    std::uint64_t resident_warps = 0;        ///< on the whole GPU at once, by the occupancy rules
    std::uint64_t merged = 1;                ///< launches that this record stands for
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    std::uint64_t global_load_requests = 0, global_load_sectors = 0;
    std::uint64_t global_store_requests = 0, global_store_sectors = 0;
    std::uint64_t global_load_bytes = 0, global_store_bytes = 0;  ///< that lanes asked for
    std::uint64_t shared_requests = 0, shared_wavefronts = 0;     ///< atomics included
    std::uint64_t local_sectors = 0;                              ///< of arrays in local memory
    std::uint64_t divergent_branches = 0, barriers = 0;
    std::uint64_t global_atomics = 0;  ///< operations, one a lane
    std::uint64_t hottest_visits = 0;  ///< of atomics at 512 bytes, one after the other

    /// Modelled, in microseconds: what each part would take if it were all that limits the kernel,
    /// and all together (grader/vgpu/include/vgpu/cost.h).
    struct Cost {
        double issue = 0, l1 = 0, l2 = 0, memory = 0, atomics = 0, latency = 0, blocks = 0, all = 0;
    };
    Cost cost_us;
    /// What that follows from; nothing where the record stands for several launches.
    std::optional<vgpu::model::KernelWork> work;

    /// The line of source that has most of something, and how much.
    struct Hot {
        std::string file;
        int line = 0;
        std::uint64_t count = 0;
    };
    Hot most_instructions, most_sectors, most_wavefronts, most_local;

    /// Rows of words of 4 bytes, and who wrote them last: as vgpu::Writers, if asked for.
    struct Writers {
        std::uint64_t address = 0, words = 0, first = 0;
        std::int64_t step = 0;
    };
    std::vector<Writers> writers;
    /// The record as it came, if the device was asked for profiles; else null.
    std::shared_ptr<const nlohmann::json> profiled;

    std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
    std::uint64_t threads_per_block() const {
        return std::uint64_t{block[0]} * block[1] * block[2];
    }
};

/// Have kernels executed enough to have worked on `elements`? Results that the host computes,
/// beside a kernel that does nothing, have not. An instruction of a thread handles a few elements
/// at most.
inline bool executed_for_each(const std::vector<LaunchRecord>& launches, long long elements) {
    constexpr std::uint64_t kMost = 8;
    std::uint64_t executed = 0;
    for (const LaunchRecord& launch : launches) executed += launch.thread_instructions;
    return !launches.empty() && kMost * executed >= static_cast<std::uint64_t>(elements);
}

}  // namespace lab

// One kernel launch, as the virtual GPU counted it. On a GPU there are none.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace lab {

struct LaunchRecord {
    std::string kernel;  ///< demangled
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::string outcome;               ///< "ok", or what stopped it
    std::uint64_t resident_warps = 0;  ///< on the whole GPU at once, by the occupancy rules
    std::uint64_t merged = 1;          ///< launches that this record stands for
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    std::uint64_t global_load_requests = 0, global_load_sectors = 0;
    std::uint64_t global_store_requests = 0, global_store_sectors = 0;
    std::uint64_t global_atomics = 0;  ///< operations, one a lane

    std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
    std::uint64_t threads_per_block() const {
        return std::uint64_t{block[0]} * block[1] * block[2];
    }
};

}  // namespace lab

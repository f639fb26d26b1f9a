// Prints a program's source with the virtual GPU's counts for each line.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lab {

class VgpuLines {
public:
    /// One record of the device process (grader/vgpu/runtime/records.h).
    void add(const nlohmann::json& record);

    /// Only files whose path ends with one of these, unless none are given; at most 120 columns.
    std::string text(const std::vector<std::string>& files) const;

private:
    struct Counts {
        std::uint64_t warp_instructions = 0, thread_instructions = 0;
        std::uint64_t global_requests = 0, global_sectors = 0;
        std::uint64_t shared_requests = 0, shared_wavefronts = 0, divergent_branches = 0;
    };
    struct Kernel {
        std::string name;
        std::uint64_t launches = 0;
        Counts counts;
        double achieved_pct = 0, theoretical_pct = 0;  ///< of the last launch
        bool has_occupancy = false;
        nlohmann::json hottest;  ///< of the launch that hit one address most
    };
    using Lines = std::map<int, Counts>;

    void add_launch(const nlohmann::json& record);
    std::string row(const Counts&, std::uint64_t most) const;
    std::string kernel_text(const Kernel&) const;
    std::string listing(const std::string& file, const Lines&, std::uint64_t most) const;

    std::vector<Kernel> kernels_;         ///< in the order of their first launches
    std::map<std::string, Lines> lines_;  ///< by file
    std::uint64_t all_ = 0;               ///< warp instructions, of all lines
};

}  // namespace lab

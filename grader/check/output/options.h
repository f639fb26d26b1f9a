// The grader program's command line, which core writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lab {

struct Options {
    std::filesystem::path submission, reference, baseline, expert;  ///< runner programs
    /// Further runners to time, with the names that plots give them.
    std::vector<std::pair<std::string, std::filesystem::path>> others;
    bool vgpu = true;
    /// Speed tests are judged by the clock, as on a GPU. Its time means nothing: for tests of how.
    bool clock = false;
    std::filesystem::path vgpu_device;         ///< the device process
    std::uint64_t vgpu_warp_instructions = 0;  ///< limit a launch; 0: the device's own
    std::uint64_t seed = 1;
    int results = -1;  ///< descriptor for result lines; -1: nobody listens
    std::chrono::milliseconds total_limit{60'000}, call_limit{10'000};
    std::string cases = "tests";   ///< or "pictures", "benches"
    std::filesystem::path tables;  ///< folder for the tables of those two
    std::string test;              ///< part of a test's name; empty: all
    std::optional<std::set<std::string>>
        speed_tests;                          ///< of the speed tests only these; nothing: all
    std::string display_source, real_source;  ///< the student's file: as shown, and as compiled
    std::filesystem::path sanitizer;  ///< compute-sanitizer; empty: not installed, or not wanted
    std::filesystem::path gpu_lock;   ///< file that gradings on this GPU share; empty: no turns
    std::string lab;
    bool contract = false;  ///< print the contract and do nothing else
};

/// The options of this run; set once, by main.
const Options& options();

/// Parses the command line into options(). Returns an exit code to stop with, or -1.
int parse_options(int argc, char** argv, const std::string& lab);

}  // namespace lab

// The checker's command line, declared once: core writes it, the checker reads it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lab {

enum class DeviceKind { gpu, vgpu };

/// Which of a grader's cases run: the tests, or those that fill tables for pictures and plots.
enum class Cases { tests, pictures, benches };

/// Their names on the command line, by value.
inline constexpr const char* kDeviceNames[] = {"gpu", "vgpu"};
inline constexpr const char* kCasesNames[] = {"tests", "pictures", "benches"};

/// NAME=FILE on the command line.
struct NamedFile {
    std::string name;
    std::filesystem::path file;

    bool operator==(const NamedFile&) const = default;
};

struct CheckerOptions {
    std::filesystem::path submission, reference, baseline, expert;  ///< runner programs
    /// Further runners to time, with the names that plots give them.
    std::vector<NamedFile> others;
    DeviceKind device = DeviceKind::vgpu;
    /// Speed tests are judged by the clock, as on a GPU. Its time means nothing: for tests of how.
    bool clock = false;
    std::filesystem::path vgpu_device;         ///< the device process
    std::uint64_t vgpu_warp_instructions = 0;  ///< limit a launch; 0: the device's own
    std::uint64_t seed = 1;
    int results = -1;  ///< descriptor for result lines; -1: nobody listens
    std::chrono::milliseconds total_limit{60'000}, call_limit{10'000};
    Cases cases = Cases::tests;
    std::filesystem::path tables;  ///< folder for the tables of pictures and benches
    std::filesystem::path steps;   ///< file for one call, step by step; empty: not recorded
    /// File for what the calls counted (check/session/profiled_calls.h); empty: not recorded.
    std::filesystem::path profile;
    std::string test;                                  ///< part of a test's name; empty: all
    std::optional<std::set<std::string>> speed_tests;  ///< only these of them; nothing: all
    NamedFile source;  ///< the student's file: as shown, and as compiled
    /// A copy of source.file, where that lies on the machine that compiled it; empty: here.
    std::filesystem::path source_text;
    std::filesystem::path sanitizer;  ///< compute-sanitizer; empty: not installed, or not wanted
    std::filesystem::path gpu_lock;   ///< file that gradings on this GPU share; empty: no lock
    bool contract = false;            ///< print the contract and do nothing else

    bool on_vgpu() const { return device == DeviceKind::vgpu; }
    bool operator==(const CheckerOptions&) const = default;
};

/// What a runner's kernels need of a GPU, as a table (vgpu/kernel_needs.h), lies beside it where
/// the lab asks for that.
inline std::filesystem::path needs_beside(const std::filesystem::path& runner) {
    return runner.string() + ".needs";
}

inline constexpr const char* kContractWord = "--contract";

/// Calls visit(word, option, help) for each option of `o`, which may be const; speed_tests have two
/// words: visit(word that leaves all out, word that names one, option, help, help).
template <class Options, class Visitor>
void visit_options(Options& o, Visitor&& visit) {
    visit(kContractWord, o.contract, "Print the functions a submission defines, as JSON");
    visit("--submission", o.submission, "The submission's runner");
    visit("--reference", o.reference, "The reference's runner");
    visit("--device", o.device, "What the runners run on");
    visit("--seed", o.seed, "Of all random inputs");
    visit("--results", o.results, "Descriptor that gets the result lines");
    visit("--total-limit-s", o.total_limit, "Limit of the whole grading");
    visit("--call-limit-s", o.call_limit, "Limit of one call");
    visit("--source", o.source, "DISPLAYPATH=REALPATH of the student's file");
    visit("--source-text", o.source_text,
          "Where to read that file, if REALPATH is another machine's");
    visit("--baseline", o.baseline, "The baseline's runner");
    visit("--vgpu-device", o.vgpu_device, "The virtual GPU's process");
    visit("--vgpu-warp-instructions", o.vgpu_warp_instructions, "Limit of a launch");
    visit("--gpu-turns", o.gpu_lock, "File by which gradings on one GPU take turns");
    visit("--sanitizer", o.sanitizer, "compute-sanitizer, for calls on a GPU");
    visit("--cases", o.cases, "What to run");
    visit("--tables", o.tables, "Folder for what pictures and benches write");
    visit("--steps", o.steps, "File for a call's steps: one that failed, if any did");
    visit("--profile", o.profile, "File for what the virtual GPU counted, of each function");
    visit("--expert", o.expert, "The expert version's runner");
    visit("--version-named", o.others, "NAME=RUNNER of one more to time; may be repeated");
    visit("--test", o.test, "Run the tests whose name contains this, and those they need");
    visit("--no-races", "--but-race", o.speed_tests, "Leave out the speed tests",
          "The speed test that is not left out; may be repeated");
    visit("--clock", o.clock, "Judge races by the clock on the virtual GPU, too (for tests)");
}

/// The arguments from which the checker reads these options. Empty and false ones are left out.
std::vector<std::string> command_line(const CheckerOptions& options);

}  // namespace lab

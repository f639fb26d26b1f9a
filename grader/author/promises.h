// What a lab's author promises, and the machine that holds them to it: the skeleton scores 0, right
// submissions get full marks, wrong ones fail the test and with the words that they name.
//
// A promise that was kept is not looked at again until something changes that it depends on: the
// tools, the lab, its solution, or the submission itself, all by content.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/course/lab.h"
#include "core/course/project.h"
#include "core/device.h"
#include "core/results.h"
#include "nvcc/symbols.h"

namespace lab {

/// A submission whose functions do nothing.
std::string empty_bodies(const std::vector<ContractFunction>& contract, const std::string& header);

/// A speed test of one of the gradings that checked a promise.
struct SpeedOutcome {
    std::string test;
    std::uint64_t seed = 0;
    Verdict verdict{};
    double ratio = 0, threshold = 0;
};

/// One promise, looked at.
struct Checkup {
    std::string lab;
    std::string what;  ///< "solutions/02-vector-add/wrong/no-guard.cu is rejected"
    bool good = false;
    std::string why;  ///< when it is not; of several times, each time's, with its seed
    double seconds = 0;
    bool unchanged = false;  ///< kept when it was last looked at, and nothing changed since
    int times = 0;           ///< how often it was checked now
    int times_good = 0;      ///< and kept
    std::vector<SpeedOutcome> speed_tests{};
};

/// Which promises of a lab were kept, as files named by all that they depend on.
class KeptPromises {
public:
    /// `shared`: what all of the lab's promises depend on.
    KeptPromises(fs::path folder, std::string shared)
        : folder_(std::move(folder)), shared_(std::move(shared)) {}

    /// `own`: further things that this one depends on.
    bool has(const std::string& own) const;
    void add(const std::string& own);
    /// Forgets those that nobody asked for or added.
    void prune() const;

private:
    fs::path file_of(const std::string& own) const;

    fs::path folder_;
    std::string shared_;
    mutable std::mutex mutex_;
    mutable std::set<fs::path> known_;
};

struct CheckOptions {
    bool all = false;  ///< also those that were kept and did not change
    /// Wrong submissions run all tests: otherwise only the speed tests that their lines name, and
    /// entries of mistakes.toml only the one test that they name (only_test_of()).
    bool all_speed_tests = false;
    unsigned jobs = 0;  ///< gradings at once; 0: one on a GPU, on the virtual one one a core
    int times = 1;      ///< how often to check each, with seeds from 1
    std::string only;   ///< part of a promise's words; empty: all of them
};

/// Checks every promise of a lab and hands each to `report` when it is known, one at a time. A
/// promise that is checked more than once must be kept each time; `why` is of the first time that
/// it was not.
void check_lab(const Project& project, const Lab& lab, const Device& device, CheckOptions options,
               const std::function<void(const Checkup&)>& report);

}  // namespace lab

// The programs that a benchmark times, and the time of one call of each.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "check/call/call.h"
#include "check/gpu/launch_record.h"

namespace lab {

/// One program that has the contract's functions.
class Version {
public:
    Version(std::string name, std::filesystem::path runner)
        : name_(std::move(name)), runner_(std::move(runner)) {}

    /// "student", "baseline", "reference", "expert", or the name of another one's file.
    const std::string& name() const { return name_; }
    bool is_student() const { return runner_.empty(); }
    /// Empty for the student's, which the session keeps.
    const std::filesystem::path& runner() const { return runner_; }

private:
    std::string name_;
    std::filesystem::path runner_;
};

/// The student's, the baseline, the reference, and the expert's where the lab has one.
std::vector<Version> versions();

/// Those of lab.toml, in its order: [bench] others = ["wrong/blocks-of-32", "also-right/float4"]
/// are files of solutions/NN-topic/, called "blocks-of-32" and "float4" here.
std::vector<Version> other_versions();

/// Milliseconds of a call: time_ms() of check/bench.h without its types.
double time_call_ms(const Version& version, const CallPlan& plan);

/// What the virtual GPU counts in a call: launches_of() of check/bench.h without its types.
std::vector<LaunchRecord> count_call(const Version& version, const CallPlan& plan);

}  // namespace lab

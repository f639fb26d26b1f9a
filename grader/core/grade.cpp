#include "core/grade.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <future>
#include <random>

#include "core/failure.h"
#include "core/files.h"
#include "core/process.h"
#include "core/skeleton.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

/// The checker keeps the total limit itself; only one that hangs is stopped from outside.
constexpr std::chrono::seconds kGrace{10};

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string new_seed() {
    std::random_device random;
    return std::to_string(std::uniform_int_distribution<std::uint32_t>()(random));
}

/// Our own solution or baseline as a runner. Whatever is wrong with it is our fault.
fs::path our_runner(const Project& project, const Builder& builder, const fs::path& file,
                    const std::shared_future<std::vector<ContractFunction>>& contract) {
    try {
        Submission submission = read_submission(project.root / file);
        submission.shown = file.string();
        const Object object = builder.compile(submission);
        return builder.link(submission, object, contract.get());
    } catch (const Failure& failure) {
        if (failure.exit() == Exit::own_fault) throw;
        throw own_fault(
            fmt::format("The course's own {} cannot be used.\n{}", file.string(), failure.what()));
    }
}

}  // namespace

bool grader_is_built(const Project& project, const Lab& lab) {
    return fs::exists(project.binary("grader-" + lab.name));
}

Checked run_checker(const Project& project, const Grading& about, const Runners& runners) {
    const Limits& limits = about.lab.limits;
    Command checker;
    checker.argv = {project.binary("grader-" + about.lab.name).string(),
                    "--submission",
                    runners.submission.string(),
                    "--reference",
                    runners.reference.string(),
                    "--baseline",
                    runners.baseline.string(),
                    "--device",
                    to_string(about.device.kind),
                    "--seed",
                    about.seed,
                    "--results",
                    std::to_string(kResultsDescriptor),
                    "--total-limit-s",
                    std::to_string(limits.total_s),
                    "--call-limit-s",
                    std::to_string(limits.call_s),
                    "--source",
                    about.submission.shown + "=" + about.submission.file.string()};
    if (about.device.kind == DeviceKind::vgpu) {
        checker.argv.insert(
            checker.argv.end(),
            {"--vgpu-device", project.binary("vgpu-device").string(), "--vgpu-warp-instructions",
             std::to_string(limits.vgpu_warp_instructions)});
    }
    if (about.device.kind == DeviceKind::gpu) {
        if (const fs::path sanitizer = find_sanitizer(project); !sanitizer.empty())
            checker.argv.insert(checker.argv.end(), {"--sanitizer", sanitizer.string()});
    }
    if (!about.only_tests.empty())
        checker.argv.insert(checker.argv.end(), {"--test", about.only_tests});
    checker.with_results = true;
    checker.time_limit = std::chrono::seconds(limits.total_s) + kGrace;

    const Finished finished = run(checker);
    try {
        if (finished.timed_out)
            throw own_fault(
                fmt::format("The checker did not keep its own limit of {} s.", limits.total_s));
        return read_checker_lines(finished.results);
    } catch (const Failure& failure) {
        throw own_fault(fmt::format(
            "{}\nThis is a fault of the grader, not of your file. {} ended with code {}{}{}",
            failure.what(), checker.argv.front(), finished.exit_code,
            finished.err.empty() ? " and said nothing." : " and said:\n", finished.err));
    }
}

Grading grade(const Project& project, const Lab& lab, const Device& device,
              const GradeRequest& request) {
    const auto begin = Clock::now();
    Grading grading;
    grading.lab = lab;
    grading.submission = read_submission(request.file);
    grading.device = device;
    grading.seed = request.seed ? std::to_string(*request.seed) : new_seed();
    grading.only_tests = request.only_tests;
    grading.time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    grading.untouched = grading.submission.text == skeleton_of(project, lab);

    const Builder builder(project, lab, device);
    grading.toolkit = builder.nvcc_version();

    // nvcc needs a second or more; all else happens meanwhile. Reference and baseline are kept from
    // the first time on.
    std::shared_future contract = std::async(std::launch::async, [&] {
                                      ensure_targets(project, builder.targets());
                                      return contract_of(project, lab);
                                  }).share();
    const auto ours = [&](const fs::path& file) {
        return std::async(std::launch::async,
                          [&, file] { return our_runner(project, builder, file, contract); });
    };
    auto reference = ours(lab.solution()), baseline = ours(lab.baseline());
    Runners runners;
    try {
        const Object object = builder.compile(grading.submission);
        grading.build_message = object.warnings;
        grading.object_was_there = object.was_there;
        grading.seconds.nvcc = object.nvcc_seconds;
        runners.submission = builder.link(grading.submission, object, contract.get());
        grading.built = true;
    } catch (const Failure& failure) {
        if (failure.exit() != Exit::build) throw;
        grading.build_message = failure.what();
    }
    if (grading.built) {
        runners.reference = reference.get();
        runners.baseline = baseline.get();
        const auto check_begin = Clock::now();
        grading.checked = run_checker(project, grading, runners);
        grading.seconds.check = seconds_since(check_begin);
    }
    grading.seconds.all = seconds_since(begin);
    return grading;
}

}  // namespace lab

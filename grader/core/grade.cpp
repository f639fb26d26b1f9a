#include "core/grade.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>
#include <iterator>
#include <random>

#include "base/ended_from_outside.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/build/targets.h"
#include "core/course/release.h"
#include "core/course/skeleton.h"
#include "core/evidence.h"
#include "core/grader_version.h"
#include "protocol/checker_options.h"
#include "sandbox/sandbox.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

/// The checker keeps the total limit itself; this stops only one that hangs. On a busy machine its
/// last steps took more than 10 s.
constexpr std::chrono::seconds kGrace{60};
/// A benchmark times many versions at many sizes, and no verdict waits for it (chosen).
constexpr int kBenchPatience = 10;
/// Gradings that are ended from outside are tried again; then a human has to look (chosen).
constexpr int kMostTries = 3;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::uint64_t new_seed() {
    std::random_device random;
    return std::uniform_int_distribution<std::uint32_t>()(random);
}

struct OurRunner {
    fs::path program;
    fs::path object;  ///< its folder
};

/// Our own solution or baseline as a runner. Any error in it is our fault.
OurRunner our_runner(const Project& project, const Builder& builder, const fs::path& file,
                     const std::shared_future<std::vector<ContractFunction>>& contract) {
    try {
        Submission submission;
        Object object;
        if (const fs::path prebuilt = prebuilt_object(project.root, file);
            !fs::exists(project.root / file) && fs::exists(prebuilt)) {
            object.folder = prebuilt;
        } else {
            submission = read_submission(project.root / file);
            object = builder.compile(submission);
        }
        submission.shown = file.string();
        return {builder.link(submission, object, contract.get()), object.folder};
    } catch (const Failure& failure) {
        if (failure.exit() == Exit::own_fault) throw;
        throw own_fault(
            fmt::format("The course's own {} cannot be used.\n{}", file.string(), failure.what()));
    }
}

/// All our programs that the cases need, without the submission's.
Runners our_runners(const Project& project, const Builder& builder, const Lab& lab,
                    const GradeRequest& request,
                    const std::shared_future<std::vector<ContractFunction>>& contract) {
    Runners runners;
    if (request.cases == Cases::pictures) return runners;  // pictures show the submission alone
    const auto runner = [&](const fs::path& file) {
        return our_runner(project, builder, file, contract);
    };
    auto reference = std::async(std::launch::async, runner, lab.solution());
    if (request.with_baseline) runners.baseline = runner(lab.baseline()).program;
    if (request.cases == Cases::benches) {
        if (has_program(project, lab.expert())) runners.expert = runner(lab.expert()).program;
        for (const fs::path& file : lab.bench_others())
            runners.others.push_back({file.stem().string(), runner(file).program});
    }
    const OurRunner judged_against = reference.get();
    runners.reference = judged_against.program;
    runners.reference_object = judged_against.object;
    return runners;
}

CheckerOptions options_for(const Project& project, const Grading& about, const Runners& runners,
                           const Limits& limits) {
    CheckerOptions options;
    options.submission = runners.submission;
    options.reference = runners.reference;
    options.baseline = runners.baseline;
    options.device = about.device.kind;
    options.seed = std::stoull(about.seed);
    options.results = kResultsDescriptor;
    options.total_limit = std::chrono::seconds(limits.total_s);
    options.call_limit = std::chrono::seconds(limits.call_s);
    options.source = {about.submission.shown, runners.source};
    options.source_text = runners.source_text;
    options.test = about.only_tests;
    if (about.speed_tests)
        options.speed_tests.emplace(about.speed_tests->begin(), about.speed_tests->end());
    if (options.on_vgpu()) {
        options.vgpu_device = project.binary("vgpu-device");
        options.vgpu_warp_instructions = static_cast<std::uint64_t>(limits.vgpu_warp_instructions);
    } else {
        options.gpu_lock = gpu_lock_file();
        if (about.cases == Cases::tests) options.sanitizer = find_sanitizer(project);
    }
    options.cases = about.cases;
    options.steps = about.steps;
    options.profile = about.profile;
    if (about.cases != Cases::tests) {
        options.tables = about.tables;
        options.expert = runners.expert;
        options.others = runners.others;
    }
    return options;
}

}  // namespace

Checked run_checker(const Project& project, const Grading& about, const Runners& runners) {
    Limits limits = about.lab.limits;
    if (about.cases == Cases::benches) limits.total_s *= kBenchPatience;
    Command checker;
    checker.argv = {project.binary("grader-" + about.lab.name).string()};
    std::ranges::move(command_line(options_for(project, about, runners, limits)),
                      std::back_inserter(checker.argv));
    // Arrays of hundreds of megabytes come fast only in pages of 2 MB (glibc, on Linux).
    if (about.device.kind == DeviceKind::gpu)
        checker.environment = {"GLIBC_TUNABLES=glibc.malloc.hugetlb=1"};
    checker.with_results = true;
    checker.time_limit = kWaitsForOthers * (std::chrono::seconds(limits.total_s) + kGrace);

    const Finished finished = run(checker);
    if (const int signal = signal_from_outside(finished.exit_code);
        !finished.timed_out && signal != 0)
        throw Interrupted("The checker " + ended_from_outside(signal));
    const auto in_full = [&](const std::string& what) {
        return fmt::format(
            "{}\nThis is a fault of the grader, not of your file. {} ended with code {}{}{}", what,
            checker.argv.front(), finished.exit_code,
            finished.err.empty() ? " and said nothing." : " and said:\n", finished.err);
    };
    // It crashed: perhaps on this submission, perhaps for lack of memory.
    if (finished.exit_code > 128 && !finished.timed_out)
        throw Interrupted(in_full("The checker failed."));
    Checked checked;
    try {
        if (finished.timed_out)
            throw own_fault(
                fmt::format("The checker did not keep its own limit of {} s.", limits.total_s));
        if (finished.exit_code != 0) throw own_fault("The checker failed.");
        checked = read_checker_lines(finished.results);
    } catch (const Failure& failure) {
        throw own_fault(in_full(failure.what()));
    }
    if (checked.reason == kInfra) throw Interrupted(checked.message);
    return checked;
}

void prepare(const Project& project, const Lab& lab, const Device& device) {
    const Builder builder(project, lab, device);
    ensure_targets(project, builder.targets());
    std::promise<std::vector<ContractFunction>> contract;
    contract.set_value(contract_of(project, lab));
    our_runners(project, builder, lab, GradeRequest{}, contract.get_future().share());
}

namespace {

/// One try. The request has a seed.
Grading grade_once(const Project& project, const Lab& lab, const Device& device,
                   const GradeRequest& request) {
    const auto begin = Clock::now();
    Grading grading;
    grading.lab = lab;
    grading.submission = read_submission(request.file);
    grading.device = device;
    grading.seed = std::to_string(*request.seed);
    grading.only_tests = request.only_tests;
    grading.speed_tests = request.speed_tests;
    grading.cases = request.cases;
    grading.tables = request.tables;
    grading.steps = request.steps;
    grading.profile = request.profile;
    grading.time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    const std::string skeleton = skeleton_of(project, lab);
    grading.untouched = grading.submission.text == skeleton;
    grading.tasks = task_states(skeleton, grading.submission.text);
    if (lab.whole)
        for (TaskState& task : grading.tasks) task.begun = true;

    const Builder builder(project, lab, device);
    grading.toolkit = builder.nvcc_version();

    // nvcc needs a second or more; everything else happens meanwhile. Reference and baseline are
    // cached after the first time.
    std::shared_future contract = std::async(std::launch::async, [&] {
                                      if (request.builds)
                                          ensure_targets(project, builder.targets());
                                      return contract_of(project, lab);
                                  }).share();
    auto ours = std::async(std::launch::async,
                           [&] { return our_runners(project, builder, lab, request, contract); });
    auto graders_sources =
        std::async(std::launch::async, [&] { return grader_source_hash(project, lab); });
    Runners runners;
    try {
        const Object object = builder.compile(grading.submission);
        runners.source = object.source;
        runners.submission_object = object.folder;
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
        const Runners submitted = std::move(runners);
        runners = ours.get();
        runners.submission = submitted.submission;
        runners.source = submitted.source;
        runners.submission_object = submitted.submission_object;
        const auto check_begin = Clock::now();
        grading.checked = run_checker(project, grading, runners);
        grading.seconds.check = seconds_since(check_begin);
        if (request.cases == Cases::tests)
            grading.evidence = evidence_of(graders_sources.get(), runners);
    }
    grading.seconds.all = seconds_since(begin);
    if (!request.evidence.empty()) keep_evidence(request.evidence, grading, runners);
    return grading;
}

Interrupted needs_a_human(const Interrupted& last) {
    return Interrupted(fmt::format(
        "{}\nThat happened {} times, so nothing was graded. This is no verdict on your file and "
        "costs no points.\nTry again later. If it happens again, ask whoever runs this machine.",
        last.what(), kMostTries));
}

}  // namespace

Grading grade(const Project& project, const Lab& lab, const Device& device,
              const GradeRequest& request) {
    GradeRequest same = request;
    if (!same.seed) same.seed = new_seed();
    for (int tries = 1;; ++tries) {
        try {
            return grade_once(project, lab, device, same);
        } catch (const Interrupted& failure) {
            if (tries == kMostTries) throw needs_a_human(failure);
        }
    }
}

}  // namespace lab

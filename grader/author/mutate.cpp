#include "author/mutate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "base/failure.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/process.h"
#include "core/build/build.h"
#include "core/build/targets.h"
#include "core/grade.h"

namespace lab {
namespace {

std::vector<Mutant> chosen(std::vector<Mutant> all, const MutateOptions& options) {
    std::erase_if(all, [&](const Mutant& mutant) {
        return label_of(mutant).find(options.only) == std::string::npos;
    });
    return options.limit == 0 ? all : sample_of(std::move(all), options.limit);
}

/// The virtual GPU stopped a kernel, or a call took too long. (check/explain_lost.cpp has the
/// words.)
bool is_at_limit(const TestResult& test) {
    return test.finding == "instruction_limit" || test.what.starts_with("did not finish within ");
}

class MutantGrader {
public:
    MutantGrader(const Project& project, const Lab& lab, const Device& device, std::uint64_t seed)
        : project_(project),
          lab_(lab),
          device_(device),
          seed_(seed),
          builder_(project, lab, device),
          solution_(read_file(project.root / lab.solution())) {}

    /// Builds what all gradings share. Throws Failure when the solution is rejected.
    void prepare() {
        ensure_targets(project_, builder_.targets());
        const Grading grading = graded(project_.root / lab_.solution(), std::nullopt);
        if (grading.exit() != Exit::full_marks)
            throw own_fault(fmt::format("{} gets {} of {}. Correct it first:  ./lab dev check {}",
                                        lab_.solution().string(), grading.points(),
                                        grading.max_points(), lab_.number()));
        solution_object_ = object_of(solution_);
    }

    MutantResult result_of(const Mutant& mutant) const {
        const auto begin = std::chrono::steady_clock::now();
        MutantResult result;
        result.mutant = mutant;
        result.diff = diff_of(solution_, mutant);
        try {
            grade_mutant(mutant, result);
        } catch (const std::exception& error) {
            result.outcome = MutantOutcome::fault;
            result.why = error.what();
        }
        result.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return result;
    }

    const std::string& solution() const { return solution_; }

private:
    Grading graded(const fs::path& file,
                   std::optional<std::vector<std::string>> speed_tests) const {
        GradeRequest request;
        request.builds = false;
        request.file = file;
        request.seed = seed_;
        request.speed_tests = std::move(speed_tests);
        request.with_baseline = false;
        return grade(project_, lab_, device_, request);
    }

    void grade_mutant(const Mutant& mutant, MutantResult& result) const {
        const fs::path folder = project_.build / "author" / lab_.name / "mutants" /
                                sha256(mutant.program).substr(0, 16);
        const fs::path file = folder / lab_.file().filename();
        write_atomically(file, mutant.program);
        // Speed tests take a third of a grading: only for those that all others let pass.
        judge(graded(file, std::vector<std::string>{}), result);
        if (result.outcome == MutantOutcome::survived) {
            const Grading whole = graded(file, std::nullopt);
            judge(whole, result);
            if (result.outcome == MutantOutcome::survived && whole.exit() != Exit::full_marks)
                throw own_fault(fmt::format("no test failed, but it gets {} of {}", whole.points(),
                                            whole.max_points()));
        }
        std::error_code stays;
        fs::remove_all(folder, stays);
        if (result.outcome != MutantOutcome::survived) return;
        const auto object = object_of(mutant.program);
        if (object && object == solution_object_) result.outcome = MutantOutcome::same_program;
    }

    /// Hash of what nvcc makes of a program, without lines and names of files; nothing when a tool
    /// fails.
    std::optional<std::string> object_of(const std::string& program) const {
        const TemporaryFolder folder;
        const std::string name = lab_.file().filename().string();
        write_atomically(folder.path() / name, program);
        const auto succeeds = [&](std::vector<std::string> argv) {
            Command command;
            command.argv = std::move(argv);
            command.working_folder = folder.path();
            command.time_limit = std::chrono::minutes(2);
            return run(command).ok();
        };
        std::vector<std::string> nvcc = builder_.nvcc_arguments();
        std::erase(nvcc, "-lineinfo");
        nvcc.insert(nvcc.begin(), project_.tools.nvcc);
        nvcc.insert(nvcc.end(), {"-Xcompiler", "-g0", name, "-o", "object.o"});
        if (!succeeds(nvcc) ||
            !succeeds({"objcopy", "--strip-unneeded", "--remove-section=.comment", "object.o"}))
            return std::nullopt;
        return sha256(read_file(folder.path() / "object.o"));
    }

    const Project& project_;
    const Lab& lab_;
    const Device& device_;
    std::uint64_t seed_;
    Builder builder_;
    std::string solution_;
    std::optional<std::string> solution_object_;
};

}  // namespace

const char* to_string(MutantOutcome outcome) {
    switch (outcome) {
        case MutantOutcome::killed:
            return "killed";
        case MutantOutcome::stopped:
            return "stopped";
        case MutantOutcome::survived:
            return "survived";
        case MutantOutcome::same_program:
            return "same_program";
        case MutantOutcome::inconclusive:
            return "inconclusive";
        case MutantOutcome::not_compiled:
            return "not_compiled";
        case MutantOutcome::fault:
            return "fault";
    }
    return "";
}

std::vector<MutantOutcome> all_outcomes() {
    using enum MutantOutcome;
    return {killed, stopped, survived, same_program, inconclusive, not_compiled, fault};
}

void judge(const Grading& grading, MutantResult& result) {
    result.outcome = MutantOutcome::survived;
    if (!grading.built) {
        result.outcome = MutantOutcome::not_compiled;
        result.why = grading.build_message;
        return;
    }
    const auto decide = [&](MutantOutcome outcome, const TestResult& test) {
        result.outcome = outcome;
        result.test = test.name;
        result.why = test.message;
    };
    const Checked& checked = grading.checked;
    for (const TestResult& test : checked.tests) {
        if (test.verdict == Verdict::fail && !is_at_limit(test))
            return decide(MutantOutcome::killed, test);
    }
    for (const TestResult& test : checked.tests) {
        if (test.verdict == Verdict::fail) return decide(MutantOutcome::stopped, test);
    }
    if (!checked.reason.empty()) {
        result.outcome =
            checked.reason == "time limit" ? MutantOutcome::stopped : MutantOutcome::killed;
        result.why = checked.reason + ": " + checked.message;
        return;
    }
    for (const TestResult& test : checked.tests) {
        if (test.verdict == Verdict::inconclusive) return decide(MutantOutcome::inconclusive, test);
    }
}

std::string label_of(const Mutant& mutant) {
    return fmt::format("{}: {}", mutant.line, change_of(mutant));
}

void mutate_lab(const Project& project, const Lab& lab, const Device& device,
                const MutateOptions& options,
                const std::function<void(const MutantResult&)>& report) {
    MutantGrader grader(project, lab, device, options.seed);
    const std::vector<Mutant> mutants = chosen(mutants_of(grader.solution()), options);
    if (mutants.empty()) return;
    grader.prepare();
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned at_once = options.jobs > 0                 ? options.jobs
                             : device.kind == DeviceKind::gpu ? 1
                                                              : 2 * cores;
    std::mutex one_at_a_time;
    for_each_parallel(mutants.size(), at_once, [&](std::size_t i) {
        const MutantResult result = grader.result_of(mutants[i]);
        const std::lock_guard lock(one_at_a_time);
        report(result);
    });
}

}  // namespace lab

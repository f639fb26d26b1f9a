// lab profile: what limits a kernel, by the virtual GPU's counts and model: of a lab's function, or
// of any program that ./lab nvcc built.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "base/descriptor.h"
#include "cli/figures.h"
#include "cli/profile/profiled_grading.h"
#include "cli/vgpu/prepared_run.h"
#include "profiler/profile_json.h"
#include "profiler/profile_text.h"
#include "report/screen.h"
#include "report/vgpu_text.h"
#include "vgpu/gpu.h"

namespace lab::cli {
namespace {

struct ProfileOptions {
    std::vector<std::string> words;  ///< a lab and perhaps a function; or a program and arguments
    std::string file, kernel;
    std::string gpu = vgpu::model::h200().key;
    bool details = false;
};

void show(Session& session, const Profile& profile, const vgpu::model::Gpu& gpu,
          const ProfileOptions& options, const std::string& next) {
    const TextCanvas canvas = text_canvas(session.style());
    session.say_painted(options.details
                            ? profile_details(profile, gpu, session.style(), canvas)
                            : profile_screen(profile, gpu, session.style()) + "\n" + next);
    for (const KernelProfile& kernel : profile.kernels)
        session.line(profile_json(profile.title, kernel, gpu));
}

/// Throws Failure (usage) if none is left.
void choose_kernels(std::vector<KernelProfile>& kernels, const std::string& name) {
    std::vector<std::string> names;
    for (const KernelProfile& kernel : kernels) names.push_back(kernel.short_name());
    std::erase_if(kernels, [&](const KernelProfile& kernel) {
        return kernel.kernel.find(name) == std::string::npos;
    });
    if (kernels.empty())
        throw usage_failure(fmt::format("No kernel has \"{}\" in its name. There are: {}.", name,
                                        fmt::join(names, ", ")));
}

/// While it lives, what is written to stdout goes to stderr.
class StdoutToStderr {
public:
    StdoutToStderr() : kept_(dup(STDOUT_FILENO)) { dup2(STDERR_FILENO, STDOUT_FILENO); }
    ~StdoutToStderr() { dup2(kept_.get(), STDOUT_FILENO); }
    StdoutToStderr(const StdoutToStderr&) = delete;
    StdoutToStderr& operator=(const StdoutToStderr&) = delete;

private:
    Descriptor kept_;
};

VgpuEnd run_program(const VgpuRun& how, bool json,
                    const std::function<void(std::string_view)>& record) {
    // stdout is for JSON alone then.
    std::optional<StdoutToStderr> aside;
    if (json) aside.emplace();
    return run_on_vgpu(how, record);
}

void profile_program(Session& session, const ProfileOptions& options) {
    const vgpu::model::Gpu& gpu = *vgpu::model::profile(options.gpu);
    VgpuRun how = prepared_run(session.project(), options.words);
    const fs::path nvcc = fs::weakly_canonical(session.project().tools.nvcc);
    how.device_arguments = {"--ptxas", (nvcc.parent_path() / "ptxas").string(), "--profile",
                            "--gpu=" + options.gpu};
    setenv("VGPU_GPU", options.gpu.c_str(), 1);
    Profile profile{fs::path(options.words.front()).filename().string(), "", {}};
    if (!gpu.is_measured) profile.note = "Its rates are published ones, not measured.";
    VgpuReport report;
    std::uint64_t left_out = 0;
    const VgpuEnd end = run_program(how, session.json(), [&](std::string_view line) {
        const auto record = nlohmann::json::parse(line, nullptr, false);
        if (auto launch = kernel_profile(record, gpu)) add_launch(profile.kernels, *launch);
        left_out += unprofiled_launches(record);
        report.add(record);
    });
    if (end.start_error != 0) throw cannot_start(options.words.front(), end.start_error);
    session.note(report.text(end, false));
    session.exit = static_cast<Exit>(end.exit_code);
    if (profile.kernels.empty())
        throw usage_failure("Nothing to profile: the program launched no kernel.");
    if (left_out > 0)
        profile.note += fmt::format("{}The last {} launches are left out.",
                                    profile.note.empty() ? "" : " ", left_out);
    sort_by_time(profile.kernels);
    choose_kernels(profile.kernels, options.kernel);
    show(session, profile, gpu, options,
         options.details ? ""
                         : "Next:  ./lab profile --details ...     all sections, the roofline\n");
}

/// The call to show: of the function that is named; else of the first speed test that fails, of the
/// last speed test, or of the last function.
const ProfiledCall& chosen_call(const std::vector<ProfiledCall>& calls, const Grading& grading,
                                const std::string& name) {
    if (!name.empty()) {
        const auto named = std::ranges::find_if(calls, [&](const ProfiledCall& call) {
            return call.function.find(name) != std::string::npos ||
                   call.test.find(name) != std::string::npos;
        });
        if (named != calls.end()) return *named;
        std::vector<std::string> names;
        for (const ProfiledCall& call : calls) names.push_back(call.function);
        throw usage_failure(
            fmt::format("No function or test with \"{}\" in its name ran. There are: {}.", name,
                        fmt::join(names, ", ")));
    }
    for (const TestResult& test : grading.checked.tests)
        if (test.speed && test.verdict == Verdict::fail)
            for (const ProfiledCall& call : calls)
                if (call.test == test.name) return call;
    const auto judged = std::ranges::find_if(
        calls.rbegin(), calls.rend(), [](const auto& call) { return !call.reference.empty(); });
    return judged == calls.rend() ? calls.back() : *judged;
}

std::string note_of(const ProfiledCall& call) {
    if (call.times <= 1) return "";
    return fmt::format("Both are for {:.0f} times the call's data, as in the speed test.",
                       call.times);
}

void profile_lab(Session& session, const Lab& lab, const ProfileOptions& options) {
    const vgpu::model::Gpu& gpu = vgpu::model::h200();
    const Profiled profiled = profiled_grading(session, lab, options.file);
    if (!profiled.grading.built) {
        session.say_painted(
            grading_screen(profiled.grading, "./lab grade " + lab.number(), session.style()));
        session.exit = profiled.grading.exit();
        return;
    }
    if (profiled.grading.untouched)
        throw usage_failure(
            fmt::format("You haven't changed {} yet, so there is nothing to profile. Start there.",
                        profiled.grading.submission.shown));
    std::vector<ProfiledCall> calls = profiled.calls;
    std::erase_if(calls, [](const ProfiledCall& call) { return call.submission.empty(); });
    if (calls.empty())
        throw usage_failure(
            fmt::format("No call of your code launched a kernel and came back, so there is nothing "
                        "to profile.\nSee why:  ./lab grade {}",
                        lab.number()));
    const std::string function = options.words.size() > 1 ? options.words[1] : "";
    const ProfiledCall& call = chosen_call(calls, profiled.grading, function);
    Profile profile{fmt::format("Lab {}  {}", lab.number(), call.call), note_of(call),
                    call.submission};
    choose_kernels(profile.kernels, options.kernel);
    std::vector<std::string> others;
    for (const ProfiledCall& other : calls)
        if (other.function != call.function) others.push_back(other.function);
    std::string next =
        fmt::format("Next:  ./lab profile {} {} --details\n", lab.number(), call.function);
    if (!others.empty())
        next += wrapped(fmt::format("Other functions: {}", fmt::join(others, ", ")), 0,
                        session.style().width);
    show(session, profile, gpu, options, next);
}

bool is_program(const std::string& word) {
    return word.find('/') != std::string::npos;
}

void profile(Session& session, const ProfileOptions& options) {
    if (!options.words.empty() && is_program(options.words.front())) {
        if (!options.file.empty()) throw usage_failure("--file is for labs.");
        return profile_program(session, options);
    }
    if (options.gpu != vgpu::model::h200().key)
        throw usage_failure(
            "--gpu is for programs: labs are always judged as on an H200, where their thresholds "
            "were set.");
    if (options.words.size() > 2)
        throw usage_failure(
            "A lab takes one word more, a function or a test; a program needs a "
            "path: ./lab profile ./program");
    profile_lab(session, session.lab_or_last(options.words.empty() ? "" : options.words.front()),
                options);
}

}  // namespace

void add_profile(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "profile", "What limits a kernel, of a lab or any program, and what to change");
    command->footer(
        "    ./lab profile 05 matmul_tiled        a lab's function\n"
        "    ./lab nvcc sum.cu -o sum && ./lab profile ./sum 1000\n"
        "Sections are named as in Nsight Compute. Counts are exact for the PTX that ran; times "
        "are\n"
        "modelled, and no GPU or permission is needed.");
    const auto options = std::make_shared<ProfileOptions>();
    command->add_option("LAB", options->words,
                        "Which lab, and a function or test; or a program's path and its arguments, "
                        "after --");
    command->add_flag("--details", options->details, "All sections and the roofline");
    command->add_option("--kernel", options->kernel, "Only kernels with this in their name")
        ->type_name("NAME");
    command->add_option("--file", options->file, "Take this file instead of the lab's own");
    std::vector<std::string> gpus;
    for (const auto& gpu : vgpu::model::profiles()) gpus.emplace_back(gpu.key);
    command
        ->add_option("--gpu", options->gpu,
                     "Of a program: the GPU that is modelled, h200 unless given")
        ->check(CLI::IsMember(gpus))
        ->type_name("NAME");
    session.add_json(*command);
    command->callback([&session, options] { profile(session, *options); });
}

}  // namespace lab::cli

// The first half of Builder: nvcc on the submission.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/ended_from_outside.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/build/boxed_tool.h"
#include "core/build/build.h"
#include "nvcc/errors.h"

namespace lab {
namespace {

// Memory of each program that nvcc starts (chosen; files that include Thrust take 1 to 2 GiB).
constexpr std::uint64_t kMostCompileMemory = 8ull << 30;

// The virtual GPU runs PTX. nvcc's own headers make plainer PTX for an older target, so try that
// first; functions of newer GPUs (__reduce_min_sync) are declared only for those.
constexpr const char* kVgpuTarget = "arch=compute_75,code=compute_75";
constexpr const char* kVgpuNewTarget = "arch=compute_90,code=compute_90";

// Thrust takes device lambdas only with this flag of nvcc. The flag costs every submission half as
// much time again, and few need it: nvcc says when it wants it.
constexpr const char* kLambdaFlag = "--extended-lambda";

/// Do nvcc's errors suggest that a newer target would help?
bool may_be_new(const std::string& errors) {
    return errors.find("identifier \"__") != std::string::npos ||
           errors.find("static assertion failed") != std::string::npos ||
           errors.find("sm_") != std::string::npos || errors.find("SM_") != std::string::npos ||
           errors.find("no member \"") != std::string::npos ||
           errors.find("incomplete type") != std::string::npos;
}
// Chosen: the results of `dev check` for all labs did not fit into 512 MiB, and a cache that is a
// little smaller than a cyclic sequence of uses never hits.
constexpr std::uintmax_t kCacheLimitBytes = 1024u << 20;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    if (from.empty() || from == to) return;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

/// nvcc's messages for the student: the path as typed, the first error explained.
std::string explained(std::string output, const fs::path& source, const Submission& submission) {
    replace_all(output, source.string(), submission.shown);
    return explain_nvcc(output, submission.text, submission.shown);
}

}  // namespace

std::vector<std::string> Builder::nvcc_arguments() const {
    // Kernels take std::min only with this flag, and no submission shall fail for lack of a flag.
    // Unique symbols (of std::make_shared, and so of std::async) stay global despite objcopy, and
    // meet the runner's own. -g1: shows the lines that allocate memory.
    std::vector<std::string> arguments = {"-std=c++17", "--expt-relaxed-constexpr",
                                          "-lineinfo",  "-O3",
                                          "-Xcompiler", "-fno-gnu-unique",
                                          "-Xcompiler", "-g1",
                                          "-I",         (project_.root / "grader").string(),
                                          "-I",         (project_.root / lab_.folder()).string(),
                                          "-c"};
#if defined(__aarch64__)
    // As on x86, where host code rounds a product before it adds.
    arguments.insert(arguments.end(), {"-Xcompiler", "-ffp-contract=off"});
#endif
    if (kind_ == DeviceKind::vgpu) {
        arguments.insert(arguments.end(), {"-gencode", kVgpuTarget});
    } else {
        arguments.push_back("-arch=" + architecture_);  // its own code, and PTX
    }
    return arguments;
}

fs::path Builder::source_of(const Submission& submission) const {
    const std::string name = lab_.topic + ".cu";
    const Cache::Entry entry = cache_.get(
        "source 1\n" + name + "\n" + submission.text,
        [&](const fs::path& folder) { write_atomically(folder / name, submission.text); });
    return entry.folder / name;
}

Object Builder::compile(const Submission& submission) const {
    const fs::path source = source_of(submission);
    std::string ingredients = "object 2\n" + nvcc_version() + "\n" + project_.tools.nvcc + "\n";
    for (const std::string& argument : nvcc_arguments()) ingredients += argument + "\n";
    ingredients += source.string() + "\n";
    if (lab_.needs_assembler) ingredients += "needs 1\n";
    // The compiler sees these headers and the toolkit's, and no others.
    for (const fs::path& header : contract_headers()) ingredients += read_file(header);
    // Without namespaces .incbin can reach more, so builds with namespaces must not share such an
    // object.
    ingredients += isolation().name();

    Object object;
    const auto begin = std::chrono::steady_clock::now();
    const Cache::Entry entry = cache_.get(
        ingredients, [&](const fs::path& folder) { run_nvcc(submission, source, folder); });
    object.folder = entry.folder;
    object.source = source;
    object.was_there = entry.was_there;
    if (!entry.was_there) {
        object.nvcc_seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        cache_.prune(kCacheLimitBytes);
    }
    object.warnings = explained(read_file(entry.folder / "warnings"), source, submission);
    return object;
}

void Builder::run_nvcc(const Submission& submission, const fs::path& source,
                       const fs::path& folder) const {
    BoxedTool nvcc;
    nvcc.argv = {project_.tools.nvcc};
    std::ranges::copy(nvcc_arguments(), std::back_inserter(nvcc.argv));
    // __FILE__ without the folder, which is ours.
    const std::string ours = source.parent_path().string() + "/";
    if (ours.find_first_of(", \\\"'=") == std::string::npos)
        nvcc.argv.insert(nvcc.argv.end(), {"-Xcompiler", "-fmacro-prefix-map=" + ours + "="});
    nvcc.argv.insert(nvcc.argv.end(), {source.string(), "-o", (folder / "object.o").string(),
                                       "-MMD", "-MF", (folder / "read").string()});
    // Keeps all that it makes on the way, the PTX among them.
    const fs::path kept = folder / "kept";
    if (lab_.needs_assembler) {
        fs::create_directory(kept);
        nvcc.argv.insert(nvcc.argv.end(), {"--keep", "--keep-dir", kept.string()});
    }
    nvcc.readable = contract_headers();
    nvcc.readable.push_back(source);
    if (const fs::path local = project_.root / ".toolchain"; fs::exists(local))
        nvcc.readable.push_back(local);
    nvcc.writable = {folder};
    nvcc.memory_bytes = kMostCompileMemory;
    ConfinedResult result = run_boxed(nvcc);
    if (result.exit_code != 0 && result.output.find(kLambdaFlag) != std::string::npos) {
        nvcc.argv.insert(nvcc.argv.begin() + 1, kLambdaFlag);
        result = run_boxed(nvcc);
    }
    if (const auto target = std::ranges::find(nvcc.argv, kVgpuTarget);
        target != nvcc.argv.end() && result.exit_code != 0 && may_be_new(result.output)) {
        *target = kVgpuNewTarget;
        ConfinedResult again = run_boxed(nvcc);
        if (!again.timed_out && again.exit_code == 0) result = std::move(again);
    }
    const std::string one_file =
        fmt::format("A submission is one file: it can include \"{}\", CUDA's headers and C++'s.\n",
                    lab_.contract().filename().string());

    if (const int signal = signal_from_outside(result); !result.timed_out && signal != 0)
        throw Interrupted("nvcc " + ended_from_outside(signal));
    if (result.stalled)
        throw build_failure(fmt::format(
            "nvcc waited for a minute on {} without computing anything.\nDoes it include "
            "something that is no file, a pipe or a terminal?",
            submission.shown));
    if (ran_out_of_time(result))
        throw build_failure(fmt::format(
            "nvcc did not finish {} within {} s.\nLook for templates or constexpr functions that "
            "call themselves without an end, and for very large arrays with initialisers.",
            submission.shown, kToolLimit.count()));
    if (made_too_much(result, project_.build))
        throw build_failure(fmt::format(
            "nvcc made more than {} MB of {}.\nLook for very large arrays with initialisers, and "
            "for macros and templates that multiply.",
            SandboxLimits{}.file_bytes >> 20, submission.shown));
    if (ran_out_of_memory(result))
        throw build_failure(fmt::format(
            "nvcc asked for more than {:.1f} GB of memory for {}.\nLook for macros, templates and "
            "includes that multiply, and for very large arrays with initialisers.",
            1e-9 * static_cast<double>(half_of_memory(kMostCompileMemory)), submission.shown));
    if (result.exit_code != 0) {
        const std::string fix = disk_trouble(result.output, project_.build);
        // A submission can make nvcc print anything (#error), but not have it both ways.
        const bool said_by_submission = !disk_trouble(submission.text, project_.build).empty();
        if (!fix.empty() && !said_by_submission)
            throw own_fault("The submission could not be compiled. " + fix + "\n" + result.output);
        // Messages of the sandbox or about nvcc's command line are not about the submission: its
        // own errors begin with its path.
        if (("\n" + result.output).find("\nnvcc fatal") != std::string::npos ||
            result.output.starts_with("bwrap: ") || result.output.starts_with("sandbox-init: "))
            throw own_fault("nvcc could not be run on the submission:\n" + result.output);
        std::string said = explained(result.output, source, submission);
        if (said.empty()) said = fmt::format("nvcc ended with code {}\n", result.exit_code);
        if (said.find("No such file") != std::string::npos) said += one_file;
        throw build_failure(said);
    }
    // The sandbox shows no other files; without namespaces the compiler may have found some.
    std::vector<fs::path> shown = nvcc.readable;
    shown.push_back(fs::weakly_canonical(project_.tools.nvcc).parent_path().parent_path());
    for (const fs::path& file : files_read(read_file(folder / "read"))) {
        const auto inside = [&](const fs::path& readable) {
            return !file.lexically_relative(readable).string().starts_with("..");
        };
        if (!inside("/usr") && std::ranges::none_of(shown, inside))
            throw build_failure(
                fmt::format("{}: error: it includes {}, which is not for submissions\n{}",
                            submission.shown, file.string(), one_file));
    }
    if (lab_.needs_assembler) {
        add_needs(submission, kept / (lab_.topic + ".ptx"), folder / "object.o");
        fs::remove_all(kept);
    }
    write_atomically(folder / "warnings", result.output);
}

std::vector<fs::path> files_read(std::string_view make_rule) {
    std::vector<fs::path> files;
    std::string word;
    make_rule.remove_prefix(std::min(make_rule.size(), make_rule.find(" :") + 2));
    const auto end_word = [&] {
        if (!word.empty()) files.push_back(fs::path(word).lexically_normal());
        word.clear();
    };
    for (std::size_t i = 0; i < make_rule.size(); ++i) {
        const char c = make_rule[i], next = i + 1 < make_rule.size() ? make_rule[i + 1] : '\0';
        if (c == '\\' && next == '\n') {
            end_word();
            ++i;
        } else if (c == '\\' && (next == ' ' || next == '#')) {
            word += next;
            ++i;
        } else if (c == ' ' || c == '\n') {
            end_word();
        } else {
            word += c;
        }
    }
    end_word();
    return files;
}

}  // namespace lab

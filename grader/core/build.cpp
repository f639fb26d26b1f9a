#include "core/build.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "nvcc/errors.h"
#include "protocol/checker_options.h"
#include "protocol/watched_functions.h"
#include "sandbox/sandbox.h"

namespace lab {
namespace {

// CPU time for each program that nvcc starts (chosen; a lab's file takes 1 to 3 s in all).
constexpr std::chrono::seconds kCompileLimit{120};
// Memory of each of them (chosen; files that include Thrust take 1 to 2 GiB).
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
/// Programs that SIGXCPU ends are reported in the system's words, by nvcc or by themselves.
bool ran_out_of_time(const ConfinedResult& result) {
    if (result.exit_code == 0) return false;
    // Endless warnings leave no room for the last line.
    const bool was_long =
        result.output_cut && result.seconds >= static_cast<double>(kCompileLimit.count());
    return was_long || result.exit_code == 128 + SIGXCPU ||
           result.output.find("CPU time limit exceeded") != std::string::npos;
}
/// The signal that ended nvcc, or one of the programs that it starts; 0: none.
int signal_from_outside_to_nvcc(const ConfinedResult& result) {
    if (const int signal = signal_from_outside(result.exit_code); signal != 0) return signal;
    static const std::regex died(R"((?:^|\n)nvcc error *: '[^']*' died due to signal (\d+))");
    std::smatch found;
    if (result.exit_code == 0 || !std::regex_search(result.output, found, died)) return 0;
    return signal_from_outside(128 + std::atoi(found[1].str().c_str()));
}
/// Whether a line begins with words of gcc's or the toolkit's programs. Later in a line they may be
/// the submission's own, quoted by nvcc.
bool ran_out_of_memory(const ConfinedResult& result) {
    const std::string output = "\n" + result.output;
    const auto has_line = [&](const char* start) {
        return output.find(start) != std::string::npos;
    };
    return result.exit_code != 0 &&
           (has_line("\ncc1plus: out of memory allocating") ||
            has_line("\nLLVM ERROR: out of memory") ||
            has_line("\nterminate called after throwing an instance of 'std::bad_alloc'"));
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
std::string explained(std::string output, const Submission& submission) {
    replace_all(output, submission.file.string(), submission.shown);
    return explain_nvcc(output, submission.text, submission.shown);
}

/// One of our own tools on an object that nvcc made.
Finished run_tool(std::vector<std::string> argv) {
    Command command;
    command.argv = std::move(argv);
    command.environment = {"LC_ALL=C.UTF-8"};  // messages are searched below
    command.time_limit = kCompileLimit;
    return run(command);
}

Finished require_tool(std::vector<std::string> argv, const Project& project) {
    Finished finished = run_tool(argv);
    if (finished.ok()) return finished;
    if (finished.exit_code == 127)
        throw own_fault(fmt::format(
            "Cannot start {}. It is part of binutils: install that package.", argv.front()));
    const std::string fix = disk_trouble(finished.err, project.build);
    throw own_fault(fmt::format("{} failed on the compiled submission:\n{}{}", argv.front(),
                                last_lines(finished.err, 20), fix));
}

std::string stamp(const fs::path& file) {
    std::error_code error;
    const auto size_bytes = fs::file_size(file, error);
    if (error)
        throw own_fault(
            fmt::format("{} is missing from the build.\nRun the command again; if that "
                        "does not help, delete the build folder, which ./lab makes "
                        "anew.",
                        file.string()));
    const auto changed = fs::last_write_time(file).time_since_epoch().count();
    return fmt::format("{} {} {}\n", file.string(), size_bytes, changed);
}

}  // namespace

std::vector<ContractFunction> contract_of(const Project& project, const Lab& lab) {
    Command grader;
    grader.argv = {project.binary("grader-" + lab.name).string(), kContractWord};
    grader.time_limit = std::chrono::seconds(20);
    const Finished finished = run(grader);
    const auto json = nlohmann::json::parse(finished.out, nullptr, false);
    std::vector<ContractFunction> contract;
    if (finished.ok() && json.is_array()) {
        for (const auto& function : json)
            contract.push_back({function.at("name"), function.at("signature")});
    }
    if (contract.empty())
        throw own_fault(fmt::format("{} {} names no functions:\n{}{}", grader.argv.front(),
                                    kContractWord, finished.out, finished.err));
    return contract;
}

Builder::Builder(const Project& project, const Lab& lab, const Device& device)
    : project_(project),
      lab_(lab),
      kind_(device.kind),
      architecture_(device.architecture),
      nvcc_version_(lab::nvcc_version(project)),
      cache_(project.build / "cache") {}

std::vector<std::string> Builder::targets() const {
    std::vector<std::string> targets = {"grader-" + lab_.name, "entry-object-" + lab_.name};
    if (kind_ == DeviceKind::vgpu) {
        targets.insert(targets.end(), {"runner_vgpu", "vgpu_cudart", "vgpu-device"});
    } else {
        targets.emplace_back("runner_gpu");
    }
    return targets;
}

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
    if (kind_ == DeviceKind::vgpu) {
        arguments.insert(arguments.end(), {"-gencode", kVgpuTarget});
    } else {
        arguments.push_back("-arch=" + architecture_);  // its own code, and PTX
    }
    return arguments;
}

std::vector<fs::path> Builder::contract_headers() const {
    const fs::path protocol = project_.root / "grader/protocol";
    return {project_.root / lab_.contract(), protocol / "contract.h", protocol / "delay.h"};
}

Object Builder::compile(const Submission& submission) const {
    std::string ingredients = "object 1\n" + nvcc_version_ + "\n" + project_.tools.nvcc + "\n";
    for (const std::string& argument : nvcc_arguments()) ingredients += argument + "\n";
    ingredients += submission.file.string() + "\n" + submission.sha256 + "\n";
    // The compiler sees these headers and the toolkit's, and no others.
    for (const fs::path& header : contract_headers()) ingredients += read_file(header);
    // Without namespaces .incbin can reach more, so builds with namespaces must not share such an
    // object.
    ingredients += isolation().name();

    Object object;
    const auto begin = std::chrono::steady_clock::now();
    const Cache::Entry entry =
        cache_.get(ingredients, [&](const fs::path& folder) { run_nvcc(submission, folder); });
    object.folder = entry.folder;
    object.was_there = entry.was_there;
    if (!entry.was_there) {
        object.nvcc_seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        cache_.prune(kCacheLimitBytes);
    }
    object.warnings = explained(read_file(entry.folder / "warnings"), submission);
    return object;
}

void Builder::run_nvcc(const Submission& submission, const fs::path& folder) const {
    // Resolve links: the sandbox shows folders at their own paths.
    const fs::path nvcc = fs::weakly_canonical(project_.tools.nvcc);
    SandboxSpec spec;
    spec.program = nvcc;
    spec.arguments = nvcc_arguments();
    spec.arguments.insert(spec.arguments.end(),
                          {submission.file.string(), "-o", (folder / "object.o").string(), "-MMD",
                           "-MF", (folder / "read").string()});
    const Environment environment = process_environment();
    spec.environment = {"PATH=" + environment("PATH").value_or("/usr/bin:/bin"), "TMPDIR=/tmp",
                        "LC_ALL=C.UTF-8"};
    spec.readable = contract_headers();
    spec.readable.insert(spec.readable.end(), {submission.file, nvcc.parent_path().parent_path()});
    if (const fs::path local = project_.root / ".toolchain"; fs::exists(local))
        spec.readable.push_back(local);
    spec.writable = {folder};
    spec.system_calls = SystemCalls::all;
    spec.limits.cpu_s = kCompileLimit.count();
    spec.limits.data_bytes = half_of_memory(kMostCompileMemory);
    const auto run_limited = [&] { return run_confined(spec, kWaitsForOthers * kCompileLimit); };
    ConfinedResult result = run_limited();
    if (result.exit_code != 0 && result.output.find(kLambdaFlag) != std::string::npos) {
        spec.arguments.insert(spec.arguments.begin(), kLambdaFlag);
        result = run_limited();
    }
    if (const auto target = std::ranges::find(spec.arguments, kVgpuTarget);
        target != spec.arguments.end() && result.exit_code != 0 && may_be_new(result.output)) {
        *target = kVgpuNewTarget;
        ConfinedResult again = run_limited();
        if (!again.timed_out && again.exit_code == 0) result = std::move(again);
    }
    const std::string one_file =
        fmt::format("A submission is one file: it can include \"{}\", CUDA's headers and C++'s.\n",
                    lab_.contract().filename().string());

    if (const int signal = signal_from_outside_to_nvcc(result); !result.timed_out && signal != 0)
        throw own_fault("nvcc " + ended_from_outside(signal));
    if (result.timed_out || ran_out_of_time(result))
        throw build_failure(fmt::format(
            "nvcc did not finish {} within {} s.\nLook for templates or constexpr functions that "
            "call themselves without an end, and for very large arrays with initialisers.",
            submission.shown, kCompileLimit.count()));
    if (ran_out_of_memory(result))
        throw build_failure(fmt::format(
            "nvcc asked for more than {:.1f} GB of memory for {}.\nLook for macros, templates and "
            "includes that multiply, and for very large arrays with initialisers.",
            1e-9 * static_cast<double>(spec.limits.data_bytes), submission.shown));
    if (result.exit_code != 0) {
        const std::string fix = disk_trouble(result.output, project_.build);
        // A submission can make nvcc print anything (#error), but not have it both ways.
        const bool said_by_submission = !disk_trouble(submission.text, project_.build).empty();
        if (!fix.empty() && !said_by_submission)
            throw own_fault("The submission could not be compiled. " + fix + "\n" + result.output);
        // Messages of the sandbox or about nvcc's command line are not about the submission: its
        // own errors begin with its path.
        if (("\n" + result.output).find("\nnvcc fatal") != std::string::npos ||
            result.output.starts_with("bwrap: "))
            throw own_fault("nvcc could not be run on the submission:\n" + result.output);
        std::string said = explained(result.output, submission);
        if (said.empty()) said = fmt::format("nvcc ended with code {}\n", result.exit_code);
        if (said.find("No such file") != std::string::npos) said += one_file;
        throw build_failure(said);
    }
    // The sandbox shows no other files; without namespaces the compiler may have found some.
    for (const fs::path& file : files_read(read_file(folder / "read"))) {
        const auto inside = [&](const fs::path& shown) {
            return !file.lexically_relative(shown).string().starts_with("..");
        };
        if (!inside("/usr") && std::none_of(spec.readable.begin(), spec.readable.end(), inside))
            throw build_failure(
                fmt::format("{}: error: it includes {}, which is not for submissions\n{}",
                            submission.shown, file.string(), one_file));
    }
    write_atomically(folder / "warnings", result.output);
}

std::vector<fs::path> Builder::link_inputs() const {
    const fs::path lib = project_.build / "lib";
    const bool vgpu = kind_ == DeviceKind::vgpu;
    const fs::path cudart =
        vgpu ? lib / "vgpu/libcudart_static.a" : fs::path(project_.tools.cudart_static);
    if (cudart.empty())
        throw own_fault(
            "The CUDA Toolkit has no libcudart_static.a, which runners for the GPU "
            "need.\nRun ./lab doctor: it says what to install.");
    return {lib / "entry" / (lab_.name + ".o"),
            lib / "runner" / (vgpu ? "librunner_vgpu.a" : "librunner_gpu.a"), cudart};
}

fs::path Builder::link(const Submission& submission, const Object& object,
                       const std::vector<ContractFunction>& contract) const {
    std::string ingredients = "runner 2\n" + object.folder.string() + "\n";
    for (const fs::path& input : link_inputs()) ingredients += stamp(input);
    for (const ContractFunction& function : contract) ingredients += function.signature + "\n";
    const Cache::Entry entry = cache_.get(ingredients, [&](const fs::path& folder) {
        make_runner(submission, object, contract, folder);
    });
    return entry.folder / "runner";
}

void Builder::make_runner(const Submission& submission, const Object& object,
                          const std::vector<ContractFunction>& contract,
                          const fs::path& folder) const {
    const Tools& tools = project_.tools;
    const std::string compiled = (object.folder / "object.o").string();
    const Finished symbols =
        require_tool({tools.nm, "--defined-only", "--format=posix", compiled}, project_);
    if (const auto breach = contract_breach(parse_symbols(symbols.out), contract, submission.shown,
                                            submission.text, lab_.contract().filename().string()))
        throw build_failure(*breach);

    // Merge COMDAT groups that the runner also has before symbols become local: without
    // --force-group-allocation the linker drops the submission's copies and then misses them.
    const std::string grouped = (folder / "grouped.o").string();
    const std::string kept = (folder / "kept.o").string();
    require_tool({tools.linker, "-r", "--force-group-allocation", compiled, "-o", grouped},
                 project_);
    std::vector<std::string> objcopy = {tools.objcopy};
    for (const ContractFunction& function : contract)
        objcopy.push_back("--keep-global-symbol=" + function.name);
    if (kind_ == DeviceKind::gpu)
        for (const char* function : kWatchedFunctions)
            objcopy.push_back(
                fmt::format("--redefine-sym={}={}{}", function, kWatchedPrefix, function));
    objcopy.insert(objcopy.end(), {grouped, kept});
    require_tool(objcopy, project_);

    // Without the plugin, the linker never runs a compiler on a submission's own code.
    std::vector<std::string> link = {tools.host_compiler, "-fno-use-linker-plugin", kept};
    if (!tools.runner_sanitizers.empty()) link.push_back(tools.runner_sanitizers);
    for (const fs::path& input : link_inputs()) link.push_back(input.string());
    link.insert(link.end(), {"-ldl", "-lrt", "-lpthread", "-o", (folder / "runner").string()});
    const Finished linked = run_tool(link);
    fs::remove(grouped);
    fs::remove(kept);
    if (linked.ok()) return;
    if (const auto missing = missing_at_link(linked.err, kind_, submission.shown)) throw *missing;
    const std::string fix = disk_trouble(linked.err, project_.build);
    throw own_fault(
        fmt::format("The runner could not be linked. {}\n{}", fix, last_lines(linked.err, 20)));
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

std::optional<Failure> missing_at_link(std::string_view linker_output, DeviceKind kind,
                                       const std::string& shown) {
    static const std::regex pattern("undefined reference to `([^']+)'");
    std::set<std::string> missing, runtime;
    const std::string text(linker_output);
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
        const std::string name = (*at)[1];
        const bool cuda = name.starts_with("cuda") || name.starts_with("__cuda");
        (kind == DeviceKind::vgpu && cuda ? runtime : missing).insert(name);
    }
    if (!missing.empty()) {
        std::string said;
        for (const std::string& name : missing) {
            // What is only known in kernels has such a name in the host's code.
            const std::string_view of_kernels = "__device_builtin_variable_";
            if (name.starts_with(of_kernels))
                return build_failure(
                    fmt::format("{}: error: {} is used in host code, and only kernels have it\nThe "
                                "host has the "
                                "numbers that it launches the kernel with.\n",
                                shown, name.substr(of_kernels.size())));
            said += fmt::format("{}: error: {} is called, but defined nowhere\n", shown, name);
        }
        return build_failure(said +
                             "Define it in this file; a submission is linked with CUDA's "
                             "runtime and the C++ library only.\n");
    }
    if (runtime.empty()) return std::nullopt;
    std::string said;
    for (const std::string& name : runtime)
        said += fmt::format("{} calls {}, which the virtual GPU does not have yet.\n", shown, name);
    return own_fault(said +
                     "It would be added in grader/vgpu/runtime/. On a GPU the file works as "
                     "it is.");
}

}  // namespace lab

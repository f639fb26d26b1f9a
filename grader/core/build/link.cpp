// The second half of Builder: the contract's functions, and the runner.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/ended_from_outside.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/build/build.h"
#include "core/build/object_tools.h"
#include "protocol/checker_options.h"
#include "protocol/watched_functions.h"

namespace lab {
namespace {

/// Of nm's output (chosen: a file with all of Thrust has 2 MB of names).
constexpr std::size_t kMostSymbolBytes = 16 << 20;

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

std::vector<fs::path> Builder::link_inputs() const {
    const fs::path lib = project_.programs() / "lib";
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
    std::string ingredients = "runner 3\n" + stamp(object.folder / "object.o");
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
    // What is in the folder of the object, and what comes into the runner's.
    const auto run_on_object = [&](std::vector<std::string> argv) {
        BoxedTool tool;
        tool.argv = std::move(argv);
        tool.readable = {object.folder};
        tool.writable = {folder};
        tool.output_limit_bytes = kMostSymbolBytes;
        return require_tool(tool, submission.shown, project_);
    };
    if (lab_.needs_assembler)
        run_on_object({tools.objcopy, "--dump-section",
                       std::string(kNeedsSection) + "=" + needs_beside(folder / "runner").string(),
                       compiled, "/dev/null"});
    const std::string symbols =
        run_on_object({tools.nm, "--defined-only", "--format=posix", compiled});
    if (const auto breach = contract_breach(parse_symbols(symbols), contract, submission.shown,
                                            submission.text, lab_.contract().filename().string()))
        throw build_failure(*breach);

    // Merge COMDAT groups that the runner also has before symbols become local: without
    // --force-group-allocation the linker drops the submission's copies and then misses them.
    const std::string grouped = (folder / "grouped.o").string();
    const std::string kept = (folder / "kept.o").string();
    run_on_object({tools.linker, "-r", "--force-group-allocation", compiled, "-o", grouped});
    std::vector<std::string> objcopy = {tools.objcopy};
    for (const ContractFunction& function : contract)
        objcopy.push_back("--keep-global-symbol=" + function.name);
    if (kind_ == DeviceKind::gpu)
        for (const char* function : kWatchedFunctions)
            objcopy.push_back(
                fmt::format("--redefine-sym={}={}{}", function, kWatchedPrefix, function));
    objcopy.insert(objcopy.end(), {grouped, kept});
    run_on_object(objcopy);

    BoxedTool link;
    // Without the plugin, the linker never runs a compiler on a submission's own code.
    link.argv = {tools.host_compiler, "-fno-use-linker-plugin", kept};
    if (!tools.runner_sanitizers.empty()) link.argv.push_back(tools.runner_sanitizers);
    link.readable = link_inputs();
    for (const fs::path& input : link.readable) link.argv.push_back(input.string());
    link.argv.insert(link.argv.end(),
                     {"-ldl", "-lrt", "-lpthread", "-o", (folder / "runner").string()});
    link.writable = {folder};
    const ConfinedResult linked = run_boxed(link);
    fs::remove(grouped);
    fs::remove(kept);
    if (!linked.timed_out && linked.exit_code == 0) return;
    if (const auto missing = missing_at_link(linked.output, kind_, submission.shown))
        throw *missing;
    throw_tool_failure(link, linked, submission.shown, project_);
}

std::optional<Failure> missing_at_link(std::string_view linker_output, DeviceKind kind,
                                       const std::string& shown) {
    constexpr std::string_view kBegin = "undefined reference to `";
    std::set<std::string> missing, runtime;
    for (std::size_t at = 0; (at = linker_output.find(kBegin, at)) != std::string_view::npos;) {
        at += kBegin.size();
        const std::string name(linker_output.substr(at, linker_output.find('\'', at) - at));
        const bool cuda = name.starts_with("cuda") || name.starts_with("__cuda");
        (kind == DeviceKind::vgpu && cuda ? runtime : missing).insert(name);
    }
    if (!missing.empty()) {
        std::string said;
        for (const std::string& name : missing) {
            // What is only known in kernels has such a name in the host's code.
            constexpr std::string_view kOfKernels = "__device_builtin_variable_";
            if (name.starts_with(kOfKernels))
                return build_failure(
                    fmt::format("{}: error: {} is used in host code, and only kernels have it\nThe "
                                "host has the "
                                "numbers that it launches the kernel with.\n",
                                shown, name.substr(kOfKernels.size())));
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

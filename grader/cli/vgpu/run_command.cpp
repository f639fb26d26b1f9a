// lab vgpu: runs a user's own programs on the virtual GPU.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>

#include "base/files.h"
#include "cli/session.h"
#include "cli/vgpu/elf.h"
#include "cli/vgpu/program.h"
#include "cli/vgpu/run.h"
#include "core/build.h"
#include "core/targets.h"
#include "report/vgpu_lines.h"
#include "report/vgpu_text.h"
#include "step/program_steps.h"
#include "vgpu/gpu.h"
#include "vgpu/record.h"

namespace lab::cli {
namespace {

struct VgpuRunOptions {
    std::vector<std::string> program;
    std::string json_file;
    std::string gpu = vgpu::model::h200().key;
    std::uint64_t device_memory_bytes = 0, seed = 0;  // 0: the device's default
    /// Ten times a grading's: a user's own program may run long, and its author can end it.
    std::uint64_t warp_instruction_limit = 10'000'000'000;
    bool annotate = false, keeps_going = false, all = false;
    std::vector<std::string> annotated_files;  // none: all
    std::uint64_t trace_lines = 0;
    std::string trace_block, trace_kernel, trace_file;
    std::string step_file, step_kernel;
};

/// Our CUDA runtime under NVIDIA's name; the archive for default builds lies next to it.
fs::path runtime_library(const Project& project) {
    return project.build / "lib/vgpu" / project.tools.cudart_shared;
}

/// Stand-ins for other libraries of the toolkit.
fs::path stand_ins(const Project& project) {
    return runtime_library(project).parent_path() / "stand_ins";
}

/// Is it newer than all its sources? Asking the build tool would cost a quarter of a second.
bool is_current(const Project& project, const fs::path& file) {
    std::error_code none;
    const auto made = fs::last_write_time(file, none);
    if (none) return false;
    for (const auto& entry : fs::recursive_directory_iterator(project.root / "grader/vgpu", none)) {
        if (entry.last_write_time(none) > made) return false;
    }
    return true;
}

void ensure_built(Session& session, const fs::path& library) {
    const Project& project = session.project();
    if (is_current(project, library) && is_current(project, project.binary("vgpu-device"))) return;
    ensure_targets(project, {"vgpu-device", "vgpu_cudart", "vgpu_cudart_shared", "vgpu_libraries"});
}

/// A program's file, mapped: some hold hundreds of megabytes of device code.
class MappedFile {
public:
    explicit MappedFile(const fs::path& file) {
        const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
        const off_t size = descriptor < 0 ? -1 : lseek(descriptor, 0, SEEK_END);
        if (size > 0) {
            size_ = static_cast<std::size_t>(size);
            data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
        }
        if (descriptor >= 0) close(descriptor);
    }
    ~MappedFile() {
        if (data_ != MAP_FAILED) munmap(data_, size_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    std::span<const std::byte> bytes() const {
        if (data_ == MAP_FAILED) return {};
        return {static_cast<const std::byte*>(data_), size_};
    }

private:
    void* data_ = MAP_FAILED;
    std::size_t size_ = 0;
};

Failure cannot_start(const std::string& program, int error) {
    std::string hint;
    if (error == ENOENT && program.find('/') == std::string::npos && fs::exists(program))
        hint = fmt::format(" It is in this folder: ./{}", program);
    if (error == EACCES && fs::is_regular_file(program))
        hint = " Is it a program? Compile a .cu file first: ./lab nvcc x.cu -o x";
    return usage_failure(
        fmt::format("Cannot start {}: {}.{}", program, std::strerror(error), hint));
}

std::vector<std::string> device_arguments(const Project& project, const VgpuRunOptions& options) {
    // The assembler lies next to the compiler.
    const fs::path nvcc = fs::weakly_canonical(project.tools.nvcc);
    std::vector<std::string> arguments = {"--ptxas", (nvcc.parent_path() / "ptxas").string(),
                                          "--audit"};
    const auto add = [&](const char* name, std::uint64_t value) {
        if (value == 0) return;
        arguments.emplace_back(name);
        arguments.push_back(std::to_string(value));
    };
    add("--memory-mib", options.device_memory_bytes >> 20);
    add("--seed", options.seed);
    add("--warp-instruction-limit", options.warp_instruction_limit);
    if (options.annotate) arguments.emplace_back("--lines");
    if (options.keeps_going) arguments.emplace_back("--keep-going");
    add("--trace", options.trace_lines);
    const auto add_text = [&](const char* name, const std::string& value) {
        if (!value.empty()) arguments.push_back(fmt::format("{}={}", name, value));
    };
    add_text("--gpu", options.gpu);
    if (!options.step_file.empty()) arguments.push_back("--steps=" + options.step_kernel);
    add_text("--trace-block", options.trace_block);
    add_text("--trace-kernel", options.trace_kernel);
    add_text("--trace-file", options.trace_file);
    return arguments;
}

/// The file that execvp would run.
fs::path file_of(const std::string& program) {
    if (program.find('/') != std::string::npos) return program;
    const std::string path = process_environment()("PATH").value_or("");
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const fs::path file = fs::path(path.substr(begin, end - begin)) / program;
        if (access(file.c_str(), X_OK) == 0) return file;
        begin = end + 1;
    }
    return {};
}

/// A record of the device as `--json` writes it: findings and failed calls with their sentences.
std::string json_line(const nlohmann::json& record, std::string_view line) {
    const auto with_kind = [](const char* kind, const nlohmann::ordered_json& fields) {
        nlohmann::ordered_json made{{"record", kind}};
        made.update(fields);
        return made.dump();
    };
    const std::string kind = record.is_object() ? record.value("record", "") : "";
    if (kind == "finding") {
        if (const auto finding = vgpu::finding_of(record))
            return with_kind("finding", json_of(*finding));
    } else if (kind == "api") {
        if (const auto call = vgpu::failed_call_of(record)) return with_kind("api", json_of(*call));
    }
    return std::string(line);
}

/// Writes the stepper's page, and says where.
void write_steps(Session& session, const ProgramSteps& steps, const VgpuRunOptions& options) {
    const auto page = steps.page(options.program.front());
    if (!page) {
        session.note("Nothing to step through: no kernel was launched" +
                     (options.step_kernel.empty()
                          ? std::string()
                          : fmt::format(" with \"{}\" in its name", options.step_kernel)) +
                     ".\n");
        return;
    }
    write_atomically(options.step_file, stepper_html(session.project(), *page));
    session.note(fmt::format("Step through it: open {} in a browser.\n", options.step_file));
}

void run(Session& session, const VgpuRunOptions& options) {
    require_addresses();
    const auto& program = options.program;
    const fs::path library = runtime_library(session.project());
    const MappedFile file(file_of(program.front()));
    ensure_built(session, library);
    const auto obstacle = vgpu_obstacle(file.bytes(), program.front(), library.filename(),
                                        stand_ins(session.project()));
    if (obstacle) throw usage_failure(*obstacle);

    std::ofstream json;
    if (!options.json_file.empty()) {
        json.open(options.json_file);
        if (!json)
            throw usage_failure(
                fmt::format("Cannot write {}: {}.", options.json_file, std::strerror(errno)));
    }
    setenv("VGPU_GPU", options.gpu.c_str(), 1);
    const auto elf = read_elf(file.bytes());
    VgpuRun how{program, session.project().binary("vgpu-device"),
                device_arguments(session.project(), options), library,
                stand_ins(session.project())};
    if (elf) {
        how.preload = elf->has_rpath;
        const auto& needed = elf->needed;
        how.annotates = std::find(needed.begin(), needed.end(), library.filename()) != needed.end();
    }
    VgpuReport report;
    VgpuLines lines;
    ProgramSteps steps;
    const VgpuEnd end = run_on_vgpu(how, [&](std::string_view line) {
        if (steps.add(line)) return;
        const auto record = nlohmann::json::parse(line, nullptr, false);
        if (json.is_open()) json << json_line(record, line) << '\n';
        report.add(record);
        lines.add(record);
    });
    if (end.start_error != 0) throw cannot_start(program.front(), end.start_error);
    if (options.annotate) session.note(lines.text(options.annotated_files));
    session.note(report.text(end, options.all));
    if (!options.step_file.empty()) write_steps(session, steps, options);
    if (!vgpu::model::profile(options.gpu)->is_measured) {
        session.note(fmt::format(
            "Times are those of {}: from published figures, nothing was measured on one.\n",
            vgpu::model::profile(options.gpu)->name));
    }
    const bool is_our_fault = end.device_was_lost && end.exit_code == 0;
    session.exit = is_our_fault ? Exit::own_fault : static_cast<Exit>(end.exit_code);
}

/// Without a file, `--json -- ./program` would take "--" for its name.
std::string is_file_name(const std::string& text) {
    return text.empty() || text[0] == '-' ? "expected a file's name, not '" + text + "'" : "";
}

/// Options that show more.
void add_views(CLI::App& command, VgpuRunOptions& options) {
    command
        .add_option_function<std::vector<std::string>>(
            "--annotate",
            [&options](const std::vector<std::string>& files) {
                options.annotate = true;
                for (const std::string& file : files)
                    if (!file.empty()) options.annotated_files.push_back(file);
            },
            "Print the source with the counts of each line; only these files, if any")
        ->expected(0, -1)
        ->type_name("[FILE...]");
    constexpr const char* kStepFile = "steps.html";
    CLI::Option* step =
        command
            .add_option("--step", options.step_file,
                        fmt::format("Write a page that steps through a launch, the first with a "
                                    "mistake ({})",
                                    kStepFile))
            ->expected(0, 1)
            ->default_str(kStepFile)
            ->check(is_file_name)
            ->type_name("[=FILE]");
    command
        .add_option("--step-kernel", options.step_kernel,
                    "Step only through kernels with this in their name")
        ->needs(step)
        ->type_name("NAME");
    constexpr const char* kTraceLines = "1000";
    CLI::Option* trace =
        command
            .add_option(
                "--trace", options.trace_lines,
                fmt::format("Write each instruction as it runs, the first N ({})", kTraceLines))
            ->expected(0, 1)
            ->default_str(kTraceLines)
            ->type_name("[=N]");
    command.add_option("--trace-block", options.trace_block, "Trace only this block of each grid")
        ->check([](const std::string& text) {
            const auto is_digit = [](char c) { return c == ',' || (c >= '0' && c <= '9'); };
            return std::all_of(text.begin(), text.end(), is_digit) &&
                           std::count(text.begin(), text.end(), ',') <= 2
                       ? ""
                       : "expected X, X,Y or X,Y,Z, not " + text;
        })
        ->needs(trace)
        ->type_name("X[,Y[,Z]]");
    command
        .add_option("--trace-kernel", options.trace_kernel,
                    "Trace only kernels with this in their name")
        ->needs(trace)
        ->type_name("NAME");
    command.add_option("--trace-file", options.trace_file, "Trace into this file, not on stderr")
        ->needs(trace)
        ->check(is_file_name)
        ->type_name("FILE");
}

}  // namespace

void add_vgpu(CLI::App& app, Session& session) {
    CLI::App* vgpu = app.add_subcommand("vgpu", "Programs of your own on the virtual GPU");
    vgpu->require_subcommand(1);

    CLI::App* command = vgpu->add_subcommand(
        "run", "Run a program that ./lab nvcc built, and say what its kernels do wrong");
    command->footer(
        "    ./lab nvcc vector_add.cu -o vector_add\n"
        "    ./lab vgpu run -- ./vector_add 1000\n"
        "The program keeps its input and output; findings follow on stderr when it has ended.\n"
        "The exit code is the program's, 128 + N when signal N ended it; 2 when it cannot "
        "run\n"
        "here (the message says why), 5 when the virtual GPU itself failed.");
    const auto options = std::make_shared<VgpuRunOptions>();
    command->add_option("PROGRAM", options->program, "The program and its own arguments, after --")
        ->required();
    command
        ->add_option("--json", options->json_file,
                     "Also write all findings, launches and counts to this file, an object a line")
        ->check(is_file_name)
        ->type_name("FILE");
    std::vector<std::string> gpus;
    for (const auto& gpu : vgpu::model::profiles()) gpus.emplace_back(gpu.key);
    command
        ->add_option("--gpu", options->gpu,
                     "The GPU whose limits and modelled times it has, h200 unless given; the "
                     "others are not measured")
        ->check(CLI::IsMember(gpus))
        ->type_name("NAME");
    command
        ->add_option("--seed", options->seed,
                     "Permute the order of blocks and warps, differently for each number")
        ->type_name("N");
    command
        ->add_option("--device-memory", options->device_memory_bytes,
                     "Memory of the virtual GPU, 8G unless given")
        ->transform(CLI::AsSizeValue(false))
        ->check(CLI::Range(std::uint64_t{1} << 20, std::uint64_t{1} << 40))
        ->type_name("SIZE");
    command
        ->add_option(
            "--warp-instruction-limit", options->warp_instruction_limit,
            "End a kernel that has executed this many (10 billion): it seems to have no end")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    command->add_flag("--keep-going", options->keeps_going,
                      "After a kernel that a bad access stopped, go on as if it had ended, to see "
                      "the mistakes of later ones, too");
    command->add_flag("--all", options->all, "Show each place of a mistake in full");
    add_views(*command, *options);
    command->positionals_at_end();
    command->callback([&session, options] { run(session, *options); });

    CLI::App* flags = vgpu->add_subcommand(
        "flags", "What nvcc needs to link a program with the virtual GPU's runtime by default");
    flags->footer("    nvcc -lineinfo vector_add.cu -o vector_add $(./lab vgpu flags)");
    flags->callback([&session] {
        const fs::path library = runtime_library(session.project());
        ensure_built(session, library);
        session.say(fmt::format("-L{}\n", shell_word(library.parent_path().string())));
    });
}

}  // namespace lab::cli

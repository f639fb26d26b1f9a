// lab dev bench, lab dev bench-vgpu: measure how fast the tool is.
//
// The first compares a student's wait, from saving a file to the verdict, with nvcc's own time for
// the same file. One run measures both in turn, so that a busy machine slows down both.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <sstream>
#include <vector>

#include "base/files.h"
#include "base/median.h"
#include "base/process.h"
#include "cli/session.h"
#include "core/build/build.h"
#include "core/build/targets.h"

namespace lab::cli {
namespace {

struct DevBenchOptions {
    std::string lab = "02", device = "auto";
    int rounds = 7;
};

/// The program that a student starts: ./lab if it set up this build, else this program.
std::string program(const Project& project) {
    if (fs::exists(project.build / "ready")) return (project.root / "lab").string();
    return fs::read_symlink("/proc/self/exe").string();
}

double seconds_of(const Command& command, std::string* out = nullptr) {
    const Finished finished = run(command);
    if (!finished.ok())
        throw own_fault(fmt::format("{} ended with code {}:\n{}{}", command.argv.front(),
                                    finished.exit_code, finished.out, finished.err));
    if (out != nullptr) *out = finished.out;
    return finished.seconds;
}

struct Times {
    double checker_s = 0, speed_tests_s = 0;
};

/// The checker's time, and that of its speed tests alone, from `grade --json`.
Times times_in(const std::string& lines) {
    Times times;
    std::istringstream in(lines);
    for (std::string text; std::getline(in, text);) {
        const auto line = Json::parse(text);
        const std::string type = line.at("type");
        if (type == "total") times.checker_s = line.at("seconds").at("check");
        if (type == "test" && line.at("kind") == "speed")
            times.speed_tests_s += line.at("seconds").get<double>();
    }
    return times;
}

void bench(Session& session, const DevBenchOptions& options) {
    const Project& project = session.project();
    const Lab lab = session.lab(options.lab);
    const Device device = choose_device(project, parse_device(options.device));
    const Builder builder(project, lab, device);
    const std::string solution = read_file(project.root / lab.solution());

    const TemporaryFolder folder;
    const std::string file = (folder.path() / lab.file().filename()).string();
    Command grade;
    grade.argv = {program(project),       "grade", lab.name, "--file", file, "--device",
                  to_string(device.kind), "--json"};
    grade.environment = {"LAB_ROOT=" + project.root.string(), "LAB_BUILD=" + project.build.string(),
                         "LAB_NVCC=" + project.tools.nvcc};
    Command nvcc;
    nvcc.argv = builder.nvcc_arguments();
    nvcc.argv.insert(nvcc.argv.begin(), project.tools.nvcc);
    nvcc.argv.insert(nvcc.argv.end(), {file, "-o", (folder.path() / "object.o").string()});

    std::vector<double> verdict_s, nvcc_s, difference_s, correctness_s, ratio, check_s;
    for (int round = 0; round <= options.rounds; ++round) {
        // A new save: no cached object exists.
        const auto now = std::chrono::system_clock::now().time_since_epoch().count();
        write_atomically(file, fmt::format("{}\n// save {}\n", solution, now));
        std::string lines;
        const double verdict = seconds_of(grade, &lines);
        const double compile = seconds_of(nvcc);
        if (round == 0) continue;  // warms up: the first may build the grader
        const Times times = times_in(lines);
        verdict_s.push_back(verdict);
        nvcc_s.push_back(compile);
        difference_s.push_back(verdict - compile);
        ratio.push_back(verdict / compile);
        correctness_s.push_back(verdict - times.speed_tests_s - compile);
        check_s.push_back(times.checker_s);
    }
    session.say(fmt::format(
        "Save to verdict, lab {} on {}, warm, median of {} saves\n"
        "  save to verdict   {:.2f} s\n"
        "  nvcc alone        {:.2f} s\n"
        "  ratio             {:.2f}\n"
        "  difference        {:.2f} s   (at most {} s are wanted)\n"
        "    without races   {:.2f} s   (at most 1.5 s)\n"
        "    in the checker  {:.2f} s\n",
        lab.number(), device.name, options.rounds, median(verdict_s), median(nvcc_s), median(ratio),
        median(difference_s), device.kind == DeviceKind::gpu ? "3" : "1.5", median(correctness_s),
        median(check_s)));
    session.line(Json{{"type", "bench"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"device", to_string(device.kind)},
                      {"device_name", device.name},
                      {"rounds", options.rounds},
                      {"verdict_s", median(verdict_s)},
                      {"nvcc_s", median(nvcc_s)},
                      {"difference_s", median(difference_s)},
                      {"difference_without_races_s", median(correctness_s)},
                      {"ratio", median(ratio)},
                      {"check_s", median(check_s)}});
}

/// Each program prints a row as soon as it has it.
void bench_vgpu(Session& session, const std::string& row) {
    const Project& project = session.project();
    session.note("Building the benchmarks of the virtual GPU.\n");
    ensure_targets(project, {"vgpu-bench", "vgpu-runtime-bench"});
    Command interpreter, start;
    interpreter.argv = {project.binary("vgpu-bench").string()};
    if (session.json()) interpreter.argv.emplace_back("--json");
    if (!row.empty()) interpreter.argv.push_back(row);
    start.argv = {project.binary("vgpu-runtime-bench").string(), "--start"};
    if (session.json()) start.argv.emplace_back("--json");
    int code = run_attached(interpreter);
    if (code == 0 && std::string_view("start").find(row) != std::string_view::npos)
        code = run_attached(start);
    if (code != 0) throw own_fault(fmt::format("A benchmark ended with code {}.", code));
}

}  // namespace

void add_dev_bench(CLI::App& dev, Session& session) {
    CLI::App* command =
        dev.add_subcommand("bench", "How long a student waits from save to verdict");
    const auto options = std::make_shared<DevBenchOptions>();
    command->add_option("LAB", options->lab, "Which lab (02)");
    command->add_option("--device", options->device, "Where to run it")->type_name(kDeviceWords);
    command->add_option("--rounds", options->rounds, "How many saves (7)")
        ->check(CLI::PositiveNumber);
    session.add_json(*command);
    command->callback([&session, options] { bench(session, *options); });

    CLI::App* vgpu = dev.add_subcommand("bench-vgpu", "How fast the virtual GPU runs kernels");
    const auto row = std::make_shared<std::string>();
    vgpu->add_option("ROW", *row, "Only rows with this in their name");
    session.add_json(*vgpu);
    vgpu->callback([&session, row] { bench_vgpu(session, *row); });
}

}  // namespace lab::cli

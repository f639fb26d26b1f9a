// lab dev compare-vgpu, compare-model: compare the virtual GPU with an NVIDIA GPU. The first
// compares results of programs, the second modelled with measured times. Scripts do the work, and
// say what they run: grader/tests/compare/compare.sh, grader/check/model/compare.sh.

#include <unistd.h>

#include <cstring>
#include <memory>

#include "cli/session.h"

namespace lab::cli {
namespace {

struct CompareOptions {
    std::string folder;
    bool measures = false;
    int scale = 1;
};

[[noreturn]] void start(Session& session, const char* script_path, const char* argument) {
    const Project& project = session.project();
    const std::string script = (project.root / script_path).string();
    setenv("LAB_ROOT", project.root.c_str(), 1);
    setenv("LAB_BUILD", project.build.c_str(), 1);
    setenv("LAB_NVCC", project.tools.nvcc.c_str(), 1);
    execl("/bin/sh", "sh", script.c_str(), argument, nullptr);
    throw own_fault(std::string("Cannot start /bin/sh: ") + std::strerror(errno));
}

void compare_programs(Session& session, const CompareOptions& options) {
    start(session, "grader/tests/compare/compare.sh",
          options.folder.empty() ? nullptr : options.folder.c_str());
}

void compare_model(Session& session, const CompareOptions& options) {
    if (!options.folder.empty()) {
        setenv("LAB_FOLDER", fs::absolute(options.folder).c_str(), 1);
    }
    setenv("LAB_MEASURE", options.measures ? "1" : "0", 1);
    setenv("LAB_SCALE", std::to_string(options.scale).c_str(), 1);
    start(session, "grader/check/model/compare.sh", nullptr);
}

}  // namespace

void add_dev_compare(CLI::App& dev, Session& session) {
    const auto options = std::make_shared<CompareOptions>();
    const auto add_folder = [options](CLI::App* command) {
        command->add_option("FOLDER", options->folder, "Folder for all output");
    };
    CLI::App* programs = dev.add_subcommand(
        "compare-vgpu", "Compare the virtual GPU with this machine's NVIDIA GPU, bit by bit");
    add_folder(programs);
    programs->callback([&session, options] { compare_programs(session, *options); });

    CLI::App* model = dev.add_subcommand(
        "compare-model",
        "Compare modelled times with those measured on an NVIDIA GPU, kernel by kernel");
    add_folder(model);
    model->add_flag("--measure", options->measures,
                    "Measure on this machine's GPU, instead of taking the H200's kept times");
    constexpr int kLargest = 8;  // chosen: a quarter of an hour
    model
        ->add_option("--scale", options->scale,
                     "Size of the data on the virtual GPU; a race on a GPU has 32 (default 1)")
        ->check(CLI::Range(1, kLargest))
        ->type_name("N");
    model->callback([&session, options] { compare_model(session, *options); });
}

}  // namespace lab::cli

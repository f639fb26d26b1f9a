// lab dev compare-vgpu: the same programs on an NVIDIA GPU and on the virtual GPU, side by side.
// The work is done by a script, which says what it runs: grader/vgpu/tests/compare/compare.sh.

#include <unistd.h>

#include <cstring>
#include <memory>

#include "cli/session.h"

namespace lab::cli {
namespace {

struct Options {
    std::string folder;
};

void compare(Session& session, const Options& options) {
    const Project& project = session.project();
    const std::string script = (project.root / "grader/vgpu/tests/compare/compare.sh").string();
    setenv("LAB_ROOT", project.root.c_str(), 1);
    setenv("LAB_BUILD", project.build.c_str(), 1);
    setenv("LAB_NVCC", project.tools.nvcc.c_str(), 1);
    const char* folder = options.folder.empty() ? nullptr : options.folder.c_str();
    execl("/bin/sh", "sh", script.c_str(), folder, nullptr);
    throw own_fault(std::string("Cannot start /bin/sh: ") + std::strerror(errno));
}

}  // namespace

void add_dev_compare(CLI::App& dev, Session& session) {
    CLI::App* command = dev.add_subcommand(
        "compare-vgpu", "Compare the virtual GPU with this machine's NVIDIA GPU, bit by bit");
    const auto options = std::make_shared<Options>();
    command->add_option("FOLDER", options->folder, "Where everything that was printed goes");
    command->callback([&session, options] { compare(session, *options); });
}

}  // namespace lab::cli

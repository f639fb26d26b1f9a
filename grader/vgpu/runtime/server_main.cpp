// vgpu-device: the process that is the virtual GPU. Started by the checker, which gives it one end
// of two sockets; the program that uses the GPU holds the other end of the first, the checker that
// of the second. What kernels do and what is found out about them stays in here and goes to the
// checker.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "execute/ops/table.h"
#include "runtime/server.h"
#include "vgpu/gpu.h"

namespace {

vgpu::KernelNeeds known_needs(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file);
    return vgpu::read_table({std::istreambuf_iterator<char>(in), {}});
}

}  // namespace

int main(int argc, char** argv) {
    // The program under test runs as the same user: it must not look into this process through
    // /proc.
    prctl(PR_SET_DUMPABLE, 0);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGPIPE, SIG_IGN);

    CLI::App app{"The virtual GPU's device process; started by the grader, not by hand.",
                 "vgpu-device"};
    vgpu::Channels channels;
    vgpu::Options options;
    std::string ptxas, needs;
    std::uint64_t memory_mib = options.memory_bytes >> 20;
    app.add_option("--client", channels.client, "descriptor of the socket to the program")
        ->required();
    app.add_option("--checker", channels.checker, "descriptor of the socket to the checker");
    app.add_flag(
        "--audit", channels.audits,
        "report what the program never freed, and failed launches that it never asked about");
    app.add_option("--warp-instruction-limit", options.warp_instruction_limit,
                   "end a kernel after this many warp instructions")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", options.seed, "permute the order of blocks and warps");
    app.add_option("--memory-mib", memory_mib, "device memory")->check(CLI::Range(1, 1 << 20));
    app.add_option("--ptxas", ptxas, "NVIDIA's assembler, which tells registers; else estimated");
    app.add_option("--needs", needs, "what the assembler has found: a table (vgpu/kernel_needs.h)")
        ->excludes("--ptxas");
    app.add_flag("--profile", channels.profiles, "record of each launch what a profile shows");
    app.add_flag("--lines", channels.counts_lines, "record what each source line did");
    app.add_flag("--keep-going", channels.keeps_going,
                 "a kernel's bad access ends that kernel only: the program goes on");
    app.add_flag("--refuse-notes", channels.refuses_notes,
                 "the program is under test: what it says of its memory breaks the protocol");
    app.add_option("--decoys", channels.decoys,
                   "descriptor of the memory that says which data the host is not to see");
    std::string gpu = vgpu::model::h200().key;
    app.add_option("--gpu", gpu, "whose limits and rates it has");
    std::string trace_file;
    std::vector<std::uint32_t> trace_block;
    app.add_option("--trace", channels.trace.lines, "write this many instructions as they run");
    app.add_option("--trace-kernel", channels.trace.kernel, "of kernels with this in their name");
    app.add_option("--trace-block", trace_block, "of this block")->delimiter(',')->expected(1, 3);
    app.add_option("--trace-file", trace_file, "into this file, not on stderr");
    app.add_option("--steps", channels.recorded,
                   "record each step of kernels with this in their name; empty: of all")
        ->expected(0, 1);
    CLI11_PARSE(app, argc, argv);
    const vgpu::model::Gpu* const profile = vgpu::model::profile(gpu);
    if (profile == nullptr) {
        std::fprintf(stderr, "vgpu-device: no GPU is called %s\n", gpu.c_str());
        return 2;
    }
    vgpu::model::choose(*profile);
    trace_block.resize(trace_block.empty() ? 0 : 3);
    if (!trace_block.empty())
        channels.trace.block = vgpu::Dim3{trace_block[0], trace_block[1], trace_block[2]};
    if (!trace_file.empty()) {
        channels.trace.to = std::fopen(trace_file.c_str(), "w");
        if (!channels.trace.to) {
            std::fprintf(stderr, "vgpu-device: cannot write %s\n", trace_file.c_str());
            return 2;
        }
        std::setvbuf(channels.trace.to, nullptr, _IOLBF, 0);  // it is ended by a signal
    }
    options.memory_bytes = memory_mib << 20;

    const pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return 0;  // it died before the line above

    try {
        vgpu::require_host_isa();
        vgpu::serve(channels, options,
                    needs.empty() ? vgpu::Ptxas(ptxas, vgpu::Ptxas::default_cache())
                                  : vgpu::Ptxas(known_needs(needs)));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "vgpu-device: %s\n", error.what());
        return 5;
    }
}

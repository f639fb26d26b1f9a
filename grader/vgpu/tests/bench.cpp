// How fast the interpreter is: typical kernels with all checks on, on one core.
//
//     vgpu-bench [--workers N] [--json] [NAME]     a table, or one JSON object a line; only the
//                                                  kernels whose name contains NAME
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "vgpu/ptx/module.h"
#include "vgpu/tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

constexpr int kRuns = 5;  // the fastest of them is shown: others were disturbed

bool as_json = false;
std::string only;

void measure(const std::string& name, const std::function<LaunchResult()>& launch) {
    if (name.find(only) == std::string::npos) return;
    LaunchResult best = launch();
    for (int run = 1; run < kRuns; ++run) {
        LaunchResult result = launch();
        if (result.host_seconds < best.host_seconds) best = std::move(result);
    }
    if (best.outcome != Outcome::ok || !best.findings.empty())
        fmt::print(stderr, "{}: {}\n", name,
                   best.findings.empty() ? "failed" : describe(best.findings[0]));
    const auto warp_instructions = static_cast<double>(best.counts.warp_instructions);
    const double ns = best.host_seconds * 1e9 / warp_instructions;
    const double rate =
        static_cast<double>(best.counts.thread_instructions) / best.host_seconds * 1e-9;
    if (as_json)
        fmt::print(
            R"({{"name":"{}","seconds":{:.6f},"warp_instructions":{},)"
            R"("ns_per_warp_instruction":{:.2f},"giga_lane_instructions_per_second":{:.3f}}})"
            "\n",
            name, best.host_seconds, best.counts.warp_instructions, ns, rate);
    else
        fmt::print(
            "{:<28} {:8.4f} s {:>10} warp instructions {:6.1f} ns each {:6.2f} G lane "
            "instructions/s\n",
            name, best.host_seconds, best.counts.warp_instructions, ns, rate);
}

/// From the text of a module to kernels that could run.
void measure_loading(const std::string& module) {
    const std::string text = ptx_of(module);
    const auto lines = std::count(text.begin(), text.end(), '\n');
    const std::string name = fmt::format("parse and decode, {} lines", lines);
    if (name.find(only) == std::string::npos) return;
    const ptx::Module parsed = ptx::parse(text);
    double best = 1e9;
    for (int run = 0; run < kRuns; ++run) {
        Device device;
        const auto begin = std::chrono::steady_clock::now();
        const ModuleId id = device.load_module(text);
        for (const auto& function : parsed.functions)
            if (function.is_entry) device.kernel(id, function.name);
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    if (as_json)
        fmt::print(R"({{"name":"{}","seconds":{:.6f},"lines":{}}})"
                   "\n",
                   name, best, lines);
    else
        fmt::print("{:<28} {:8.4f} s {:6.2f} ms for 2,000 lines\n", name, best,
                   best * 1e3 * 2000 / static_cast<double>(lines));
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    options.workers = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--json")
            as_json = true;
        else if (argument == "--workers" && i + 1 < argc)
            options.workers = static_cast<unsigned>(std::atoi(argv[++i]));
        else
            only = argument;
    }
    measure_loading("features");
    Program program(ptx_of("bench"), options);

    const int n = 1 << 20;
    const auto a = program.array(std::vector<float>(n, 1)),
               b = program.array(std::vector<float>(n, 2));
    measure("vector add, 2^20", [&] {
        const auto c = program.empty<float>(n);  // first touched by the kernel, as a student's is
        auto result = program.launch("vector_add", {n / 256}, {256}, a.at, b.at, c.at, n);
        program.device.release(c.at);
        return result;
    });
    const auto c = program.array(std::vector<float>(n, 0));
    measure("vector add, one block",
            [&] { return program.launch("grid_stride", {1}, {256}, a.at, b.at, c.at, n); });
    measure("vector add, 16 a thread", [&] {
        return program.launch("consecutive", {n / 16 / 256}, {256}, a.at, b.at, c.at, n);
    });
    std::vector<int> shuffled(n);
    for (int i = 0; i < n; ++i)
        shuffled[static_cast<std::size_t>(i)] =
            static_cast<int>((static_cast<std::uint32_t>(i) * 2654435761u) % n);
    const auto index = program.array(shuffled);
    measure("gather, random",
            [&] { return program.launch("gather", {n / 256}, {256}, a.at, index.at, c.at, n); });

    const std::uint32_t size = 512;
    const auto image = program.array(std::vector<int>(size * size, 0));
    measure("julia set, 512", [&] {
        return program.launch("julia", {size / 32, size / 8}, {32, 8}, image.at, size);
    });
    const std::uint32_t m = 256;
    measure("matrix product, tiles of 32", [&] {
        return program.launch("matmul32", {m / 32, m / 32}, {32, 32}, a.at, b.at, c.at, m);
    });
    measure("transpose, strided stores", [&] {
        return program.launch("transpose", {1024 / 32, 1024 / 32}, {32, 32}, a.at, c.at, 1024);
    });
    measure("scatter, random",
            [&] { return program.launch("scatter", {n / 256}, {256}, a.at, index.at, c.at, n); });
    measure("matrix product, tiles of 16", [&] {
        return program.launch("matmul", {m / 16, m / 16}, {16, 16}, a.at, b.at, c.at, m);
    });
    const auto sums = program.array(std::vector<float>(n / 256, 0));
    measure("block sums, 2^20",
            [&] { return program.launch("block_sum", {n / 256}, {256}, a.at, sums.at, n); });
    const auto total = program.array(std::vector<float>(1, 0));
    measure("atomics, one address, 2^18",
            [&] { return program.launch("atomic_sum", {1024}, {256}, a.at, total.at, n / 4); });
}

// Measures the interpreter's speed and memory: typical kernels with all checks on.
//
//     vgpu-bench [--json] [NAME]     a table, or one JSON object a line; only the rows whose name
//                                    contains NAME. On one core, but for the row "cores".
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "ptx/module.h"
#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

// Shows the fastest of kRuns runs, and of more when they are short: the others were disturbed.
constexpr int kRuns = 5;
constexpr double kLeastSeconds = 0.05;

bool as_json = false;
std::string only;

bool is_wanted(std::string_view name) {
    return name.find(only) != std::string_view::npos;
}

using Run = std::function<LaunchResult()>;

LaunchResult fastest(const std::string& name, const Run& launch, bool is_right = true) {
    LaunchResult best = launch();
    double seconds = best.host_seconds;
    for (int run = 1; run < kRuns || seconds < kLeastSeconds; ++run) {
        LaunchResult result = launch();
        seconds += result.host_seconds;
        if (result.host_seconds < best.host_seconds) best = std::move(result);
    }
    if (best.outcome != Outcome::ok || best.findings.empty() != is_right) {
        fmt::print(stderr, "{}: {}\n", name,
                   best.findings.empty() ? "failed, or no finding" : describe(best.findings[0]));
        std::exit(1);
    }
    return best;
}

/// What this machine's memory takes for no more than a scattered store touches: a word and its
/// shadow word for each lane, asked for early. Whatever a store takes beyond that is ours.
double bare_ns(const std::vector<int>& index) {
    std::vector<std::uint32_t> data(index.size());
    std::vector<std::uint64_t> shades(index.size());
    double best = 1e9;
    for (int run = 0; run < kRuns; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        for (std::size_t warp = 0; warp < index.size(); warp += 32) {
            const int* at = &index[warp];
            for (unsigned l = 0; l < 32; ++l) {
                __builtin_prefetch(&data[std::size_t(at[l])], 1);
                __builtin_prefetch(&shades[std::size_t(at[l])], 1);
            }
            std::uint64_t all = warp;
            for (unsigned l = 0; l < 32; ++l) all |= shades[std::size_t(at[l])];
            for (unsigned l = 0; l < 32; ++l) {
                shades[std::size_t(at[l])] = all + l;
                data[std::size_t(at[l])] = l;
            }
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        best = std::min(best, took.count() * 1e9 * 32 / static_cast<double>(index.size()));
    }
    return best;
}

/// Of one instruction, a warp's.
struct Slowest {
    double ns, bare_ns;
};

/// `slowest`: instruction, where that can be told.
void measure(const std::string& name, const std::string& what, const Run& launch,
             const std::function<Slowest(const LaunchResult&)>& slowest = {},
             bool is_right = true) {
    if (!is_wanted(name)) return;
    const LaunchResult best = fastest(name, launch, is_right);
    const double seconds = best.host_seconds;
    const double ns = seconds * 1e9 / static_cast<double>(best.counts.warp_instructions);
    const double rate = static_cast<double>(best.counts.thread_instructions) / seconds * 1e-9;
    std::string more;
    if (slowest) {
        const Slowest one = slowest(best);
        more = as_json ? fmt::format(R"(,"max_ns_per_warp_inst":{:.1f},"bare_accesses_ns":{:.1f})",
                                     one.ns, one.bare_ns)
                       : fmt::format(", the slowest {:.1f} (its accesses alone {:.1f})", one.ns,
                                     one.bare_ns);
    }
    if (as_json)
        fmt::print(R"({{"name":"{}","giga_lane_inst_per_s":{:.3f},"seconds":{:.6f},)"
                   R"("warp_inst":{},"ns_per_warp_inst":{:.2f}{}}})"
                   "\n",
                   name, rate, seconds, best.counts.warp_instructions, ns, more);
    else
        fmt::print("{:<12} {:<36} {:6.2f} G lane inst/s {:8.4f} s {:6.1f} ns a warp inst{}\n", name,
                   what, rate, seconds, ns, more);
}

/// From the text of a module to kernels that could run.
void measure_loading() {
    if (!is_wanted("load")) return;
    const std::string text = ptx_of("features", "G");
    const auto lines = std::count(text.begin(), text.end(), '\n');
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
    const double ms = best * 1e3, ms_for_2000 = ms * 2000 / static_cast<double>(lines);
    if (as_json)
        fmt::print(R"({{"name":"load","lines":{},"ms":{:.2f},"ms_per_2000_lines":{:.2f}}})"
                   "\n",
                   lines, ms, ms_for_2000);
    else
        fmt::print("{:<12} {:<36} {:6.1f} ms for 2,000\n", "load",
                   fmt::format("parse and decode {} lines of PTX", lines), ms_for_2000);
}

/// "VmHWM" (the most so far) or "VmRSS" of this process.
double memory_bytes(const std::string& field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(field + ":")) return 1024 * std::atof(line.c_str() + field.size() + 1);
    return 0;
}

/// What the machine needs beside the bytes of device memory itself, at most at any time, when a
/// kernel touches all of them. To be called first: memory that was used before does not show.
void measure_memory() {
    if (!is_wanted("memory")) return;
    constexpr std::uint64_t kWords = 1 << 25;
    Options options;
    options.workers = 1;
    Program program(ptx_of("bench"), options);
    const double before = memory_bytes("VmRSS");
    const auto a = program.empty<float>(kWords), c = program.empty<float>(kWords);
    program.device.fill(a.at, std::byte{0}, 4 * kWords);
    const int n = kWords;
    program.launch("vector_add", {kWords / 256}, {256}, a.at, a.at, c.at, n);
    const double device = 2.0 * 4 * kWords;
    const double overhead = (memory_bytes("VmHWM") - before - device) / device;
    if (as_json)
        fmt::print(R"({{"name":"memory","device_mib":{:.0f},"overhead_bytes_per_byte":{:.2f}}})"
                   "\n",
                   device / (1 << 20), overhead);
    else
        fmt::print("{:<12} {:<36} {:6.2f} bytes of ours for each\n", "memory",
                   fmt::format("{:.0f} MiB of device memory, touched", device / (1 << 20)),
                   overhead);
}

/// The rows of the table, on `workers` cores.
class Kernels {
public:
    explicit Kernels(unsigned workers) : program_(ptx_of("bench"), with(workers)) {
        index_ = program_.array(shuffled(kScattered));
        std::mt19937 random(1);
        std::vector<int> numbers(kScattered);
        for (int& number : numbers) number = static_cast<int>(random() >> 1);
        random_ = program_.array(numbers);
    }

    LaunchResult julia() {
        return program_.launch("julia", {kSide / 32, kSide / 8}, {32, 8}, image_.at, kSide);
    }
    LaunchResult matmul(const char* kernel, std::uint32_t tile) {
        return program_.launch(kernel, {kM / tile, kM / tile}, {tile, tile}, a_.at, b_.at, c_.at,
                               kM);
    }

    void measure_all() {
        measure("julia", "divergent arithmetic, 1024^2", [&] { return julia(); });
        measure("matmul", "tiles of 32, 512^2", [&] { return matmul("matmul32", 32); });
        measure(
            "race", "no barrier behind tiles of 32, 128^2",
            [&] {
                return program_.launch("matmul_race", {4, 4}, {32, 32}, a_.at, b_.at, c_.at, 128);
            },
            {}, false);
        measure("matmul16", "tiles of 16, 512^2", [&] { return matmul("matmul", 16); });
        measure("stream", "vector add, 2^22", [&] {
            return program_.launch("vector_add", {kN / 256}, {256}, a_.at, b_.at, c_.at, kN);
        });
        measure("fresh", "the same, into memory never touched", [&] {
            const auto c = program_.empty<float>(kN);
            auto result = program_.launch("vector_add", {kN / 256}, {256}, a_.at, b_.at, c.at, kN);
            program_.device.release(c.at);
            return result;
        });
        measure("one block", "vector add by 256 threads", [&] {
            return program_.launch("grid_stride", {1}, {256}, a_.at, b_.at, c_.at, kN);
        });
        measure("consecutive", "vector add, 16 elements a thread", [&] {
            return program_.launch("consecutive", {kN / 16 / 256}, {256}, a_.at, b_.at, c_.at, kN);
        });
        measure("transpose", "strided stores, 1024^2", [&] {
            return program_.launch("transpose", {32, 32}, {32, 32}, a_.at, c_.at, 1024);
        });
        measure("gather", "loads all over 4 MiB", [&] {
            return program_.launch("gather", {kScattered / 256}, {256}, a_.at, index_.at, c_.at,
                                   kScattered);
        });
        measure_scatter("near scatter", "stores all over 64 KiB", 1 << 14);
        measure_scatter("scatter", "stores all over 4 MiB", kScattered);
        measure_scatter("far scatter", "stores all over 16 MiB", kN);
        const auto sums = program_.array(std::vector<float>(kN / 256, 0));
        measure("block sums", "a tree in shared memory, 2^22", [&] {
            return program_.launch("block_sum", {kN / 256}, {256}, a_.at, sums.at, kN);
        });
        measure("atomics", "2^20 at one address", [&] {
            return program_.launch("atomic_sum", {kN / 4 / 256}, {256}, a_.at, sums.at, kN / 4);
        });
        const auto bins = program_.array(std::vector<int>(4096, 0));
        measure("histogram", "2^20 numbers into 4096 bins", [&] {
            return program_.launch("histogram", {kScattered / 256}, {256}, random_.at, bins.at,
                                   static_cast<int>(kScattered));
        });
        measure("own bins", "2^20 into 256 bins of the block's", [&] {
            return program_.launch("shared_histogram", {256}, {256}, random_.at, bins.at,
                                   static_cast<int>(kScattered));
        });
        const auto counts = program_.array(std::vector<int>(1056, 0));
        measure("grid sync", "10 times, 1056 blocks of 256", [&] {
            return program_.launch_cooperative("grid_sync", {1056}, {256}, counts.at, 10);
        });
    }

private:
    /// 0 to count - 1 in another order; count is a power of 2.
    static std::vector<int> shuffled(std::uint32_t count) {
        std::vector<int> numbers(count);
        for (std::uint32_t i = 0; i < count; ++i)
            numbers[i] = static_cast<int>(i * 2654435761u % count);
        return numbers;
    }
    static Options with(unsigned workers) {
        Options options;
        options.workers = workers;
        options.caches_launches = false;
        return options;
    }
    /// A store's time, a warp's, is all of the kernel's, less that of the rest. Nothing else there
    /// uses memory: what a store moves out of the host's caches would be missed by loads.
    void measure_scatter(const char* name, const char* what, std::uint32_t words) {
        const auto c = program_.array(std::vector<int>(words, 0));
        measure(
            name, what,
            [&] { return program_.launch("scatter", {words / 256}, {256}, c.at, words); },
            [&](const LaunchResult& whole) {
                const LaunchResult rest = fastest(name, [&] {
                    return program_.launch("scatter_rest", {words / 256}, {256}, c.at, words,
                                           words - 1);
                });
                const double stores = static_cast<double>(whole.counts.global_store_requests);
                return Slowest{(whole.host_seconds - rest.host_seconds) * 1e9 / stores,
                               bare_ns(shuffled(words))};
            });
    }

    static constexpr std::uint32_t kN = 1 << 22, kScattered = 1 << 20, kSide = 1024, kM = 512;
    Program program_;
    Array<float> a_ = program_.array(std::vector<float>(kN, 1));
    Array<float> b_ = program_.array(std::vector<float>(kN, 2));
    Array<float> c_ = program_.array(std::vector<float>(kN, 0));
    Array<int> image_ = program_.array(std::vector<int>(kSide * kSide, 0));
    Array<int> index_, random_;
};

void measure_cores(Kernels& one) {
    if (!is_wanted("cores")) return;
    const unsigned cores = std::thread::hardware_concurrency();
    Kernels all(cores);
    const auto seconds = [](const Run& run) { return fastest("cores", run).host_seconds; };
    const double julia =
        seconds([&] { return one.julia(); }) / seconds([&] { return all.julia(); });
    const double matmul = seconds([&] { return one.matmul("matmul32", 32); }) /
                          seconds([&] { return all.matmul("matmul32", 32); });
    if (as_json)
        fmt::print(R"({{"name":"cores","cores":{},"julia":{:.2f},"matmul":{:.2f}}})"
                   "\n",
                   cores, julia, matmul);
    else
        fmt::print("{:<12} {:<36} julia {:.2f} times as fast, matmul {:.2f}\n", "cores",
                   fmt::format("{} instead of one", cores), julia, matmul);
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--json")
            as_json = true;
        else
            only = argument;
    }
    measure_memory();
    measure_loading();
    Kernels kernels(1);
    kernels.measure_all();
    measure_cores(kernels);
}

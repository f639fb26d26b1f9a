// Grader of lab 11: launches that fit the device, for 10 points.
//
// What fits is computed here from the device's limits and from the registers that NVIDIA's
// assembler gave the submission's kernel. fused is exact. The powers' sums are within the rounding
// errors of any order; the kernel is given, so what shows is how it was launched.

#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "occupancy.h"
#include "protocol/parallel.h"
#include "residency.h"

using namespace lab;

namespace {

using Floats = std::vector<float>;

/// 2 * b is exact, so it does not matter whether the compiler fuses the two operations.
Floats cpu_fused(const Floats& a, const Floats& b) {
    Floats c(a.size());
    std::ranges::transform(a, b, c.begin(), [](float x, float y) { return x + 2 * y; });
    return c;
}

/// More than the GPU has threads at once, more than 1024 blocks of 1024 threads, and more than any
/// other test has before: a launch that is kept from another size shows.
constexpr int kMany = 1'100'003;

long long threads_of(const LaunchShape& shape) {
    return static_cast<long long>(shape.blocks) * shape.threads;
}

/// A thread for each element, unless the kernel was given a loop and the grid fills the GPU. Of a
/// kernel without one, `fused` is wrong for kMany elements with fewer threads.
void check_covers(const LaunchShape& shape, int n, long long fills_at) {
    const long long threads = threads_of(shape);
    const bool has_loop =
        threads < n && threads_of(submission().call<choose_launch>(kMany).returned()) < kMany;
    INFO("choose_launch(n = " << n << ") returned " << shape.blocks << " blocks of "
                              << shape.threads << " threads, " << threads
                              << " threads in all: some elements have none.");
    CHECK((threads >= n || (has_loop && threads >= fills_at)));
}

void check_shape(int n) {
    const LaunchShape shape = submission().call<choose_launch>(n).returned();
    const vgpu::model::Gpu gpu = device_limits();
    const int most = static_cast<int>(gpu.max_threads_per_block);
    const auto with =
        multiprocessor_for("fused_kernel").value_or(Multiprocessor{gpu, 16});  // so few in any case
    {
        INFO("choose_launch(n = " << n << ") returned " << shape.blocks << " blocks of "
                                  << shape.threads << " threads. A block has 1 to " << most
                                  << " threads, and there is at least one block"
                                  << (shape.blocks == 0 && n < shape.threads
                                          ? ": does a division round down?"
                                          : "."));
        REQUIRE((shape.threads >= 1 && shape.threads <= most && shape.blocks >= 1));
    }
    const int full = static_cast<int>(gpu.threads_per_multiprocessor);
    const long long fills_at = static_cast<long long>(full) * gpu.multiprocessors;
    int best = 0;
    for (int threads = 32; threads <= most; threads += 32)
        best = std::max(best, resident_threads(with, threads));
    const char* swapped = "";
    if (n >= fills_at && shape.blocks <= most && resident_threads(with, shape.blocks) == best)
        swapped = "\nIt looks as if blocks and threads are swapped.";
    if (shape.threads == fills_at / most && resident_threads(with, most) == best)
        swapped =
            "\nThat is the grid that fills the GPU: cudaOccupancyMaxPotentialBlockSize stores it "
            "in its first argument, and the block size in its second.";
    check_covers(shape, n, fills_at);
    const int resident = resident_threads(with, shape.threads);
    INFO("choose_launch(n = " << n << ") returned blocks of " << shape.threads
                              << " threads. A multiprocessor holds "
                              << with.resident({shape.threads, 0}) << " of them at once, "
                              << resident << " threads. With other blocks it holds " << best
                              << ". Ask the occupancy API for fused_kernel's best block size."
                              << swapped);
    if (n >= fills_at) CHECK(resident == best);
}

void check_fused(int n) {
    const Floats a = random_floats(n), b = random_floats(n);
    const auto call = submission().call<fused>(out, a, b, n);
    CHECK_THAT(call.output(), equals(cpu_fused(a, b)).or_diagnose(indexing_mistakes));
}

Multiprocessor heavy() {
    const auto with = multiprocessor_for("power_sums_kernel");
    INFO(
        "Your file has no kernel called power_sums_kernel any more. resident_blocks and "
        "block_limits are about that one: leave it as it was given.");
    REQUIRE(with.has_value());
    return *with;
}

/// Blocks that different limits stop, and one that cannot be launched.
std::vector<Block> blocks_to_ask_about() {
    return {{256, 0},
            {256, 30'000},
            {32, 0},
            {1024, 0},
            {128, 20'000},
            {896, 0},
            {64, 49'152},
            {100, 1'000},
            {1, 0},
            {33, 7'000},
            {640, 12'345},
            {512, 1},
            {random_int(1, 1024), random_int(0, 49'152)},
            {random_int(32, 256), random_int(0, 9'000)}};
}

std::string call_text(const char* function, Block block) {
    return std::string(function) + "(threads = " + std::to_string(block.threads) +
           ", shared_bytes = " + std::to_string(block.shared_bytes) + ")";
}

/// The limit that has this number, if only one does.
std::string another_limit(const BlockLimits& right, int got) {
    std::string name;
    for (const auto& [other, value] :
         {std::pair{"by_threads", right.by_threads}, std::pair{"by_blocks", right.by_blocks},
          std::pair{"by_registers", right.by_registers}, std::pair{"by_shared", right.by_shared}}) {
        if (value != got) continue;
        if (!name.empty()) return "";
        name = other;
    }
    return name.empty() ? "" : "\nThat is the number of " + name + ".";
}

void check_limit(const Multiprocessor& with, Block block, const char* name, int got, int expected) {
    INFO(call_text("block_limits", block)
         << ": " << name << " is wrong"
         << (name == std::string("by_registers")
                 ? ", for " + std::to_string(with.registers) + " registers a thread.\n"
                 : ".\n")
         << "  expected      " << expected << "\n  got           " << got
         << mistake_in_limit(with, block, name, got) << another_limit(with.limits(block), got));
    REQUIRE(got == expected);
}

/// In double, whose errors are 2^29 times smaller; and of the absolute values.
struct PowerSums {
    std::vector<double> sum = std::vector<double>(kPowers), absolute = sum;
};

PowerSums cpu_power_sums(const Floats& x) {
    PowerSums all;
    std::mutex one_at_a_time;
    for_each_range(x.size(), [&](std::size_t begin, std::size_t end) {
        PowerSums part;
        for (const double value : std::span(x).subspan(begin, end - begin)) {
            double power = value;
            for (std::size_t k = 0; k < kPowers; ++k, power *= value) {
                part.sum[k] += power;
                part.absolute[k] += std::abs(power);
            }
        }
        const std::lock_guard lock(one_at_a_time);
        for (std::size_t k = 0; k < kPowers; ++k) {
            all.sum[k] += part.sum[k];
            all.absolute[k] += part.absolute[k];
        }
    });
    return all;
}

/// Power k + 1 is off by k roundings, of random sign; a sum of n terms by at most n, and by some
/// sqrt(n) if they have random signs: 8 standard deviations of both. Atomic additions in global
/// memory take numbers below 2^-126 for 0.
auto close_to_sums(const Floats& x) {
    const PowerSums exact = cpu_power_sums(x);
    const double roundings = 8 * (std::sqrt(static_cast<double>(x.size())) + 8);
    return close_to(Floats(exact.sum.begin(), exact.sum.end()),
                    [absolute = exact.absolute, roundings](std::size_t k) {
                        return std::ldexp(absolute[k] * roundings, -24) + std::ldexp(1, -126);
                    });
}

void check_power_sums(int n) {
    const Floats x = random_floats(n);
    const auto call = submission().call<power_sums>(x, out, n);
    CHECK_THAT(call.output(), close_to_sums(x).or_diagnose(nothing_written));
    if (n > 1 && on_vgpu()) {
        INFO(
            "no kernel was launched, or its threads have done too little: the sums must be "
            "computed on the device");
        CHECK(executed_for_each(call.launches(), n));
    }
}

}  // namespace

TEST_CASE("choose_launch: blocks that fill a multiprocessor",
          "[correctness][task:1][points:1][id:shape]") {
    const int n =
        GENERATE(1'000'000, 270'337, 1000, 1, 33, 257, 100'000'007, random_int(300'000, 3'000'000),
                 (1 << 24) + 1, 999'999'489);  // of these, floats make other numbers
    check_shape(n);
}

TEST_CASE("fused: every element is right", "[correctness][task:1][points:1][id:fused]") {
    const int n =
        GENERATE(1000, kMany, 1, 31, 32, 33, 1023, 1024, 1025, 0, random_int(1'100, 100'000));
    twice([&] { check_fused(n); });
}

TEST_CASE("fused: at least 0.5x the reference", "[speed][task:1][points:1][needs:fused]") {
    const auto speed = time_against_reference<fused>(
        {.gpu = (1 << 26) + 3, .vgpu = (1 << 20) + 3},
        [](int n) { return std::tuple(out, random_floats(n), random_floats(n), n); },
        [](auto, const auto& a, const auto& b, auto...) { return equals(cpu_fused(a, b)); });
    CHECK_THAT(speed, at_least(0.5));
}

TEST_CASE("resident_blocks: how many fit at once", "[correctness][task:2][points:2]") {
    const Multiprocessor with = heavy();
    for (const Block block : blocks_to_ask_about()) {
        const int got =
            submission().call<resident_blocks>(block.threads, block.shared_bytes).returned();
        const int expected = with.resident(block);
        INFO(call_text("resident_blocks", block)
             << ":\n  expected      " << expected << "\n  got           " << got
             << mistake_in_resident(with, block, got));
        REQUIRE(got == expected);
    }
}

TEST_CASE("block_limits: the four limits, computed", "[correctness][task:3][points:2]") {
    const Multiprocessor with = heavy();
    for (const Block block : blocks_to_ask_about()) {
        const BlockLimits got =
            submission().call<block_limits>(block.threads, block.shared_bytes).returned();
        const BlockLimits right = with.limits(block);
        check_limit(with, block, "by_threads", got.by_threads, right.by_threads);
        check_limit(with, block, "by_blocks", got.by_blocks, right.by_blocks);
        check_limit(with, block, "by_registers", got.by_registers, right.by_registers);
        check_limit(with, block, "by_shared", got.by_shared, right.by_shared);
    }
}

TEST_CASE("power_sums: a launch that fits", "[correctness][task:4][points:2][id:sums]") {
    const int n = GENERATE(5000, 1, 33, 767, 769, 0, 120'011, random_int(1'100, 60'000));
    twice([&] { check_power_sums(n); });
}

TEST_CASE("power_sums: at least 0.35x the reference", "[speed][task:4][points:1][needs:sums]") {
    const auto speed = time_against_reference<power_sums>(
        {.gpu = (1 << 24) + 3, .vgpu = (1 << 20) + 3},
        [](int n) { return std::tuple(random_floats(n), out, n); },
        [](const auto& x, auto...) { return close_to_sums(x); });
    CHECK_THAT(speed, at_least(0.35));
}

// ---------------------------------------------------------------------------
// Pictures and benchmarks, drawn by the scripts of the same names in figures/.

TEST_CASE("picture: limits", "[.][picture]") {
    const Multiprocessor with = heavy();
    Table table("limits", {"threads", "what", "warps"});
    for (int threads = 32; threads <= 1024; threads += 32) {
        const int warps = threads / 32;
        const BlockLimits got = submission().call<block_limits>(threads, 8 * threads).returned();
        table.row(threads, "by_threads", got.by_threads * warps);
        table.row(threads, "by_blocks", got.by_blocks * warps);
        table.row(threads, "by_registers", got.by_registers * warps);
        table.row(threads, "resident", with.resident({threads, 8 * threads}) * warps);
    }
}

TEST_CASE("bench: bandwidth", "[.][bench]") {
    check_fused(1000);  // reports a wrong program before timing it
    Table table("bandwidth", {"n", "version", "time_ms", "gb_per_s"});
    for (int n = 1 << 12; n <= speed_size(1 << 26, 1 << 20); n *= 4) {
        const Floats a = random_floats(n), b = random_floats(n);
        for (const Version& version : versions()) {
            const double ms = time_ms<fused>(version, out, a, b, n);
            table.row(n, version.name(), ms, 12e-6 * n / ms);
        }
    }
}

TEST_CASE("bench: power_sums", "[.][bench]") {
    check_power_sums(1000);
    Table table("power_sums", {"n", "version", "time_ms", "tflops"});
    for (int n = 1 << 14; n <= speed_size(1 << 26, 1 << 20); n *= 4) {
        const Floats x = random_floats(n);
        for (const Version& version : versions()) {
            const double ms = time_ms<power_sums>(version, x, out, n);
            table.row(n, version.name(), ms, 2e-9 * kPowers * n / ms);
        }
    }
}

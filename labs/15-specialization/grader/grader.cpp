// Grader of lab 15: kernels made for one task each, for 10 points.
//
// Results are exact, but for `spread` and for sums of floats. What the compiler made of the kernels
// is NVIDIA's assembler's report (needs.h). On the virtual GPU it is known which of them a call
// launched; on a GPU, only their names.

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "answers.h"
#include "check/check.h"
#include "needs.h"
#include "specialization.h"

using namespace lab;

namespace {

/// Between -2 and 2; the first is one that every combination of flags turns into another number.
Floats samples(int n) {
    Floats x = random_floats(n, -2, 2);
    if (n > 0) x[0] = 1.5F;
    return x;
}

/// Checks on the virtual GPU that kernels did the work. A GPU reports no launches.
template <class Call>
void check_uses_the_device(const Call& call, int n) {
    if (!on_vgpu() || n < 2) return;
    INFO("no kernel was launched, or its threads have done too little to have looked at all "
         << n << " elements: the result must be computed on the device");
    CHECK(executed_for_each(call.launches(), n));
}

auto check_run(int n, unsigned flags) {
    const Floats x = samples(n);
    const RunAnswer answer = cpu_run(x, flags);
    auto call = submission().call<run>(x, out, n, flags);
    const auto check = [&](auto right) {
        CHECK_THAT(
            call.output(),
            std::move(right).or_diagnose(other_flags(x, flags)).or_diagnose(indexing_mistakes));
    };
    if (flags & kSpread)
        check(close_to(answer.value, [&](std::size_t i) { return answer.tolerance[i]; }));
    else
        check(equals(answer.value));
    if (flags != 0) check_uses_the_device(call, n);  // without, a copy on the device is right
    return call;
}

/// The frames' pixels in turn: of numbers between 0 and 1; of three numbers only, so that many are
/// equal; below 0; and of any size.
Floats photographs(int n, int count) {
    Floats frames = random_floats(n * count, 0, 1);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        float& x = frames[i];
        switch (i % static_cast<std::size_t>(n) % 4) {
            case 1:
                x = std::floor(3 * x) / 4;
                break;
            case 2:
                x = -x;
                break;
            case 3:
                x = std::ldexp(x - 0.5F, random_int(-10, 20));
                break;
            default:
                break;
        }
    }
    return frames;
}

auto check_blend(int n, int count) {
    const Floats frames = photographs(n, count);
    auto call = submission().call<blend>(frames, out, n, count);
    CHECK_THAT(call.output(), equals(cpu_blend(frames, n, count))
                                  .or_looks_like(mistakes_of_blend(frames, n, count))
                                  .or_diagnose(indexing_mistakes)
                                  .or_diagnose(not_in_order(frames)));
    check_uses_the_device(call, n);
    return call;
}

/// The names are how a GPU's test finds the kernels, so they are asked for on every device.
Kernels require_kernels(const std::string& beginning) {
    Kernels found = kernels_named(beginning);
    INFO("Your file has no kernel whose name begins with \"" << beginning
                                                             << "\". The tests find it by that.");
    REQUIRE(!found.empty());
    return found;
}

enum class Data : unsigned char { mixed, negative, positive, lowest, highest };

template <class T>
std::vector<T> elements(int n, Data data, int op) {
    using Limits = std::numeric_limits<T>;
    const auto count = static_cast<std::size_t>(n);
    if (data == Data::lowest && Limits::has_infinity && op != kSum)
        return std::vector<T>(count, -Limits::infinity());
    if (data == Data::highest && Limits::has_infinity && op != kSum)
        return std::vector<T>(count, Limits::infinity());
    if constexpr (std::is_same_v<T, float>) {
        return random_floats(count, data == Data::positive ? 0.25F : -1,
                             data == Data::negative ? -0.25F : 1);
    } else {
        const int most = op == kSum ? Limits::max() / std::max(n, 1) : Limits::max();
        std::vector<T> a = random_ints(count, data == Data::positive ? most / 4 : -most,
                                       data == Data::negative ? -most / 4 : most);
        // One that an absolute value makes the largest.
        if (data == Data::mixed && n > 2 && op != kSum) a[count / 3] = -most;
        return a;
    }
}

template <auto* Function, class T>
void check_reduce(int n, Data data, int op) {
    const std::vector<T> a = elements<T>(n, data, op);
    const auto call = submission().call<Function>(a, scratch, out, n, op);
    const std::vector<T> expected{cpu_reduce(a, op)};
    const auto check = [&](auto right) {
        CHECK_THAT(call.output(), std::move(right)
                                      .or_diagnose(nothing_written)
                                      .or_looks_like(mistakes_of_reduction(a, op))
                                      .or_diagnose(op == kSum ? sum_mistakes(a) : Diagnosers{})
                                      .or_diagnose(other_reduction(a, op)));
    };
    if constexpr (std::is_same_v<T, float>) {
        const double tolerance = sum_tolerance(a);
        if (op == kSum) {
            check(close_to(expected, [tolerance](std::size_t) { return tolerance; }));
        } else {
            check(equals(expected));
        }
    } else {
        check(equals(expected));
    }
    check_uses_the_device(call, n);
}

template <auto* Function, class T>
void check_frees(const char* name) {
    const int n = 5000;
    const std::vector<T> a = elements<T>(n, Data::mixed, kSum);
    check_leaves_nothing(
        name, [&] { return submission().call<Function>(a, scratch, out, n, kSum).leaked_bytes(); });
}

struct Reduction {
    int n;
    Data data;
    int op;
};

std::vector<Reduction> reductions() {
    std::vector<Reduction> all;
    for (const int op : {kSum, kMaximum, kMinimum, kMagnitude}) {
        for (const Data data : {Data::mixed, Data::negative, Data::positive})
            all.push_back({1000, data, op});
    }
    for (const int op : {kSum, kMaximum, kMinimum, kMagnitude}) {
        for (const int n : {0, 1, 33, 257, 300'007, random_int(1'100, 20'000)})
            all.push_back({n, Data::mixed, op});
        all.push_back({500, Data::lowest, op});
        all.push_back({500, Data::highest, op});
    }
    return all;
}

}  // namespace

TEST_CASE("run: 32 registers without kSpread", "[correctness][task:1][points:1][id:light]") {
    const Kernels named = require_kernels("run");
    const Kernels heavy = kernels_of(check_run(1000, kSpread).launches());
    for (const unsigned flags : {0U, kClamp, kInvert, kClamp | kInvert}) {
        const Kernels light = kernels_of(check_run(1000, flags).launches());
        const std::string why = light.empty() ? why_none_light(named) : why_not_light(light, heavy);
        INFO("run(n = 1000, " << flags_text(flags) << "): " << kLightRegisters
                              << " registers a thread are enough.\n"
                              << why);
        REQUIRE(why.empty());
    }
}

TEST_CASE("run: every combination of flags", "[correctness][task:1][points:1][needs:light]") {
    const unsigned flags = GENERATE(0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U);
    for (const int n : {1000, 1, 0, 256, 257, random_int(1'100, 5'000)})
        twice([&] { check_run(n, flags); });
}

TEST_CASE("run: at least 0.05x the reference", "[speed][task:1][points:1][needs:light]") {
    static constexpr unsigned kLight = kClamp | kInvert;
    const auto speed = time_against_reference<run>(
        {.gpu = (1 << 26) + 3, .vgpu = (1 << 20) + 3},
        [](int n) { return std::tuple(random_floats(n), out, n, kLight); },
        [](const Floats& x, auto...) { return equals(cpu_run(x, kLight).value); });
    CHECK_THAT(speed, at_least(0.05));
}

TEST_CASE("blend: nothing in local memory", "[correctness][task:2][points:1][id:local]") {
    const auto check = [](const std::string& call, const std::string& why) {
        INFO(call << why);
        REQUIRE(why.empty());
    };
    for (int count = kMostFrames; count > 0; --count) {
        const Kernels launched = kernels_of(check_blend(100, count).launches());
        check("blend(n = 100, count = " + std::to_string(count) + "): ", why_local(launched));
    }
    check("", why_local(require_kernels("blend")));
}

TEST_CASE("blend: the median of 1 to 9 frames", "[correctness][task:2][points:1][needs:local]") {
    const int count = GENERATE(5, 4, 9, 1, 2, 3, 6, 7, 8);
    for (const int n : {1000, 1, 0, 256, 257, random_int(1'100, 5'000)})
        twice([&] { check_blend(n, count); });
}

TEST_CASE("blend: at least 0.1x the reference", "[speed][task:2][points:1][needs:local]") {
    const auto speed = time_against_reference<blend>(
        {.gpu = (1 << 23) + 3, .vgpu = (1 << 17) + 3},
        [](int n) { return std::tuple(random_floats(kMostFrames * n), out, n, kMostFrames); },
        [](const Floats& frames, auto, int n, int count) {
            return equals(cpu_blend(frames, n, count));
        });
    CHECK_THAT(speed, at_least(0.1));
}

TEST_CASE("reduce_floats: four operators", "[correctness][task:3][points:1][id:floats]") {
    const auto [n, data, op] = GENERATE(from_range(reductions()));
    twice([&, n = n, data = data, op = op] { check_reduce<reduce_floats, float>(n, data, op); });
    if (n == 33 && op == kSum) check_frees<reduce_floats, float>("reduce_floats");
}

TEST_CASE("reduce_ints: four operators", "[correctness][task:3][points:1]") {
    const auto [n, data, op] = GENERATE(from_range(reductions()));
    twice([&, n = n, data = data, op = op] { check_reduce<reduce_ints, int>(n, data, op); });
    if (n == 33 && op == kSum) check_frees<reduce_ints, int>("reduce_ints");
}

TEST_CASE("reduce_floats: at least 0.1x the reference", "[speed][task:3][points:1][needs:floats]") {
    const auto speed = time_against_reference<reduce_floats>(
        {.gpu = (1 << 26) + 3, .vgpu = (1 << 21) + 3},
        [](int n) { return std::tuple(random_floats(n), scratch, out, n, kMaximum); },
        [](const Floats& a, auto...) { return equals(Floats{cpu_reduce(a, kMaximum)}); });
    CHECK_THAT(speed, at_least(0.1));
}

TEST_CASE("uses_local_memory: six suspects", "[correctness][task:4][points:1]") {
    constexpr int kSuspects = 6;
    int wrong = 0, open = 0;
    for (int suspect = 0; suspect < kSuspects; ++suspect) {
        const int answer = submission().call<uses_local_memory>(suspect).returned();
        if (answer != 0 && answer != 1)
            ++open;
        else if ((answer == 1) != suspect_uses_local(suspect))
            ++wrong;
    }
    {
        INFO(
            open << " of the six are not answered yet: 1 means that a suspect uses local memory, 0 "
                    "that it does not.");
        REQUIRE(open == 0);
    }
    INFO(wrong << (wrong == 1 ? " answer" : " answers") << " of six "
               << (wrong == 1 ? "differs" : "differ")
               << " from the assembler's report. Ask it: which kernels have a stack frame?");
    REQUIRE(wrong == 0);
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 15) and benchmarks (./lab bench 15), drawn by the scripts of the same
// names in figures/.

namespace {

/// "reduce<int, Sum<int>>" for "reduce_kernel<int, Sum<int> >": labels have little room.
std::string short_name(std::string name) {
    constexpr std::string_view kKernel = "_kernel", kBlank = " >";
    for (std::size_t at = 0; (at = name.find(kBlank)) != std::string::npos;) name.erase(at, 1);
    const std::size_t at = name.find(kKernel);
    return at == std::string::npos ? name : name.erase(at, kKernel.size());
}

}  // namespace

TEST_CASE("picture: registers", "[.][picture]") {
    Table table("registers", {"kernel", "registers", "local_bytes"});
    for (const char* beginning : {"run", "blend", "reduce", "suspect"}) {
        for (const CompiledKernel& kernel : kernels_named(beginning))
            table.row(short_name(kernel.name), kernel.needs.registers, kernel.needs.stack_bytes);
    }
}

TEST_CASE("bench: frames", "[.][bench]") {
    check_blend(1000, 5);  // reports a wrong program before timing it
    const int n = speed_size(1 << 23, 1 << 19);
    Table table("frames", {"count", "version", "time_ms", "gb_per_s"});
    for (int count = 1; count <= kMostFrames; ++count) {
        const Floats frames = random_floats(n * count);
        for (const Version& version : versions()) {
            const double ms = time_ms<blend>(version, frames, out, n, count);
            table.row(count, version.name(), ms, 4e-6 * n * (count + 1) / ms);
        }
    }
}

TEST_CASE("bench: flags", "[.][bench]") {
    check_run(1000, kClamp);
    const int n = speed_size(1 << 24, 1 << 18);
    const Floats x = random_floats(n);
    Table table("flags", {"flags", "version", "time_ms", "gb_per_s"});
    for (unsigned flags = 0; flags < kFlags; ++flags) {
        for (const Version& version : versions()) {
            const double ms = time_ms<run>(version, x, out, n, flags);
            table.row(flags, version.name(), ms, 8e-6 * n / ms);
        }
    }
}

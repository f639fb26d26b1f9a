// Grader of lab 02: what launch_vector_add and vector_add must do, for 10 points.
//
// Float addition is rounded the same way on every device, so results are compared to the last bit.
// Only the first failure is explained, so each test begins with a size that tells mistakes apart.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "check/check.h"
#include "check/mistakes/stores.h"
#include "check/toward_zero.h"
#include "vector_add.h"

using namespace lab;

namespace {

std::vector<float> cpu_add(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> c(a.size());
    std::ranges::transform(a, b, c.begin(), std::plus<>());
    return c;
}

/// A wrong sum of each pair, and the message for it.
struct WrongSum {
    float (*of)(float a, float b);
    const char* sentence;
    bool is_copy = false;  ///< of one of the inputs
};
/// With a wrong copy, even a right kernel gives these values.
constexpr const char* kAnotherCopied = " Or one of the inputs was copied back, not the result.";
constexpr std::array kWrongSums{
    WrongSum{[](float a, float b) { return a - b; }, "Each value is a[i] - b[i]."},
    WrongSum{[](float a, float b) { return a * b; }, "Each value is a[i] * b[i]."},
    WrongSum{[](float a, float) { return a + a; },
             "Each value is a[i] + a[i]: where b should be, a was read."},
    WrongSum{[](float, float b) { return b + b; },
             "Each value is b[i] + b[i]: where a should be, b was read."},
    WrongSum{[](float a, float) { return a; }, "Each value is a[i] alone: b is missing.", true},
    WrongSum{[](float, float b) { return b; }, "Each value is b[i] alone: a is missing.", true},
    WrongSum{[](float a, float b) { return std::trunc(a + b); },
             "Each value has lost its fraction: somewhere a sum is kept in an int."},
    // All other sums are exact, so there this is right.
    WrongSum{
        [](float a, float b) { return toward_zero(double{a} + double{b}); },
        "Each sum is cut off where it must be rounded to the nearest float, as a plain + does."}};

/// An index at which one of the two is read instead of i, and the message for it.
struct WrongPlace {
    std::size_t (*of)(std::size_t i, std::size_t n);
    const char* sentence;
};
constexpr std::size_t kThreads = 256;  ///< of a block, as the file is handed out
constexpr std::array kWrongPlaces{
    WrongPlace{[](std::size_t i, std::size_t n) { return n - 1 - i; },
               "n - 1 - i: it is read in reverse."},
    WrongPlace{[](std::size_t, std::size_t) { return std::size_t{0}; },
               "0, the first, for all sums alike."},
    WrongPlace{[](std::size_t i, std::size_t) { return i % kThreads; },
               "threadIdx.x, which begins again in each block."},
    WrongPlace{[](std::size_t i, std::size_t) { return i / kThreads; },
               "blockIdx.x, the same for all threads of a block."}};

/// vector_add: no kernel computed the values that came back to the host.
std::optional<std::string> nothing_was_launched(const Evidence& e) {
    const bool all_came = std::ranges::find(e.untouched, true) == e.untouched.end(),
               none_right = std::ranges::find(e.right, true) == e.right.end();
    if (!e.launches_known || !e.launches.empty() || !e.on_host || !all_came || !none_right) {
        return std::nullopt;
    }
    return "No kernel was launched, so no sum was computed on the device. Which function launches "
           "it?";
}

/// 2^-1 to 2^-12 of random_floats(). Added to random_floats(), they give sums with more digits than
/// a float holds, which must be rounded; the sum of two random_floats() never needs rounding.
std::vector<float> smaller_floats(int n) {
    auto values = random_floats(n);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::ldexp(values[i], -1 - static_cast<int>(i % 12));
    }
    return values;
}

/// A kernel ran, and each of its threads stored its own element, about once.
void check_launches(const std::vector<LaunchRecord>& launches, int n) {
    {
        INFO("no kernel was launched: the sum must be computed on the device");
        CHECK_FALSE(launches.empty());
    }
    const std::uint64_t stored = stored_bytes(launches) / sizeof(float),
                        all = static_cast<std::uint64_t>(n);
    INFO(stored_too_often(launches, stored, all, "sum"));
    CHECK(stored <= 2 * all + kThreads);
}

/// One call of either function.
template <auto* Function>
void check_sum(const std::vector<float>& a, const std::vector<float>& b) {
    const auto n = static_cast<int>(a.size());
    const auto call = submission().call<Function>(a, b, out, n);
    auto matcher = equals(cpu_add(a, b));
    // Not Function == vector_add: to GCC 12 with -fsanitize=undefined that is no constant.
    constexpr bool on_host = std::is_same_v<Contract<Function>, Contract<vector_add>>;
    for (const WrongSum& wrong : kWrongSums) {  // adds in place
        std::move(matcher).or_looks_like(
            [&] {
                std::vector<float> c(a.size());
                std::ranges::transform(a, b, c.begin(), wrong.of);
                return c;
            },
            on_host && wrong.is_copy ? wrong.sentence + std::string(kAnotherCopied)
                                     : wrong.sentence);
    }
    std::move(matcher).or_looks_like(
        [&] {
            std::vector<float> c = cpu_add(a, b);
            std::ranges::reverse(c);
            return c;
        },
        "The sums are in reverse order: c[0] is the last one.");
    for (const WrongPlace& wrong : kWrongPlaces) {
        for (const bool is_a : {true, false}) {
            std::move(matcher).or_looks_like(
                [&, is_a] {
                    std::vector<float> c(a.size());
                    for (std::size_t i = 0; i < c.size(); ++i) {
                        const std::size_t place = wrong.of(i, c.size());
                        c[i] = a[is_a ? place : i] + b[is_a ? i : place];
                    }
                    return c;
                },
                std::string("Of ") + (is_a ? "a" : "b") + " each sum has the element " +
                    wrong.sentence);
        }
    }
    CHECK_THAT(call.output(),
               std::move(matcher).or_diagnose(nothing_was_launched).or_diagnose(indexing_mistakes));
    if (on_vgpu() && n > 0) check_launches(call.launches(), n);  // a GPU reports no launches
}

/// The same with new data.
template <auto* Function>
void check_sum(int n) {
    check_sum<Function>(random_floats(n), random_floats(n));
}

}  // namespace

TEST_CASE("launch_vector_add: up to 256 elements", "[correctness][task:1][points:2]") {
    const int n = GENERATE(100, 31, 33, 255, 256, 32, 2, 1);
    check_sum<launch_vector_add>(n);
}

TEST_CASE("launch_vector_add: any number of elements",
          "[correctness][task:2][points:2][id:elements]") {
    static constexpr int kRounded = 1'003;
    const int n = GENERATE(1000, 511, 257, 256, 512, 513, 1023, 1024, 1025, 32, 1, kRounded, 30'031,
                           300'007, random_int(1'100, 100'000));
    twice([&] {
        check_sum<launch_vector_add>(random_floats(n),
                                     n == kRounded ? smaller_floats(n) : random_floats(n));
    });
}

TEST_CASE("launch_vector_add: no elements, no launch error",
          "[robustness][task:2][points:1][needs:elements]") {
    check_sum<launch_vector_add>(0);  // the call fails the test if it leaves a CUDA error behind
}

TEST_CASE("vector_add: there and back", "[correctness][task:3][points:2][id:host]") {
    const int n = GENERATE(1000, 255, 256, 257, 1, 0, 30'031, 300'007, random_int(1'100, 100'000));
    twice([&] { check_sum<vector_add>(n); });
}

TEST_CASE("vector_add: frees all its device memory", "[robustness][task:3][points:1][needs:host]") {
    const int n = GENERATE(1 << 16, 100, 0), calls = 4;
    const auto a = random_floats(n), b = random_floats(n);
    const long long leaked_bytes = leaked_by(
        calls, [&] { return submission().call<vector_add>(a, b, out, n).leaked_bytes(); });
    const long long arrays =
        n == 0 ? 0 : leaked_bytes / (calls * n * static_cast<long long>(sizeof(float)));
    INFO(calls << " calls of vector_add with n = " << n << " left " << leaked_bytes
               << " bytes of device memory allocated, " << arrays
               << " of its arrays in each call: every allocation needs its cudaFree" << kAndPinned);
    CHECK(leaked_bytes == 0);
}

TEST_CASE("launch_vector_add: at least 0.45x the reference",
          "[speed][task:2][points:2][needs:elements]") {
    // On a GPU 403 MB in three vectors: over six times the L2 of an H200, and about 0.12 ms there.
    const auto speed = time_against_reference<launch_vector_add>(
        {.gpu = (1 << 25) + 3, .vgpu = (1 << 21) + 3},
        [](int n) { return std::tuple(random_floats(n), random_floats(n), out, n); },
        [](const auto& a, const auto& b, auto...) { return equals(cpu_add(a, b)); });
    CHECK_THAT(speed, at_least(0.45));
}

// ---------------------------------------------------------------------------
// Benchmarks (./lab bench 02), drawn by the scripts of the same names in figures/.

namespace {

/// Two floats are read and one is written for each element.
double gb_per_s(int n, double time_ms) {
    return 3 * sizeof(float) * 1e-6 * n / time_ms;
}

}  // namespace

TEST_CASE("bench: bandwidth", "[.][bench]") {
    check_sum<launch_vector_add>(1000);  // reports a wrong program before timing it
    const int largest = speed_size(1 << 26, 1 << 22), step = speed_size(2, 4);
    const auto a = random_floats(largest), b = random_floats(largest);
    Table table("bandwidth", {"n", "version", "time_ms", "gb_per_s"});
    for (int n = 1 << 10; n <= largest; n *= step) {
        const std::span<const float> first_a(a.data(), static_cast<std::size_t>(n));
        const std::span<const float> first_b(b.data(), static_cast<std::size_t>(n));
        for (const Version& version : versions()) {
            const double ms = time_ms<launch_vector_add>(version, first_a, first_b, out, n);
            table.row(n, version.name(), ms, gb_per_s(n, ms));
        }
    }
}

TEST_CASE("bench: versions", "[.][bench]") {
    check_sum<launch_vector_add>(1000);
    const int n = speed_size((1 << 25) + 3, 1 << 22);
    const auto a = random_floats(n), b = random_floats(n);
    Table table("versions", {"version", "n", "time_ms", "gb_per_s"});
    std::vector<Version> all = versions();
    std::ranges::copy(other_versions(), std::back_inserter(all));
    for (const Version& version : all) {
        const double ms = time_ms<launch_vector_add>(version, a, b, out, n);
        table.row(version.name(), n, ms, gb_per_s(n, ms));
    }
}

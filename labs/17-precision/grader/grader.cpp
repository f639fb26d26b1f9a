// Grader of lab 17: axpy in four types, and three sums, of halves, of floats that cancel, and of
// sines, for 10 points.
//
// axpy is exact: the contract says what is rounded, and when. Of sums only a bound is asked for. It
// follows from the number of terms and the type (numbers.h), so that every order of adding keeps
// it; notes.md says how far right and wrong programs are from it.

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "mistakes.h"
#include "numbers.h"
#include "precision.h"

using namespace lab;

namespace {

/// Checks on the virtual GPU that kernels did the work. A GPU reports no launches.
template <class Call>
void check_uses_the_device(const Call& call, int n) {
    if (!on_vgpu() || n < 2) return;  // a copy is enough for one
    INFO("no kernel was launched, or its threads have done too little to have looked at all "
         << n << " elements: the result must be computed on the device");
    CHECK(executed_for_each(call.launches(), n));
}

template <auto* Function, class T>
void check_axpy(int n) {
    const Axpy<T> arguments = random_axpy<T>(n);
    const auto call = submission().call<Function>(arguments.a, arguments.x, arguments.y, n);
    CHECK_THAT(call.output(), equals(cpu_axpy(arguments))
                                  .or_looks_like(mistakes_of_axpy(arguments))
                                  .or_looks_like(arguments.y, "y is as it was before the call.")
                                  .or_diagnose(tail_unchanged)
                                  .or_diagnose(indexing_mistakes));
    check_uses_the_device(call, n);
}

void check_sum_half(const Halves& a) {
    const int n = static_cast<int>(a.size());
    const Floats floats = as_floats(a);
    const Sum sum = cpu_sum(floats);
    const auto call = submission().call<sum_half>(a, out, n);
    const auto tail = [&](const Evidence& e) { return last_has_no_partner(floats, e.got(0)); };
    const auto again = [&](const Evidence& e) { return last_counts_again(floats, e.got(0)); };
    const auto one = [&](const Evidence& e) { return one_of_each_pair(floats, e.got(0)); };
    const auto halves = [&](const Evidence& e) { return added_as_halves(sum, e.got(0)); };
    CHECK_THAT(call.output(), equals(Floats{static_cast<float>(sum.value)})
                                  .or_diagnose(nothing_written)
                                  .or_diagnose(tail)
                                  .or_diagnose(one)
                                  .or_diagnose(sum_mistakes(floats))
                                  .or_diagnose(again)
                                  .or_diagnose(halves));
    check_uses_the_device(call, n);
}

/// A sum of floats whose exact value is `sum`, within the rounding errors of any order.
auto near(const Sum& sum) {
    const double bound = rounding(sum);
    return close_to(Floats{static_cast<float>(sum.value)}, [bound](std::size_t) { return bound; });
}

void check_fractions(const Halves& a) {
    const Floats floats = as_floats(a);
    const auto call = submission().call<sum_half>(a, out, static_cast<int>(a.size()));
    CHECK_THAT(call.output(), near(cpu_sum(floats)).or_diagnose(sum_mistakes(floats)));
}

void check_sum_compensated(const Floats& a) {
    const int n = static_cast<int>(a.size());
    const Sum sum = cpu_sum(a);
    const double bound = compensated_bound(sum);
    const auto call = submission().call<sum_compensated>(a, scratch, out, n);
    CHECK_THAT(call.output(),
               close_to(Floats{static_cast<float>(sum.value)}, [&](std::size_t) { return bound; })
                   .or_diagnose(nothing_written)
                   .or_diagnose(sum_mistakes(a))
                   .or_diagnose([&](const Evidence& e) { return not_compensated(a, e); }));
    check_uses_the_device(call, n);
}

void check_one_sine(const Floats& x) {
    const int n = static_cast<int>(x.size());
    const Floats w{1};
    const auto call = submission().call<sines>(x, w, out, n, 1);
    CHECK_THAT(call.output(),
               close_to(cpu_sines(x, w), [&](std::size_t) { return sines_bound(w); })
                   .or_looks_like(mistakes_of_sines(x, w))
                   .or_diagnose([&](const Evidence& e) { return negative_angles_are_wrong(x, e); })
                   .or_diagnose(signs_are_wrong)
                   .or_diagnose([&](const Evidence& e) { return large_angles_are_wrong(x, e); })
                   .or_diagnose(indexing_mistakes));
    check_uses_the_device(call, n);
}

/// With some angles next to multiples of pi, where a recurrence from sine to sine has few digits.
void check_series(int n, const Floats& w) {
    const int terms = static_cast<int>(w.size());
    Floats x = angles(n, 1e6 / std::max(terms, 1));
    for (std::size_t i = 0; const float angle : {22.0F, 355.0F, 710.0F, 0.0625F})
        if (i < x.size()) x[i++] = angle;
    const auto call = submission().call<sines>(x, w, out, n, terms);
    CHECK_THAT(call.output(), close_to(cpu_sines(x, w), [&](std::size_t) {
                                  return sines_bound(w);
                              }).or_diagnose(indexing_mistakes));
}

// More elements than a GPU has threads at once, so that each thread has several.
constexpr int kMany = 1'500'011;

/// On a GPU 268 MB: over four times the L2 of an H200.
constexpr SpeedSizes kHalves{.gpu = (1 << 27) + 3, .vgpu = (1 << 22) + 3};
/// Arithmetic is the limit here: 2^28 sines. (The checker computes them in double.)
constexpr SpeedSizes kSines{.gpu = (1 << 23) + 3, .vgpu = (1 << 17) + 3};
constexpr int kTerms = 32;

SpeedTest time_sum_half() {
    return time_against_reference<sum_half>(
        kHalves, [](int n) { return std::tuple(fractions(n), out, n); },
        [](const Halves& a, auto...) { return near(cpu_sum(as_floats(a))); });
}

SpeedTest time_sines() {
    return time_against_reference<sines>(
        kSines,
        [](int n) {
            return std::tuple(angles(n, 1e6 / kTerms), random_floats(kTerms), out, n, kTerms);
        },
        [](const Floats& x, const Floats& w, auto...) {
            return close_to(cpu_sines(x, w),
                            [bound = sines_bound(w)](std::size_t) { return bound; });
        });
}

}  // namespace

TEST_CASE("axpy_float and axpy_double: rounded once", "[correctness][task:1][points:1]") {
    const int n = GENERATE(1000, 1, 255, 256, 257, 31, 33, 0, random_int(1'100, 20'000));
    twice([&] {
        check_axpy<axpy_float, float>(n);
        check_axpy<axpy_double, double>(n);
    });
}

TEST_CASE("axpy_half and axpy_bfloat: arithmetic in float", "[correctness][task:1][points:1]") {
    const int n = GENERATE(1000, 1, 255, 256, 257, 31, 33, 0, random_int(1'100, 20'000));
    twice([&] {
        check_axpy<axpy_half, __half>(n);
        check_axpy<axpy_bfloat, __nv_bfloat16>(n);
    });
}

TEST_CASE("sum_half: any number of elements", "[correctness][task:2][points:2][id:half]") {
    const int n = GENERATE(kMany, 3000, 3001, 1, 2, 3, 31, 33, 255, 256, 257, 511, 512, 513, 1025,
                           0, random_int(1'100, 100'000));
    twice([&] {
        check_sum_half(whole_halves(n));
        if (n < kMany) check_fractions(fractions(n));
    });
    if (n != 3000) return;
    const Halves a = fractions(n);
    check_leaves_nothing("sum_half",
                         [&] { return submission().call<sum_half>(a, out, n).leaked_bytes(); });
}

TEST_CASE("sum_half: at least 0.15x the reference", "[speed][task:2][points:1][needs:half]") {
    const auto speed = time_sum_half();
    CHECK_THAT(speed, at_least(0.15));
}

TEST_CASE("sum_compensated: although terms cancel", "[correctness][task:3][points:2]") {
    const int n = GENERATE(3000, kMany, 1000, 1, 2, 3, 4, 31, 33, 255, 256, 257, 511, 513, 100'003,
                           0, random_int(1'100, 100'000));
    twice([&] {
        check_sum_compensated(cancelling(n));
        check_sum_compensated(random_floats(n));
    });
    if (n > 3000) return;
    for (const int power : {-30, 20}) check_sum_compensated(scaled(cancelling(n), power));
    if (n == 1000) {
        const Floats a = random_floats(n);
        check_leaves_nothing("sum_compensated", [&] {
            return submission().call<sum_compensated>(a, scratch, out, n).leaked_bytes();
        });
    }
}

TEST_CASE("sines: of all angles", "[correctness][task:4][points:2][id:sines]") {
    const int n = GENERATE(1000, 1, 31, 255, 256, 257, 0, random_int(1'100, 20'000));
    twice([&] {
        for (const double largest : {1e6, 100.0, 3.0})
            check_one_sine(angles_of_all_sizes(n, largest));
        for (const int terms : {2, 7, 64, 0}) check_series(n, random_floats(terms));
        // The last sine alone: errors of others cannot hide that of its angle.
        Floats last(64);
        last.back() = 1;
        check_series(n, last);
    });
}

TEST_CASE("sines: at least 0.15x the reference", "[speed][task:4][points:1][needs:sines]") {
    const auto speed = time_sines();
    CHECK_THAT(speed, at_least(0.15));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 17) and benchmarks (./lab bench 17), drawn by the scripts of the same
// names in figures/.

namespace {

/// One after the other, in T.
template <class T>
double running_sum(const Floats& a) {
    double sum = 0;
    for (const float x : a) sum = number(rounded<T>(sum + number(x)));
    return sum;
}

double sum_in_pairs(Floats a) {
    while (a.size() > 1) {
        const std::size_t half = (a.size() + 1) / 2;
        for (std::size_t i = 0; i + half < a.size(); ++i) a[i] += a[i + half];
        a.resize(half);
    }
    return number(a[0]);
}

/// How many decimal digits are right: 0 to 9.
double digits(double error) {
    return error < 1 ? -std::log10(std::max(error, 1e-9)) : 0;
}

double right_digits(double got, double exact) {
    return digits(std::abs(got - exact) / std::abs(exact));
}

}  // namespace

TEST_CASE("picture: sum_half", "[.][picture]") {
    Table table("sum_half", {"n", "version", "digits"});
    for (int n = 1 << 4; n <= 1 << 20; n *= 4) {
        const Halves a = fractions(n);
        const Floats floats = as_floats(a);
        const double exact = cpu_sum(floats).value;
        const auto call = submission().call<sum_half>(a, out, n);
        table.row(n, "sum_half", right_digits(number(call.output()[0]), exact));
        table.row(n, "added in a half", right_digits(running_sum<__half>(floats), exact));
        table.row(n, "added in a float", right_digits(running_sum<float>(floats), exact));
    }
}

TEST_CASE("picture: sum_compensated", "[.][picture]") {
    Table table("sum_compensated", {"n", "version", "digits"});
    for (int n = 1 << 4; n <= 1 << 20; n *= 4) {
        const Floats a = cancelling(n);
        const double exact = cpu_sum(a).value;
        const auto call = submission().call<sum_compensated>(a, scratch, out, n);
        table.row(n, "sum_compensated", right_digits(number(call.output()[0]), exact));
        table.row(n, "one after the other", right_digits(running_sum<float>(a), exact));
        table.row(n, "in pairs", right_digits(sum_in_pairs(a), exact));
    }
}

TEST_CASE("picture: sines", "[.][picture]") {
    Table table("sines", {"angle", "version", "digits"});
    const Floats w{1};
    for (double largest = 1; largest <= 1e6; largest *= 4) {
        const Floats x = angles(2000, largest), right = cpu_sines(x, w);
        const auto call = submission().call<sines>(x, w, out, static_cast<int>(x.size()), 1);
        double worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            worst = std::max(worst, std::abs(number(call.output()[i]) - number(right[i])));
        }
        table.row(largest, "sines", digits(worst));
        table.row(largest, "asked for", digits(2e-6));
    }
}

TEST_CASE("bench: functions", "[.][bench]") {
    check_sum_half(whole_halves(1000));  // reports a wrong program before timing it
    check_sum_compensated(cancelling(1000));
    check_series(1000, random_floats(7));
    const int n = speed_size(1 << 27, 1 << 24), few = speed_size(1 << 23, 1 << 18);
    const Halves halves = fractions(n);
    const Floats floats = random_floats(n);
    const Floats x = angles(few, 1e6 / kTerms), w = random_floats(kTerms);
    Table table("functions", {"function", "version", "time_ms", "g_per_s"});
    for (const Version& version : versions()) {
        const double half_ms = time_ms<sum_half>(version, halves, out, n);
        table.row("sum_half, elements", version.name(), half_ms, 1e-6 * n / half_ms);
        const double sum_ms = time_ms<sum_compensated>(version, floats, scratch, out, n);
        table.row("sum_compensated, elements", version.name(), sum_ms, 1e-6 * n / sum_ms);
        const double sines_ms = time_ms<sines>(version, x, w, out, few, kTerms);
        table.row("sines, sines", version.name(), sines_ms, 1e-6 * few * kTerms / sines_ms);
    }
}

TEST_CASE("bench: types", "[.][bench]") {
    check_axpy<axpy_float, float>(1000);
    const int n = speed_size(1 << 25, 1 << 23);
    Table table("types", {"type", "version", "time_ms", "gb_per_s"});
    const auto row = [&](const char* type, const Version& version, double time_ms, int bytes) {
        table.row(type, version.name(), time_ms, 3e-6 * bytes * n / time_ms);
    };
    const auto in_half = random_axpy<__half>(n);
    const auto in_float = random_axpy<float>(n);
    const auto in_double = random_axpy<double>(n);
    for (const Version& version : versions()) {
        row("half", version, time_ms<axpy_half>(version, in_half.a, in_half.x, in_half.y, n), 2);
        row("float", version, time_ms<axpy_float>(version, in_float.a, in_float.x, in_float.y, n),
            4);
        row("double", version,
            time_ms<axpy_double>(version, in_double.a, in_double.x, in_double.y, n), 8);
    }
}

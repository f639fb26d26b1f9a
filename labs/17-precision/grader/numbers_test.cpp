// Tests the bounds and data of lab 17 from both sides: every right way to compute keeps them, and
// the mistakes do not.

#include "numbers.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <numbers>

#include "precision.h"

namespace {

Pair knuth(Pair x, Pair y) {
    const float sum = x.sum + y.sum, y_part = sum - x.sum, x_part = sum - y_part;
    return {sum, ((x.sum - x_part) + (y.sum - y_part)) + (x.error + y.error)};
}
Pair neumaier(Pair x, Pair y) {
    const float sum = x.sum + y.sum;
    const bool is_larger = std::abs(x.sum) >= std::abs(y.sum);
    const float lost = is_larger ? (x.sum - sum) + y.sum : (y.sum - sum) + x.sum;
    return {sum, lost + x.error + y.error};
}
Pair larger_one_first(Pair x, Pair y) {
    const float sum = x.sum + y.sum;
    return {sum, (y.sum - (sum - x.sum)) + (x.error + y.error)};
}
Pair plain(Pair x, Pair y) {
    return {x.sum + y.sum, 0};
}
Pair kahan(Pair x, Pair y) {
    const float next = y.sum + (x.error + y.error), sum = x.sum + next;
    return {sum, next - (sum - x.sum)};
}

using Add = Pair (*)(Pair, Pair);

/// Every `threads`-th element one after the other, then a tree.
double sum_of(const Floats& a, std::size_t threads, Add in_loop, Add in_tree) {
    std::vector<Pair> pairs(threads);
    for (std::size_t i = 0; i < a.size(); ++i) {
        pairs[i % threads] = in_loop(pairs[i % threads], {a[i], 0});
    }
    for (std::size_t step = 1; step < threads; step *= 2) {
        for (std::size_t i = 0; i + step < threads; i += 2 * step) {
            pairs[i] = in_tree(pairs[i], pairs[i + step]);
        }
    }
    return number(pairs[0].sum + pairs[0].error);
}

/// How far off, in units of the bound.
double error_of(const Floats& a, std::size_t threads, Add in_loop, Add in_tree) {
    const Sum exact = cpu_sum(a);
    return std::abs(sum_of(a, threads, in_loop, in_tree) - exact.value) / compensated_bound(exact);
}

double in_one_precision_more(double angle, double two_pi) {
    return std::sin(angle - std::rint(angle / (2 * std::numbers::pi)) * two_pi);
}

}  // namespace

TEST_CASE("compensated_bound: compensated sums keep it in any order") {
    const int n = GENERATE(1, 2, 3, 100, 1000, 3000, 20'011);
    const Floats a = cancelling(n);
    for (const std::size_t threads : {1U, 32U, 256U, 4096U}) {
        CHECK(error_of(a, threads, knuth, knuth) < 0.5);
        CHECK(error_of(a, threads, neumaier, neumaier) < 0.5);
    }
    CHECK(error_of(lab::random_floats(n), 256, knuth, knuth) < 0.6);  // rounding alone: 0.5
}

TEST_CASE("compensated_bound: plain sums and sums that lose errors exceed it") {
    const int n = GENERATE(3000, 20'011, 100'003);
    // One of a hundred comes near by chance.
    const std::vector<Floats> draws = {cancelling(n), cancelling(n), cancelling(n), cancelling(n)};
    const auto largest = [&](std::size_t threads, Add in_loop, Add in_tree) {
        double error = 0;
        for (const Floats& a : draws)
            error = std::max(error, error_of(a, threads, in_loop, in_tree));
        return error;
    };
    for (const std::size_t threads : {1U, 256U, 1024U}) {
        CHECK(largest(threads, plain, plain) > 4);
        CHECK(largest(threads, larger_one_first, larger_one_first) > 4);
    }
    CHECK(largest(256, kahan, knuth) > 4);
}

TEST_CASE("random_axpy: a second rounding shows, also one of a double") {
    const auto floats = random_axpy<float>(1000);
    const auto right = cpu_axpy(floats);
    int in_double = 0, product_first = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        const double product = number(floats.a) * number(floats.x[i]), y = number(floats.y[i]);
        in_double += static_cast<float>(product + y) != right[i] ? 1 : 0;
        const volatile float rounded_product = static_cast<float>(product);
        product_first += rounded_product + floats.y[i] != right[i] ? 1 : 0;
    }
    CHECK(in_double == 250);
    CHECK(product_first > 250);
}

TEST_CASE("random_axpy: halves are the same by way of a double") {
    const auto halves = random_axpy<__half>(20'000);
    const auto right = cpu_axpy(halves);
    for (std::size_t i = 0; i < right.size(); ++i) {
        const double exact =
            number(halves.a) * number(halves.x[i]) + number(halves.y[i]);  // but for 2^-53
        CHECK(number(rounded<__half>(exact)) == number(right[i]));
    }
}

TEST_CASE("whole_halves: exact in float, not in halves that add two elements") {
    const int n = GENERATE(1, 2, 1000, 100'003, 1'500'011);
    const Halves a = whole_halves(n);
    const Floats floats = as_floats(a);
    const Sum exact = cpu_sum(floats);
    CHECK(exact.value < 0x1p24);
    CHECK(sum_of(floats, 1, plain, plain) == exact.value);
    double of_pairs = 0;
    for (std::size_t i = 0; i < floats.size(); i += 2) {
        const double second = i + 1 < floats.size() ? number(floats[i + 1]) : 0;
        of_pairs += number(rounded<__half>(number(floats[i]) + second));
    }
    CHECK((n < 1000 || of_pairs != exact.value));
}

TEST_CASE("sines_bound: 2 pi as one float exceeds it, in two it does not") {
    const Floats x = angles(1000, 1e6), right = cpu_sines(x, {1});
    double by_one = 0, by_two = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double angle = number(x[i]), sine = number(right[i]);
        by_one =
            std::max(by_one, std::abs(in_one_precision_more(angle, 6.2831854820251465) - sine));
        by_two = std::max(
            by_two,
            std::abs(in_one_precision_more(angle, 6.2831854820251465 - 1.74845553e-7) - sine));
    }
    CHECK(by_one > 1000 * sines_bound({1}));
    CHECK(by_two < sines_bound({1}) / 10);
}

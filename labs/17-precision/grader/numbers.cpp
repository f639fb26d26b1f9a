#include "numbers.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "protocol/parallel.h"

using namespace lab;

namespace {

std::size_t count(int n) {
    return static_cast<std::size_t>(n);
}

/// a is 1 + d and x is 2^-24 (1 - d) with d = 2^-16, so a * x is 2^-24 - 2^-56: half of the last
/// digit of a y between 1 and 2, less next to nothing. In double the sum with y is the middle of
/// two floats, from where it goes to the even one, and y is odd. (All times a power of 2.)
constexpr float kNearOne = 1 + 0x1p-16F;

void put_next_to_the_middle(float& x, float& y) {
    const float scale = std::ldexp(1.0F, random_int(-3, 3));
    const auto odd = static_cast<float>(2 * random_int(0, (1 << 22) - 1) + 1);
    y = scale * (1 + odd * 0x1p-23F);
    x = scale * 0x1p-24F * (1 - 0x1p-16F) * (random_int(0, 1) == 0 ? 1.0F : -1.0F);
}

/// Whether a result of 16 bits would be another one if the float before it were not rounded, too.
/// Programs that compute in double may do so.
template <class T>
bool next_to_a_middle(const Axpy<T>& arguments, std::size_t i) {
    if constexpr (sizeof(T) != 2) return false;
    const double x = number(arguments.x[i]), y = number(arguments.y[i]), a = number(arguments.a);
    const float sum = std::fma(static_cast<float>(a), static_cast<float>(x), static_cast<float>(y));
    return number(rounded<T>(a * x + y)) != number(rounded<T>(number(sum)));
}

}  // namespace

template <class T>
Axpy<T> random_axpy(int n) {
    Axpy<T> arguments;
    constexpr bool kIsFloat = std::is_same_v<T, float>;
    arguments.a =
        static_cast<Arithmetic<T>>(kIsFloat ? number(kNearOne) : random_doubles(1, 1.0, 2.0)[0]);
    const auto x = random_doubles(n, -4.0, 4.0), y = random_doubles(n, -4.0, 4.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        // Some bfloat16s are of a size that no half has.
        const int power =
            sizeof(T) == 2 && !std::is_same_v<T, __half> && i % 8 == 5 ? random_int(-60, 60) : 0;
        arguments.x.push_back(rounded<T>(std::ldexp(x[i], power)));
        arguments.y.push_back(rounded<T>(std::ldexp(y[i], power)));
        if (next_to_a_middle(arguments, i)) arguments.x[i] = rounded<T>(0.0);
        if constexpr (kIsFloat) {
            if (i % 4 == 3) put_next_to_the_middle(arguments.x[i], arguments.y[i]);
        }
    }
    return arguments;
}

template <class T>
std::vector<T> cpu_axpy(const Axpy<T>& arguments) {
    using A = Arithmetic<T>;
    std::vector<T> result;
    for (std::size_t i = 0; i < arguments.x.size(); ++i) {
        const A sum = std::fma(arguments.a, static_cast<A>(number(arguments.x[i])),
                               static_cast<A>(number(arguments.y[i])));
        result.push_back(rounded<T>(number(sum)));
    }
    return result;
}

template Axpy<float> random_axpy(int);
template Axpy<double> random_axpy(int);
template Axpy<__half> random_axpy(int);
template Axpy<__nv_bfloat16> random_axpy(int);
template std::vector<float> cpu_axpy(const Axpy<float>&);
template std::vector<double> cpu_axpy(const Axpy<double>&);
template std::vector<__half> cpu_axpy(const Axpy<__half>&);
template std::vector<__nv_bfloat16> cpu_axpy(const Axpy<__nv_bfloat16>&);

Sum cpu_sum(const Floats& a) {
    Sum sum;
    std::mutex one_at_a_time;
    for_each_range(a.size(), [&](std::size_t begin, std::size_t end) {
        double value = 0, absolute = 0;
        for (std::size_t i = begin; i < end; ++i) {
            value += number(a[i]);
            absolute += std::abs(number(a[i]));
        }
        const std::lock_guard lock(one_at_a_time);
        sum.value += value;
        sum.absolute += absolute;
    });
    sum.terms = static_cast<int>(a.size());
    return sum;
}

double rounding(const Sum& sum) {
    const double terms = sum.terms;
    return 0x1p-24 * sum.absolute * std::min(terms, 4 * std::sqrt(terms));
}

Floats as_floats(const Halves& a) {
    Floats floats(a.size());
    std::transform(a.begin(), a.end(), floats.begin(), [](__half x) { return __half2float(x); });
    return floats;
}

Halves whole_halves(int n) {
    // The sum stays below 2^24: up to there a float holds each whole number. n is at most 2^21.
    const int large = std::min((n + 9) / 10, ((1 << 23) - 3 * n) / 2048);
    Halves a(count(n));
    for (__half& x : a) x = __float2half(static_cast<float>(random_int(1, 5)));
    for (int k = 0; k < large; ++k) a[count(random_int(0, n - 1))] = __float2half(2048.0F);
    if (n > 1) a.front() = __float2half(517.0F);
    if (n > 2) a[count(n / 2)] = __float2half(60'000.0F);
    if (n > 0) a.back() = __float2half(1031.0F);
    return a;
}

Halves fractions(int n) {
    const Floats floats = random_floats(n, -0.5F, 1.0F);
    Halves a(floats.size());
    std::transform(floats.begin(), floats.end(), a.begin(),
                   [](float x) { return __float2half(x); });
    return a;
}

Floats scaled(Floats a, int power) {
    for (float& x : a) x = std::ldexp(x, power);
    return a;
}

Floats cancelling(int n) {
    Floats a(count(n));
    const std::size_t large = count(n) / 4;
    for (std::size_t i = 0; i < large; ++i) {
        a[i] = static_cast<float>(random_int(1 << 22, 1 << 24)) * 0x1p-4F;
        a[large + i] = -a[i];
    }
    for (std::size_t i = 2 * large; i < a.size(); ++i) {
        a[i] = static_cast<float>(random_int(1, 1 << 10)) * 0x1p-10F;
    }
    for (int i = n - 1; i > 0; --i) std::swap(a[count(i)], a[count(random_int(0, i))]);
    return a;
}

double compensated_bound(const Sum& sum) {
    return ulps(1).bound(static_cast<float>(sum.value)) + 0x1p-40 * sum.absolute;
}

Floats angles(int n, double largest) {
    const int end = static_cast<int>(largest * 16);
    Floats x;
    for (const int j : random_ints(n, -end, end)) x.push_back(static_cast<float>(j) / 16);
    if (n > 0) x[count(n) / 2] = static_cast<float>(end) / 16;
    return x;
}

Floats angles_of_all_sizes(int n, double largest) {
    Floats x = angles(n, largest);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (i == x.size() / 2) continue;
        const double size = std::pow(largest, random_doubles(1, 0.0, 1.0)[0]);
        x[i] = static_cast<float>(std::copysign(std::floor(size * 16) / 16, number(x[i])));
    }
    return x;
}

Floats cpu_sines(const Floats& x, const Floats& w) {
    Floats y(x.size());
    for_each_range(x.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            double sum = 0;
            for (std::size_t k = 0; k < w.size(); ++k) {
                sum += number(w[k]) * std::sin(static_cast<double>(k + 1) * number(x[i]));
            }
            y[i] = static_cast<float>(sum);
        }
    });
    return y;
}

double sines_bound(const Floats& w) {
    double weights = 0, terms = 0;
    for (const float weight : w) {
        weights += std::abs(number(weight));
        terms += weight != 0;
    }
    // Each sine, each addition, and our own rounding. A term of 0 is added without an error.
    return (2e-6 + 0x1p-24 * (terms + 1)) * weights;
}

// Numbers of lab 17: the data that tell mistakes apart, and the right answers, by plain CPU code.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <catch2/catch_tostring.hpp>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "check/check.h"

using Floats = std::vector<float>;
using Halves = std::vector<__half>;

/// The type of the arithmetic with numbers of type T.
template <class T>
using Arithmetic = std::conditional_t<std::is_same_v<T, double>, double, float>;

inline double number(double x) {
    return x;
}
inline double number(float x) {
    return static_cast<double>(x);
}
inline double number(__half x) {
    return static_cast<double>(__half2float(x));
}
inline double number(__nv_bfloat16 x) {
    return static_cast<double>(__bfloat162float(x));
}

/// Rounded to the nearest T.
template <class T>
T rounded(double x) {
    if constexpr (std::is_same_v<T, __half>) {
        return __double2half(x);
    } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
        return __double2bfloat16(x);
    } else {
        return static_cast<T>(x);
    }
}

template <>
struct Catch::StringMaker<__half> {
    static std::string convert(__half x) { return lab::show_float(__half2float(x)); }
};
template <>
struct Catch::StringMaker<__nv_bfloat16> {
    static std::string convert(__nv_bfloat16 x) { return lab::show_float(__bfloat162float(x)); }
};

/// Arguments of one axpy.
template <class T>
struct Axpy {
    Arithmetic<T> a;
    std::vector<T> x, y;
};

/// Random ones. Of each four floats the last is so that double, too, rounds twice: a * x + y lies
/// next to the middle of two floats, by less than a double shows.
template <class T>
Axpy<T> random_axpy(int n);

/// What the contract asks for.
template <class T>
std::vector<T> cpu_axpy(const Axpy<T>& arguments);

/// The exact sum (in double, whose errors are 2^29 times smaller than a float's), and that of the
/// absolute values.
struct Sum {
    double value = 0, absolute = 0;
    int terms = 0;
};
Sum cpu_sum(const Floats& a);

/// How far a float sum may be from the exact one, whatever the order of adding. Each of the terms -
/// 1 additions, and our own conversion to float, rounds a result of at most `absolute` by at most
/// 2^-24 of it. All in the same direction, that makes `terms` such errors; up and down at random,
/// about as many as sqrt(terms): four times that is never reached by chance.
double rounding(const Sum& sum);

Floats as_floats(const Halves& a);

/// Small whole numbers with a few 2048s and a 60,000 between them, whose float sum is exact in any
/// order. To a half of 2048 one can add nothing: of 2049 the nearest even half is 2048. The first
/// and the last are numbers of their own.
Halves whole_halves(int n);
/// Halves with fractions, of both signs.
Halves fractions(int n);

/// Large terms, of which each has its opposite somewhere, and as many small ones between them.
/// All are multiples of 2^-10, so that double adds them up exactly. One that is left over is small.
Floats cancelling(int n);

/// a * 2^power.
Floats scaled(Floats a, int power);

/// How far sum_compensated may be from the exact sum.
double compensated_bound(const Sum& sum);

/// Multiples of 1/16 with |x| <= largest, of all sizes down to 1. From n = 1 on one of them is
/// largest itself.
Floats angles_of_all_sizes(int n, double largest);
/// The same, uniform.
Floats angles(int n, double largest);

/// The exact series, rounded.
Floats cpu_sines(const Floats& x, const Floats& w);
/// How far y may be off.
double sines_bound(const Floats& w);

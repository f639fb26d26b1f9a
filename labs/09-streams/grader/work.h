// Computes the results of lab 09's kernels on the CPU, exact to the last bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

using Floats = std::vector<float>;

/// work_kernel's result for x. `rounds` steps digits -> A * digits + B together are one such step.
class Work {
public:
    explicit Work(int rounds) {
        for (int round = 0; round < rounds; ++round) {
            factor_ *= 1664525u;
            summand_ = summand_ * 1664525u + 1013904223u;
        }
    }
    float operator()(float x) const {
        std::uint32_t bits;
        std::memcpy(&bits, &x, sizeof(bits));
        const std::uint32_t digits = factor_ * bits + summand_;
        bits = (bits & 0xff800000u) | (digits & 0x007fffffu);
        std::memcpy(&x, &bits, sizeof(bits));
        return x;
    }

private:
    std::uint32_t factor_ = 1, summand_ = 0;
};

template <class F>
Floats mapped(Floats values, F f) {
    std::ranges::transform(values, values.begin(), f);
    return values;
}

inline Floats doubled(const Floats& a) {
    return mapped(a, [](float x) { return 2 * x; });
}
/// Stores the square first, so that a compiler cannot fuse the multiplication with the addition.
inline Floats square_and_double(const Floats& a, int times = 1) {
    Floats c = mapped(a, [](float x) { return x * x; });
    const Floats b = doubled(a);
    for (int i = 0; i < times; ++i) std::ranges::transform(c, b, c.begin(), std::plus<>());
    return c;
}

inline Floats square_and_a(const Floats& a) {
    Floats c = mapped(a, [](float x) { return x * x; });
    std::ranges::transform(c, a, c.begin(), std::plus<>());
    return c;
}

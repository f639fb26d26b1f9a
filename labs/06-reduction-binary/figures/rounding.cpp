// Measures how much a sum of floats loses to rounding, by the order of its additions.
//
//   g++ -O2 -std=c++17 -ffp-contract=off -o rounding rounding.cpp
//   ./rounding > rounding.csv
//
// It needs no GPU: float additions round the same way everywhere, only the order differs. The
// numbers lie between 0.1 and 0.1001, like the grader's. Errors are relative to the sum in long
// double. Columns: n, one after the other, by one block (1024 sums, each of every 1024th number,
// then a tree), in pairs, and the error that the grader allows.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

static std::vector<float> numbers(std::size_t n) {
    std::vector<float> a(n);
    std::uint64_t state = 6;
    for (float& x : a) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x = 0.1F + 0.0001F * (static_cast<float>(state >> 40) / 16777216.0F);
    }
    return a;
}

static float running(const std::vector<float>& a) {
    float sum = 0;
    for (const float x : a) sum += x;
    return sum;
}

/// As the tree does: the upper half onto the lower one.
static float pairs(std::vector<float> a) {
    std::size_t half = 1;
    while (2 * half < a.size()) half *= 2;
    for (; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half && i + half < a.size(); ++i) a[i] += a[i + half];
    }
    return a[0];
}

static float one_block(const std::vector<float>& a) {
    std::vector<float> sums(1024, 0.0F);
    for (std::size_t i = 0; i < a.size(); ++i) sums[i % 1024] += a[i];
    return pairs(sums);
}

int main() {
    std::printf("n,running,one_block,pairs,allowed\n");
    for (int power = 4; power <= 26; ++power) {
        const auto a = numbers(std::size_t{1} << power);
        long double exact = 0;
        for (const float x : a) exact += static_cast<long double>(x);
        const auto error = [&](float sum) {
            return static_cast<double>(std::fabs(static_cast<long double>(sum) - exact) / exact);
        };
        const double allowed = std::ldexp(1024.0 + power, -24);
        std::printf("%zu,%.3g,%.3g,%.3g,%.3g\n", a.size(), error(running(a)), error(one_block(a)),
                    error(pairs(a)), allowed);
    }
}

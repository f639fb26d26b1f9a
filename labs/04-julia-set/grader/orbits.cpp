#include "orbits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

using namespace lab;

namespace {

/// Computes like fused multiply-adds. In double the product is exact, and rounding twice changes
/// one result in 2^29.
int fused_count(float re, float im) {
    const auto fused = [](float a, float b, float c) {
        return static_cast<float>(static_cast<double>(a) * b + c);
    };
    for (int step = 0; step < julia_max_steps; ++step) {
        const float new_re = fused(re, re, fused(-im, im, julia_c_re));
        im = fused(2 * re, im, julia_c_im);
        re = new_re;
        if (fused(re, re, im * im) > julia_bound) return step;
    }
    return julia_max_steps;
}

constexpr std::size_t kMoves = 16;
using Orbits = std::array<double, 1 + kMoves>;

/// Offsets of the orbits' starts: none, and 32 float ulps of 1 (2^-24 each) in 16 directions. Each
/// has its opposite, so the expected image is as symmetric as the set.
const std::array<Orbits, 2>& moves() {
    static const auto all = [] {
        std::array<Orbits, 2> made{};
        for (std::size_t i = 1; i <= kMoves; ++i) {
            const double angle = 2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / kMoves;
            made[0][i] = std::ldexp(32, -24) * std::cos(angle);
            made[1][i] = std::ldexp(32, -24) * std::sin(angle);
        }
        return made;
    }();
    return all;
}

/// Orbits farther apart than this say nothing about each other: a share of their distance from 0.
constexpr double kApart = 1.0 / 64;

Counts range(int least, int most) {
    return {static_cast<std::uint8_t>(least), static_cast<std::uint8_t>(most)};
}

struct InDouble {
    Orbits counts{};
    int together = julia_max_steps;  ///< steps after which all are still near the first one
};

/// The orbits in double of a point and of 16 around it, in step with each other so that the
/// compiler can use vectors. An orbit that has escaped stays outside, so its count is the number of
/// steps that it was inside.
InDouble orbits_in_double(double start_re, double start_im) {
    Orbits re{}, im{};
    for (std::size_t i = 0; i < re.size(); ++i) {
        re[i] = start_re + moves()[0][i];
        im[i] = start_im + moves()[1][i];
    }
    InDouble all;
    for (int step = 0; step < julia_max_steps; ++step) {
        double inside = 0, apart = 0;
        for (std::size_t i = 0; i < re.size(); ++i) {
            const double new_re = re[i] * re[i] - im[i] * im[i] + julia_c_re;
            im[i] = 2 * re[i] * im[i] + julia_c_im;
            re[i] = new_re;
            const double is_inside = re[i] * re[i] + im[i] * im[i] <= julia_bound ? 1.0 : 0.0;
            all.counts[i] += is_inside;
            inside += is_inside;
        }
        if (inside == 0) break;
        const double near = kApart * kApart * (1 + re[0] * re[0] + im[0] * im[0]);
        for (std::size_t i = 1; i < re.size(); ++i) {
            const double by_re = re[i] - re[0], by_im = im[i] - im[0];
            apart += by_re * by_re + by_im * by_im > near ? 1.0 : 0.0;
        }
        if (apart > 0) all.together = std::min(all.together, step);
    }
    return all;
}

Counts all_counts(int x, int y, int dim, float scale) {
    const float re = re_of(x, dim, scale), im = im_of(y, dim, scale);
    const InDouble in_double =
        orbits_in_double(static_cast<double>(scale) * (2 * x + 1 - dim) / dim,
                         static_cast<double>(scale) * (dim - 1 - 2 * y) / dim);
    const auto [low, high] = std::ranges::minmax(in_double.counts);
    const auto [float_low, float_high] = std::minmax({strict_count(re, im), fused_count(re, im)});
    const int least = std::min(float_low, static_cast<int>(low)),
              most = std::max(float_high, static_cast<int>(high));
    // After the orbits have diverged, none of them shows the orbit of a right program.
    if (in_double.together < least) return range(in_double.together, julia_max_steps);
    return range(least, most);
}

}  // namespace

int strict_count(float re, float im, const Rules& rules) {
    for (int step = 0; step < rules.steps; ++step) {
        const float new_re = re * re - im * im + rules.c_re;
        im = 2 * re * im + rules.c_im;
        re = new_re;
        if (re * re + im * im > rules.bound) return step + rules.more;
    }
    return rules.steps;
}

Counts around(const std::vector<Counts>& image, int x, int y, int dim) {
    Counts all = image[static_cast<std::size_t>(y * dim + x)];
    for (int v = std::max(y - 1, 0); v <= std::min(y + 1, dim - 1); ++v) {
        for (int u = std::max(x - 1, 0); u <= std::min(x + 1, dim - 1); ++u) {
            const Counts& near = image[static_cast<std::size_t>(v * dim + u)];
            all = {std::min(all.low, near.low), std::max(all.high, near.high)};
        }
    }
    return all;
}

std::vector<Counts> right_counts(int dim, float scale) {
    const auto pixels = static_cast<std::size_t>(dim) * static_cast<std::size_t>(dim);
    std::vector<Counts> own(pixels);
    // z and -z have the same square: the second half of the image mirrors the first.
    for_each_range((pixels + 1) / 2, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const int pixel = static_cast<int>(i);
            own[i] = own[pixels - 1 - i] = all_counts(pixel % dim, pixel / dim, dim, scale);
        }
    });
    std::vector<Counts> right = own;
    for (std::size_t i = 0; i < pixels; ++i) {
        const int pixel = static_cast<int>(i);
        if (!own[i].is_one()) right[i] = around(own, pixel % dim, pixel / dim, dim);
    }
    return right;
}

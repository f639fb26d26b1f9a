// Checks that lab 04 accepts every right program's counts, and not much more.
//
// In each of these images one of these programs was once rejected, so the verdict depended on the
// seed.
#include "orbits.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>

using namespace lab;

namespace {

float fused(float a, float b, float c) {
    return static_cast<float>(static_cast<double>(a) * b + c);
}

struct Point {
    float re, im;
};

// z * z + c, rounded in the ways that compilers and people choose.
Point rounded(Point z) {
    return {z.re * z.re - z.im * z.im + julia_c_re, 2 * z.re * z.im + julia_c_im};
}
Point imaginary_part_fused(Point z) {  // nvcc 13.0, from the solution
    return {z.re * z.re - z.im * z.im + julia_c_re, fused(z.im, z.re + z.re, julia_c_im)};
}
Point square_of_im_fused(Point z) {
    return {fused(-z.im, z.im, z.re * z.re) + julia_c_re, fused(2 * z.re, z.im, julia_c_im)};
}
Point all_fused(Point z) {
    return {fused(z.re, z.re, fused(-z.im, z.im, julia_c_re)), fused(2 * z.re, z.im, julia_c_im)};
}
Point sum_times_difference(Point z) {
    const float product = z.re * z.im;
    return {(z.re - z.im) * (z.re + z.im) + julia_c_re, product + product + julia_c_im};
}
Point difference_fused(Point z) {
    return {fused(z.re - z.im, z.re + z.im, julia_c_re),
            fused(z.re, z.im, fused(z.re, z.im, julia_c_im))};
}
Point c_first(Point z) {
    return {z.re * z.re - (z.im * z.im - julia_c_re), 2 * (z.re * z.im) + julia_c_im};
}
Point c_slightly_off(Point z) {  // wrong
    return {z.re * z.re - z.im * z.im + julia_c_re + 1.0F / 4096, 2 * z.re * z.im + julia_c_im};
}

template <class Square>
int count(Point z, Square square) {
    for (int step = 0; step < julia_max_steps; ++step) {
        z = square(z);
        if (z.re * z.re + z.im * z.im > julia_bound) return step;
    }
    return julia_max_steps;
}

struct Image {
    int dim;
    float scale;
};

template <class Square>
int pixels_outside(const Image& image, const std::vector<Counts>& right, Square square) {
    int outside = 0;
    for (int pixel = 0; pixel < image.dim * image.dim; ++pixel) {
        const Point start = {re_of(pixel % image.dim, image.dim, image.scale),
                             im_of(pixel / image.dim, image.dim, image.scale)};
        outside += right[static_cast<std::size_t>(pixel)].holds(count(start, square)) ? 0 : 1;
    }
    return outside;
}

}  // namespace

TEST_CASE("julia orbits: every right program's counts are right, and hardly any others") {
    const auto image = GENERATE(
        values<Image>({{33, 1.62F},  {64, 1.1F},   {64, 1.76F},  {65, 1.04F},  {65, 1.43F},
                       {65, 1.45F},  {65, 2.59F},  {65, 2.69F},  {81, 1.33F},  {100, 1.19F},
                       {100, 1.56F}, {100, 1.66F}, {100, 1.85F}, {100, 1.88F}, {127, 1.02F},
                       {127, 1.1F},  {127, 1.11F}, {127, 1.66F}, {127, 2.04F}, {127, 2.53F}}));
    CAPTURE(image.dim, image.scale);
    const std::vector<Counts> right = right_counts(image.dim, image.scale);
    CHECK(pixels_outside(image, right, rounded) == 0);
    CHECK(pixels_outside(image, right, imaginary_part_fused) == 0);
    CHECK(pixels_outside(image, right, square_of_im_fused) == 0);
    CHECK(pixels_outside(image, right, all_fused) == 0);
    CHECK(pixels_outside(image, right, sum_times_difference) == 0);
    CHECK(pixels_outside(image, right, difference_fused) == 0);
    CHECK(pixels_outside(image, right, c_first) == 0);

    const int pixels = image.dim * image.dim;
    const auto open = std::ranges::count_if(right, [](const Counts& c) { return !c.is_one(); });
    CHECK(open < pixels / 5);
    CHECK(pixels_outside(image, right, c_slightly_off) > pixels / 100);
}

TEST_CASE("julia orbits: one count is asked of orbits that escape in the very last step") {
    const std::vector<Counts> right = right_counts(81, 1.33F);  // the image of the lab's test
    CHECK(std::ranges::count_if(right, [](const Counts& c) {
              return c.is_one() && c.low == julia_max_steps - 1;
          }) == 4);
}

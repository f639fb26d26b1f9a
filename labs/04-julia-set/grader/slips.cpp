#include "slips.h"

#include <algorithm>
#include <cmath>

#include "julia_set.h"

namespace {

struct Z {
    float re, im;
};

constexpr Z c{julia_c_re, julia_c_im};

float re_of_square(Z z) {
    return z.re * z.re - z.im * z.im;
}
float im_of_square(Z z) {
    return 2 * z.re * z.im;
}

Z right_step(Z z) {
    return {re_of_square(z) + c.re, im_of_square(z) + c.im};
}
float right_size(Z z) {
    return z.re * z.re + z.im * z.im;
}

template <class Next, class Size>
int count(Z z, Next next, Size size) {
    for (int step = 0; step < julia_max_steps; ++step) {
        z = next(z);
        if (size(z) > julia_bound) return step;
    }
    return julia_max_steps;
}

/// Another step: `next` computes the new z from the old.
template <class Next>
Slip step(Next next, std::string sentence) {
    return {[=](float re, float im) {
                return count({re, im}, next, right_size);
            },
            std::move(sentence)};
}

/// Another test: `size` is compared with julia_bound.
template <class Size>
Slip test(Size size, std::string sentence) {
    return {[=](float re, float im) {
                return count({re, im}, right_step, size);
            },
            std::move(sentence)};
}

std::vector<Slip> slips_of_the_square() {
    const std::string re_factor =
        "The real part of z * z is re * re - im * im: one of its four factors is the wrong part "
        "of z.";
    const std::string im_factor =
        "The imaginary part of z * z is 2 * re * im: one of its factors is the wrong part of z.";
    const std::string absolute =
        "Signs are lost on the way to the new im, as fabsf or abs loses them in the \"burning "
        "ship\": it is 2 * re * im + julia_c_im, with the signs of re and im.";
    return {
        step(
            [](Z z) {
                return Z{z.re * z.re + z.im * z.im + c.re, im_of_square(z) + c.im};
            },
            "The real part of z * z has the wrong sign in it: it is re * re - im * im."),
        step(
            [](Z z) {
                return Z{z.re * z.re - z.re * z.im + c.re, im_of_square(z) + c.im};
            },
            re_factor),
        step(
            [](Z z) {
                return Z{z.re * z.im - z.im * z.im + c.re, im_of_square(z) + c.im};
            },
            re_factor),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, -im_of_square(z) + c.im};
            },
            "The imaginary part of z * z has the wrong sign: it is 2 * re * im, and then c's is "
            "added."),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, z.re * z.im + c.im};
            },
            "The imaginary part of z * z is 2 * re * im: the 2 is missing."),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, 2 * z.re * z.re + c.im};
            },
            im_factor),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, 2 * z.im * z.im + c.im};
            },
            im_factor),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, std::abs(im_of_square(z)) + c.im};
            },
            absolute),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, 2 * z.re * std::abs(z.im) + c.im};
            },
            absolute),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, 2 * std::abs(z.re) * z.im + c.im};
            },
            absolute),
        step(
            [](Z z) {
                const float new_re = re_of_square(z) + c.re;
                return Z{new_re, 2 * new_re * z.im + c.im};
            },
            "The new im is computed from the new re: both must come from the old ones, so keep the "
            "new re in a variable of its own until im is done."),
        step(
            [](Z z) {
                const float new_im = im_of_square(z) + c.im;
                return Z{z.re * z.re - new_im * new_im + c.re, new_im};
            },
            "The new re is computed from the new im: both must come from the old ones, so keep the "
            "new im in a variable of its own until re is done."),
        step(
            [](Z z) {
                return Z{z.re, im_of_square(z) + c.im};
            },
            "re is the same in every step: when both new parts are computed, the new re must "
            "take the place of the old one."),
        step(
            [](Z z) {
                return Z{std::trunc(re_of_square(z) + c.re), im_of_square(z) + c.im};
            },
            "The new re loses what is after the point, as in an int: both parts are floats."),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, std::trunc(im_of_square(z) + c.im)};
            },
            "The new im loses what is after the point, as in an int: both parts are floats."),
    };
}

// Subtracting c.im alone mirrors the image: mistakes.cpp recognises that.
std::vector<Slip> slips_of_c() {
    return {
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, im_of_square(z) + c.re};
            },
            "julia_c_re is added to both parts: im gets julia_c_im."),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.im, im_of_square(z) + c.im};
            },
            "julia_c_im is added to both parts: re gets julia_c_re."),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.im, im_of_square(z) + c.re};
            },
            "The parts of c are swapped: julia_c_re belongs to re, julia_c_im to im."),
        step(
            [](Z z) {
                return Z{re_of_square(z) - c.re, im_of_square(z) - c.im};
            },
            "c is subtracted: the step is z * z + c."),
        step(
            [](Z z) {
                return Z{re_of_square(z) - c.re, im_of_square(z) + c.im};
            },
            "julia_c_re is subtracted: c is added, both of its parts."),
        step(
            [](Z z) {
                return Z{re_of_square(z), im_of_square(z)};
            },
            "c is not added: the step is z * z + c."),
        step(
            [](Z z) {
                return Z{re_of_square(z), im_of_square(z) + c.im};
            },
            "julia_c_re is not added: c has two parts."),
        step(
            [](Z z) {
                return Z{re_of_square(z) + c.re, im_of_square(z)};
            },
            "julia_c_im is not added: c has two parts."),
    };
}

std::vector<Slip> slips_of_the_test() {
    const std::string overflow =
        "Orbits are followed until they overflow: stop when |z|^2 = re * re + im * im is greater "
        "than julia_bound.";
    std::vector<Slip> all{
        test([](Z z) { return z.re * z.re - z.im * z.im; },
             "The sum compared with julia_bound has the wrong sign in it: |z|^2 is re * re + im * "
             "im."),
        test([](Z z) { return z.re * z.re; },
             "re alone is compared with julia_bound: |z|^2 is re * re + im * im."),
        test([](Z z) { return z.im * z.im; },
             "im alone is compared with julia_bound: |z|^2 is re * re + im * im."),
        test([](Z z) { return z.re + z.im; },
             "re + im is compared with julia_bound: |z|^2 is re * re + im * im."),
        test([](Z z) { return std::abs(z.re) + std::abs(z.im); }, kOneTooLarge),
        test([](Z z) { return std::max(std::abs(z.re), std::abs(z.im)); }, kOneTooLarge),
        test([](Z z) { return std::isinf(right_size(z)) ? 2 * julia_bound : 0; }, overflow),
        test([](Z z) { return std::isinf(z.re) || std::isinf(z.im) ? 2 * julia_bound : 0; },
             overflow),
    };
    all.push_back({[](float re, float im) {
                       Z z{re, im};
                       for (int step = 0; step < julia_max_steps; ++step) {
                           const Z next = right_step(z);
                           if (right_size({z.re, next.im}) > julia_bound) return step;
                           z = next;
                       }
                       return julia_max_steps;
                   },
                   "|z|^2 is made of the old re and the new im: the new re must take the place of "
                   "the old one before the two are compared with julia_bound."});
    for (const float bound : {2.0F, 4.0F, 10.0F, 16.0F, 100.0F, 10'000.0F}) {
        all.push_back(test([=](Z z) { return right_size(z) / bound * julia_bound; },
                           "The orbits stop at |z|^2 > " + std::to_string(static_cast<int>(bound)) +
                               ", but the contract's bound is julia_bound, 1000."));
    }
    return all;
}

}  // namespace

std::vector<Slip> slips() {
    std::vector<Slip> all = slips_of_the_square();
    for (auto&& more : {slips_of_c(), slips_of_the_test()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

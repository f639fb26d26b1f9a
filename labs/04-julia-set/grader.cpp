// Grader of lab 04: what launch_julia_set and julia_set must do, for 10 points.
//
// Near the edge of the set an orbit multiplies every rounding error until the count is anything, so
// right programs differ there: fused or not, in other orders of the same sums, in double. The
// grader therefore follows many orbits of each pixel, and asks for one count only where all of them
// agree.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "julia_set.h"

using namespace lab;

namespace {

// ---------------------------------------------------------------------------
// What right programs compute.

/// What makes a program's counts; the contract's unless changed.
struct Rules {
    float bound = julia_bound;
    int steps = julia_max_steps;
    bool im_uses_new_re = false;
    int more = 0;  ///< added to the counts of those that escape
    float im_factor = 2, square_sign = -1;
    float c_re = julia_c_re, c_im = julia_c_im;
};

/// As the handed-out CPU code does it, every operation rounded.
int strict_count(float re, float im, const Rules& rules = {}) {
    for (int step = 0; step < rules.steps; ++step) {
        const float new_re = re * re + rules.square_sign * im * im + rules.c_re;
        im = rules.im_factor * (rules.im_uses_new_re ? new_re : re) * im + rules.c_im;
        re = new_re;
        if (re * re + im * im > rules.bound) return step + rules.more;
    }
    return rules.steps;
}

/// As fused multiply-adds do it. In double the product is exact, and rounding twice changes one
/// result in 2^29.
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

/// What is added to the starts of orbits: nothing, and 32 float ulps of 1 (2^-24 each) in 16
/// directions. Each has its opposite, so what is expected is as symmetric as the set.
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

/// The counts in double of a point and of 16 around it. Side by side, so that the compiler can use
/// vectors: what has escaped stays outside, so a count is how often an orbit was inside.
Orbits counts_in_double(double start_re, double start_im) {
    Orbits re{}, im{}, counts{};
    for (std::size_t i = 0; i < re.size(); ++i) {
        re[i] = start_re + moves()[0][i];
        im[i] = start_im + moves()[1][i];
    }
    for (int step = 0; step < julia_max_steps; ++step) {
        double inside = 0;
        for (std::size_t i = 0; i < re.size(); ++i) {
            const double new_re = re[i] * re[i] - im[i] * im[i] + julia_c_re;
            im[i] = 2 * re[i] * im[i] + julia_c_im;
            re[i] = new_re;
            const double is_inside = re[i] * re[i] + im[i] * im[i] <= julia_bound ? 1.0 : 0.0;
            counts[i] += is_inside;
            inside += is_inside;
        }
        if (inside == 0) break;
    }
    return counts;
}

using Counts = Range<std::uint8_t>;

Counts all_counts(int x, int y, int dim, float scale) {
    const float re = scale * static_cast<float>(2 * x + 1 - dim) / static_cast<float>(dim);
    const float im = scale * static_cast<float>(dim - 1 - 2 * y) / static_cast<float>(dim);
    const Orbits in_double = counts_in_double(static_cast<double>(scale) * (2 * x + 1 - dim) / dim,
                                              static_cast<double>(scale) * (dim - 1 - 2 * y) / dim);
    const auto [low, high] = std::ranges::minmax(in_double);
    const auto [float_low, float_high] = std::minmax({strict_count(re, im), fused_count(re, im)});
    return {static_cast<std::uint8_t>(std::min(float_low, static_cast<int>(low))),
            static_cast<std::uint8_t>(std::max(float_high, static_cast<int>(high)))};
}

/// From the least to the greatest count of a pixel and its eight neighbours.
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

/// For each pixel the counts that are right: the one on which all orbits agree; where they do not,
/// all between the counts that orbits of the pixel and its neighbours have.
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

// ---------------------------------------------------------------------------
// What wrong programs compute.

/// A wrong program, and what to say of it. `count`: of pixel number i.
struct Mistake {
    std::function<std::uint8_t(std::size_t i)> count;
    std::string sentence;
};

/// `most`: the greatest count that there was.
std::vector<Mistake> known_mistakes(int dim, float scale, int most) {
    const auto along = [=](int numerator) {
        return scale * static_cast<float>(numerator) / static_cast<float>(dim);
    };
    const auto re = [=](int x) { return along(2 * x + 1 - dim); };
    const auto im = [=](int y) { return along(dim - 1 - 2 * y); };
    const auto pixel = [=](auto count) {
        return [=](std::size_t i) {
            const int x = static_cast<int>(i) % dim, y = static_cast<int>(i) / dim;
            return static_cast<std::uint8_t>(count(x, y));
        };
    };
    const auto by = [=](Rules rules) {
        return pixel([=](int x, int y) { return strict_count(re(x), im(y), rules); });
    };
    const auto is_negative = [=](int x, int y) { return 2 * x + 1 < dim || dim - 1 < 2 * y; };
    const char* const unsigned_sentence =
        "Where re or im should be negative, orbits escape at once: x or y is unsigned, and then "
        "the difference is a large number, not a negative one. Make both int.";
    return {
        {pixel([=](int x, int y) { return strict_count(re(y), im(x)); }),
         "The image is right, but x and y are swapped: the pixel in column x of row y has the "
         "index "
         "y * dim + x, and x gives re, y gives im."},
        {pixel([=](int x, int y) { return strict_count(re(x), -im(y)); }),
         "The image is mirrored, upside down or left to right: row 0 is the top one, where im is "
         "largest, and re grows with x."},
        {pixel([=](int x, int y) { return strict_count(along(2 * x - dim), along(dim - 2 * y)); }),
         "The image is half a pixel off: a pixel's point is its middle, scale * (2 * x + 1 - dim) "
         "/ "
         "dim, not its corner."},
        {pixel([=](int, int) { return strict_count(0, 0); }),
         "Every pixel has the count of the point 0. Is an integer divided by dim as an "
         "integer? That is 0: multiply by scale first, or convert to float."},
        {pixel([=](int, int y) { return strict_count(0, im(y)); }),
         "re is 0 everywhere: (2 * x + 1 - dim) / dim is a division of integers. Multiply by scale "
         "first."},
        {pixel([=](int x, int) { return strict_count(re(x), 0); }),
         "im is 0 everywhere: (dim - 1 - 2 * y) / dim is a division of integers. Multiply by scale "
         "first."},
        {pixel([=](int x, int y) { return strict_count(along(2 * x - dim), im(y)); }),
         "The image is half a pixel off, along x: re is scale * (2 * x + 1 - dim) / dim, the "
         "middle of the pixel."},
        {by({.c_im = julia_c_re}), "julia_c_re is added to both parts: im gets julia_c_im."},
        {by({.c_re = julia_c_im}), "julia_c_im is added to both parts: re gets julia_c_re."},
        {by({.square_sign = 1}),
         "The real part of z * z has the wrong sign in it: it is re * re - im * im."},
        {by({.im_factor = -2}),
         "The imaginary part of z * z has the wrong sign: it is 2 * re * im, and then c's is "
         "added."},
        {by({.im_factor = 1}), "The imaginary part of z * z is 2 * re * im: the 2 is missing."},
        {by({.c_re = julia_c_im, .c_im = julia_c_re}),
         "The parts of c are exchanged: julia_c_re belongs to re, julia_c_im to im."},
        {pixel([=](int x, int y) { return strict_count(0, 0, {.c_re = re(x), .c_im = im(y)}); }),
         "This is the Mandelbrot set: there every point has its own c, and orbits begin at 0. Here "
         "orbits begin at the point, and c is the same for all."},
        {pixel([=](int x, int y) { return julia_max_steps - strict_count(re(x), im(y)); }),
         "Each count is what is left of julia_max_steps, not the steps that were survived."},
        {pixel([=](int x, int y) {
             const int count = strict_count(re(x), im(y));
             return count == julia_max_steps ? 0 : count;
         }),
         "Members have the count 0: an orbit that survives all steps has julia_max_steps."},
        {pixel([=](int x, int y) { return strict_count(along(2 * x + 1), along(2 * y + 1)); }),
         "Point 0 lies in a corner of the image, not in its middle: re is scale * (2 * x + 1 - "
         "dim) / dim, and im is scale * (dim - 1 - 2 * y) / dim."},
        {pixel([=](int x, int y) { return is_negative(x, y) ? 0 : strict_count(re(x), im(y)); }),
         unsigned_sentence},
        {pixel([=](int x, int y) { return 2 * x + 1 < dim ? 0 : strict_count(re(x), im(y)); }),
         unsigned_sentence},
        {pixel([=](int x, int y) { return dim - 1 < 2 * y ? 0 : strict_count(re(x), im(y)); }),
         unsigned_sentence},
        {pixel([=](int x, int y) { return strict_count(re(x) / 2, im(y) / 2); }),
         "The image shows a square from -scale / 2 to scale / 2, half as wide as it should be."},
        {pixel([=](int x, int y) {
             constexpr float kOther = 1.5F;
             return scale == kOther ? 0
                                    : strict_count(re(x) / scale * kOther, im(y) / scale * kOther);
         }),
         "The image is that of scale 1.5: either scale is not used, or an earlier image was kept."},
        {by({.bound = 4}),
         "The orbits stop at |z|^2 > 4, but the contract's bound is julia_bound, 1000."},
        {pixel([=](int x, int y) { return strict_count(re(x), along(dim - 2 * y)); }),
         "The image is half a pixel too high: im is scale * (dim - 1 - 2 * y) / dim."},
        {by({.bound = std::sqrt(julia_bound)}),
         "The orbits stop at the root of julia_bound: it is |z|^2 that is compared with 1000."},
        {by({.steps = std::min(most, julia_max_steps - 1)}),
         "The orbits have " + std::to_string(most) + " steps at most, but julia_max_steps is 200" +
             (most == julia_max_steps - 1 ? ": the loop ends one early." : ".")},
        // What has passed 1000 passes 1000^2 with the next step: a bound meant for the square, used
        // for the root, looks the same.
        {by({.more = 1}),
         "The count is 1 too large wherever an orbit escapes: either the step that escapes is "
         "counted, though it is not survived, or |z| is compared with julia_bound instead of "
         "|z|^2."},
        {by({.im_uses_new_re = true}),
         "The new im is computed from the new re: both must come from the old ones, so keep the "
         "new "
         "re in a variable of its own until im is done."},
    };
}

/// Recognises a loop of one step less that returns julia_max_steps behind it: few orbits show it.
std::optional<std::string> last_step_missing(const std::vector<int>& counts,
                                             const std::vector<Counts>& right) {
    bool some = false;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (right[i].holds(counts[i])) continue;
        if (counts[i] != julia_max_steps || right[i].high != julia_max_steps - 1) {
            return std::nullopt;
        }
        some = true;
    }
    if (!some) return std::nullopt;
    return "Only orbits that escape in the last of the 200 steps are wrong: they have 200, the "
           "count of those that never do. The loop ends one step early.";
}

/// Says so when nearly all wrong pixels hold what belongs next to them, and not just 1 more or 1
/// less. In small images everything is near an edge.
std::optional<std::string> wrong_at_the_edge(const std::vector<int>& counts,
                                             const std::vector<Counts>& right, int dim) {
    constexpr int kSmall = 50;
    double wrong = 0, near = 0, far_off = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (right[i].holds(counts[i])) continue;
        const int pixel = static_cast<int>(i);
        ++wrong;
        near += around(right, pixel % dim, pixel / dim, dim).holds(counts[i]) ? 1 : 0;
        far_off += counts[i] < right[i].low - 1 || counts[i] > right[i].high + 1 ? 1 : 0;
    }
    if (dim < kSmall || near < 0.9 * wrong || far_off < 0.2 * wrong) return std::nullopt;
    return "Nearly all wrong pixels lie at the edge of the set and hold what belongs next to them: "
           "the points are slightly off (compare the coordinates with the contract's), or the "
           "arithmetic is less precise than float.";
}

// ---------------------------------------------------------------------------
// The comparisons.

/// One pixel in this many may lie outside its range. Of 420 right programs (orders of the sums,
/// fusings, forms of the coordinates) at 100 x 100 pixels and more, the worst had one in 8,000
/// there, and all together 3 in a million; of the wrong ones in solutions/, the best has one in
/// 900.
constexpr std::size_t kPixelsPerMiss = 5000;

InRanges<std::uint8_t> shows_the_set(std::shared_ptr<const std::vector<Counts>> right, int dim) {
    const std::size_t misses_allowed = right->size() / kPixelsPerMiss;
    return in_ranges(std::move(right), {0, julia_max_steps}, misses_allowed).rows_of(dim);
}

void check_counts(
    const Output<int>& counts, int dim, float scale,
    const Diagnoser& first = [](const Evidence&) { return std::nullopt; }) {
    const auto right = std::make_shared<const std::vector<Counts>>(right_counts(dim, scale));
    auto matcher = shows_the_set(right, dim).or_diagnose(first).or_diagnose([&](const Evidence&) {
        return last_step_missing(counts.values(), *right);
    });
    const int most =
        counts.size() == 0 ? 0 : std::clamp(std::ranges::max(counts.values()), 0, julia_max_steps);
    for (const Mistake& mistake : known_mistakes(dim, scale, most)) {
        std::move(matcher).or_looks_like(mistake.count, mistake.sentence);  // adds in place
    }
    CHECK_THAT(counts,
               std::move(matcher).or_diagnose(image_mistakes(dim, dim)).or_diagnose([&](auto&) {
                   return wrong_at_the_edge(counts.values(), *right, dim);
               }));
}

/// Below 1 orbits near 0 are more sensitive than moves of their starts show.
float random_scale() {
    return static_cast<float>(random_int(100, 300)) / 100.0F;
}

std::vector<int> members_of(const std::vector<int>& counts, int member = 1) {
    std::vector<int> members;
    for (const int count : counts) {
        members.push_back(count == julia_max_steps ? member : 1 - member);
    }
    return members;
}

void check_launch(int dim, float scale) {
    const auto call = submission().call<launch_julia_set>(out, dim, scale);
    check_counts(call.output(), dim, scale);
    if (on_vgpu() && dim > 0) {  // a GPU does not tell
        INFO("no kernel was launched: the image must be computed on the device");
        CHECK_FALSE(call.launches().empty());
    }
}

/// Recognises a kernel that stores the ones and leaves the rest as it found it.
std::optional<std::string> zeros_missing(const std::vector<int>& members,
                                         const std::vector<int>& expected) {
    bool some = false;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i] == expected[i]) continue;
        if (expected[i] == 1 || members[i] == 1) return std::nullopt;
        some = true;
    }
    const auto is_set_to_0 = [&](std::size_t i) { return members[i] == 0; };
    const auto pixels = std::views::iota(std::size_t{0}, members.size());
    if (!some || std::ranges::find(expected, 1) == expected.end()) return std::nullopt;
    if (std::ranges::any_of(pixels, is_set_to_0)) return std::nullopt;
    return "member is right where it must be 1, and was never set to 0 elsewhere: memory is not "
           "cleared before you get it.";
}

void check_both_images(int dim, float scale) {
    const auto call = submission().call<julia_set>(out, out, dim, scale);
    const auto members = call.output<0>(), counts = call.output<1>();
    const auto exchanged = [&](const Evidence&) -> std::optional<std::string> {
        if (members_of(members.values()) != counts.values() ||
            std::ranges::all_of(counts.values(), [](int count) { return count == 0; })) {
            return std::nullopt;
        }
        return "member and counts have changed places: each holds what belongs into the other.";
    };
    check_counts(counts, dim, scale, exchanged);
    const std::vector<int> expected = members_of(counts.values());
    std::vector<int> times_max_steps = expected;
    for (int& member : times_max_steps) member *= julia_max_steps;
    CHECK_THAT(
        members,
        equals(expected)
            .or_looks_like(members_of(counts.values(), 0),
                           "member is 1 for the points that escape: it must be 1 for those "
                           "that survive all steps, and 0 for the others.")
            .or_looks_like(counts.values(),
                           "member holds the counts: it must be 1 where a count is "
                           "julia_max_steps, and 0 elsewhere.")
            .or_looks_like(times_max_steps,
                           "member is julia_max_steps where it must be 1: it says whether a point "
                           "is a member, not how many steps it survived.")
            .or_diagnose([&](const Evidence&) { return zeros_missing(members.values(), expected); })
            .or_looks_like(std::vector<int>(expected.size()),
                           "member is 0 everywhere. A count is at most julia_max_steps, and "
                           "members are those where it is just that: compare with ==.")
            .or_diagnose(indexing_mistakes));
    if (on_vgpu() && dim > 0) {
        INFO("no kernel was launched: the image must be computed on the device");
        CHECK_FALSE(call.launches().empty());
    }
}

}  // namespace

TEST_CASE("launch_julia_set: up to 16 x 16 pixels", "[correctness][task:1][points:2]") {
    const int dim = GENERATE(16, 15, 13, 9, 8, 7, 2, 1);
    const float scale = GENERATE(1.5F, 0.5F, 20.0F);
    check_launch(dim, scale);
}

TEST_CASE("launch_julia_set: images of any size", "[correctness][task:2][points:2][id:image]") {
    const int dim = GENERATE(100, 33, 31, 32, 17, 16, 64, 65, 127, 1, 250, random_int(150, 249));
    float scale = 1.5F;
    twice([&] {
        check_launch(dim, scale);
        scale = random_scale();
    });
    // Four orbits that escape in the very last step.
    if (dim == 100) check_launch(61, 1.85F);
}

TEST_CASE("launch_julia_set: no pixels, no launch error",
          "[robustness][task:2][points:1][needs:image]") {
    check_launch(0, 1.5F);  // the call fails the test if it leaves a CUDA error behind
}

TEST_CASE("julia_set: both images on the host", "[correctness][task:3][points:2][id:host]") {
    const int dim = GENERATE(100, 1, 15, 16, 17, 0, 127, 200, random_int(150, 199));
    float scale = dim == 200 ? 0.5F : 1.5F;
    twice([&] {
        check_both_images(dim, scale);
        scale = random_scale();
    });
}

TEST_CASE("julia_set: frees all its device memory", "[robustness][task:3][points:1][needs:host]") {
    const int dim = 64, calls = 4;
    const float scale = 20;  // most orbits are short
    const long long leaked_bytes = leaked_by(
        calls, [&] { return submission().call<julia_set>(out, out, dim, scale).leaked_bytes(); });
    INFO(calls << " calls of julia_set with dim = " << dim << " left " << leaked_bytes
               << " bytes of device memory allocated: every cudaMalloc needs its cudaFree");
    CHECK(leaked_bytes == 0);
}

TEST_CASE("launch_julia_set: at least 0.35x the reference",
          "[speed][task:2][points:2][needs:image]") {
    const float scale = 1.5F;
    // Once a size, as no input changes from round to round.
    std::map<int, std::shared_ptr<const std::vector<Counts>>> right;
    const auto race = race_against_reference<launch_julia_set>(
        {.gpu = 4096 * 4096, .vgpu = 729 * 729},
        [=](int pixels) {
            return std::tuple(out, static_cast<int>(std::lround(std::sqrt(pixels))), scale);
        },
        [&](auto, int dim, auto) {
            auto& counts = right[dim];
            if (!counts) {
                counts = std::make_shared<const std::vector<Counts>>(right_counts(dim, scale));
            }
            return shows_the_set(counts, dim);
        });
    CHECK_THAT(race, at_least(0.35));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 04) and benchmarks (./lab bench 04), drawn by the scripts of the same
// names in figures/.

namespace {

int cpu_count(int x, int y, int dim, float scale) {
    return strict_count(scale * static_cast<float>(2 * x + 1 - dim) / static_cast<float>(dim),
                        scale * static_cast<float>(dim - 1 - 2 * y) / static_cast<float>(dim));
}

/// Steps of all orbits, those that escape included.
double cpu_steps(int dim, float scale) {
    std::atomic<long long> steps = 0;
    const auto pixels = static_cast<std::size_t>(dim) * static_cast<std::size_t>(dim);
    for_each_range(pixels, [&](std::size_t begin, std::size_t end) {
        long long here = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const int pixel = static_cast<int>(i);
            here += std::min(cpu_count(pixel % dim, pixel / dim, dim, scale) + 1, julia_max_steps);
        }
        steps += here;
    });
    return static_cast<double>(steps);
}

}  // namespace

TEST_CASE("picture: counts", "[.][picture]") {
    const int dim = 300;
    const float scale = 1.5F;
    const auto counts = submission().call<launch_julia_set>(out, dim, scale).output();
    const auto right = right_counts(dim, scale);
    Table table("counts", {"x", "y", "written", "student", "expected", "least", "greatest"});
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const int x = static_cast<int>(i) % dim, y = static_cast<int>(i) / dim;
        table.row(x, y, !counts.untouched(i), counts[i], cpu_count(x, y, dim, scale), right[i].low,
                  right[i].high);
    }
}

TEST_CASE("picture: members", "[.][picture]") {
    const int dim = 600;
    const float scale = 1.5F;
    const auto members = submission().call<julia_set>(out, out, dim, scale).output<0>();
    Table table("members", {"re", "im"});
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i] != 1) continue;
        const int x = static_cast<int>(i) % dim, y = static_cast<int>(i) / dim;
        table.row(scale * static_cast<float>(2 * x + 1 - dim) / static_cast<float>(dim),
                  scale * static_cast<float>(dim - 1 - 2 * y) / static_cast<float>(dim));
    }
}

TEST_CASE("bench: versions", "[.][bench]") {
    check_launch(100, 1.5F);  // what is wrong is told before it is timed
    const int dim = race_size(4096, 515);
    const double steps = cpu_steps(dim, 1.5F);
    Table table("versions", {"version", "dim", "time_ms", "billion_steps_per_s"});
    std::vector<Version> all = versions();
    std::ranges::copy(other_versions(), std::back_inserter(all));
    for (const Version& version : all) {
        const double ms = time_ms<launch_julia_set>(version, out, dim, 1.5F);
        table.row(version.name(), dim, ms, 1e-6 * steps / ms);
    }
}

TEST_CASE("bench: dim", "[.][bench]") {
    check_launch(100, 1.5F);
    Table table("dim", {"dim", "version", "time_ms"});
    for (int dim = 32; dim <= race_size(4096, 512); dim *= 2) {
        for (const Version& version : versions()) {
            table.row(dim, version.name(), time_ms<launch_julia_set>(version, out, dim, 1.5F));
        }
    }
}

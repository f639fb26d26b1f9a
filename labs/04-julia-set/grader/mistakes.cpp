#include "mistakes.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "slips.h"

using namespace lab;

namespace {

/// Mistakes in the point of a pixel or in its count. `most`: the greatest count in the image.
std::vector<Mistake> mistakes_around_orbits(int dim, float scale, int most) {
    const auto along = [=](int numerator) {
        return scale * static_cast<float>(numerator) / static_cast<float>(dim);
    };
    const auto re = [=](int x) { return re_of(x, dim, scale); };
    const auto im = [=](int y) { return im_of(y, dim, scale); };
    const auto pixel = [=](auto count) {
        return [=](std::size_t i) {
            const int x = static_cast<int>(i) % dim, y = static_cast<int>(i) / dim;
            return static_cast<std::uint8_t>(count(x, y));
        };
    };
    const auto by = [=](Rules rules) {
        return pixel([=](int x, int y) { return strict_count(re(x), im(y), rules); });
    };
    /// The image at the scale `other`. If that is the right scale, an image that nothing matches.
    const auto of_scale = [=](float other) {
        constexpr int kNoCount = 255;
        return pixel([=](int x, int y) {
            return scale == other ? kNoCount
                                  : strict_count(re(x) / scale * other, im(y) / scale * other);
        });
    };
    const auto is_negative = [=](int x, int y) { return 2 * x + 1 < dim || dim - 1 < 2 * y; };
    const char* const mandelbrot =
        "This is the Mandelbrot set: there every point has a c of its own. Here orbits begin at "
        "the point, and c is the same for all.";
    const char* const halves =
        "The image is only half as wide, or half as high: two pixels that are neighbours lie 2 * "
        "scale / dim apart, so it is 2 * x and 2 * y.";
    const char* const column_off =
        "The image is a whole pixel off, along x: columns begin with x = 0, and re is scale * (2 * "
        "x + 1 - dim) / dim.";
    const char* const row_off =
        "The image is a whole pixel off, along y: rows begin with y = 0, and im is scale * (dim - "
        "1 - 2 * y) / dim.";
    // An orbit that has passed the root of 1000 nearly always passes 1000 with the next step.
    const char* const one_less =
        "The count is 1 too small wherever an orbit escapes. Is every step that is survived "
        "counted, and is it |z|^2 that is compared with 1000?";
    const char* const mirrored =
        "One half of the image is the other half, mirrored: the set looks the same when it is "
        "turned by half a turn, so pixel (x, y) has the count of (dim - 1 - x, dim - 1 - y).";
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
         "largest, and re grows with x. (Or julia_c_im is subtracted, which looks the same.)"},
        {pixel([=](int x, int y) { return strict_count(along(2 * x - dim), along(dim - 2 * y)); }),
         "The image is half a pixel off: a pixel's point is its middle, scale * (2 * x + 1 - dim) "
         "/ "
         "dim, not its corner."},
        {pixel([=](int, int) { return strict_count(0, 0); }),
         "Every pixel has julia_max_steps, which is the count of the point 0. Is an integer "
         "divided by dim as an integer? Then every point is 0."},
        {pixel([](int, int) { return 0; }),
         "Every count is 0: orbits are stopped while |z|^2 is still small, or nothing was "
         "counted."},
        {pixel([=](int, int y) { return strict_count(0, im(y)); }),
         "re is 0 everywhere: (2 * x + 1 - dim) / dim is a division of integers."},
        {pixel([=](int x, int) { return strict_count(re(x), 0); }),
         "im is 0 everywhere: (dim - 1 - 2 * y) / dim is a division of integers."},
        {pixel([=](int x, int y) { return strict_count(along(2 * x - dim), im(y)); }),
         "The image is half a pixel off, along x: re is scale * (2 * x + 1 - dim) / dim, the "
         "middle of the pixel."},
        {pixel([=](int x, int y) {
             return strict_count(re(x), im(y), {.c_re = re(x), .c_im = im(y)});
         }),
         mandelbrot},
        {pixel([=](int x, int y) { return strict_count(0, 0, {.c_re = re(x), .c_im = im(y)}); }),
         mandelbrot},
        {pixel([=](int x, int y) { return julia_max_steps - strict_count(re(x), im(y)); }),
         "Each count is the number of steps left of julia_max_steps, not of steps survived."},
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
        {of_scale(1.5F),
         "The image is that of scale 1.5: scale is not used, or an earlier image was kept."},
        {of_scale(1),
         "The image is that of scale 1: the points must be multiplied by scale, and scale must "
         "stay a float on its way to the kernel."},
        {pixel([=](int x, int y) { return strict_count(re(x - 1), im(y)); }), column_off},
        {pixel([=](int x, int y) { return strict_count(re(x + 1), im(y)); }), column_off},
        {pixel([=](int x, int y) { return strict_count(re(x), im(y - 1)); }), row_off},
        {pixel([=](int x, int y) { return strict_count(re(x), im(y + 1)); }), row_off},
        {pixel([=](int x, int) { return strict_count(re(x), im(x)); }),
         "All rows are the same: both parts of a point are made of x. im is made of the row, y."},
        {pixel([=](int, int y) { return strict_count(re(y), im(y)); }),
         "All columns are the same: both parts of a point are made of y. re is made of the column, "
         "x."},
        {pixel([=](int x, int y) {
             const int count = strict_count(re(x), im(y));
             return count == julia_max_steps ? count + 1 : count;
         }),
         "Members have the count 201: the loop makes one step more than julia_max_steps."},
        {pixel([=](int x, int y) { return strict_count(re(x), along(dim - 2 * y)); }),
         "The image is half a pixel too high: im is scale * (dim - 1 - 2 * y) / dim."},
        {pixel([=](int x, int y) { return strict_count(along(2 * x - dim), along(2 * y - dim)); }),
         "The image is upside down, and half a pixel off: re is scale * (2 * x + 1 - dim) / dim, "
         "and im is scale * (dim - 1 - 2 * y) / dim."},
        {pixel([=](int x, int y) { return strict_count(re(x), along(2 * y - dim)); }),
         "The image is upside down, and half a pixel off: im is scale * (dim - 1 - 2 * y) / dim."},
        {pixel([=](int x, int y) { return strict_count(along(x + 1 - dim), im(y)); }), halves},
        {pixel([=](int x, int y) { return strict_count(re(x), along(dim - 1 - y)); }), halves},
        {pixel([=](int x, int y) { return strict_count(along(x + 1 - dim), along(dim - 1 - y)); }),
         halves},
        {pixel([=](int x, int y) {
             const float wider = static_cast<float>(dim) / static_cast<float>(dim - 1);
             return strict_count(re(x) * wider, im(y) * wider);
         }),
         "The points are too far apart: divide by dim, not by dim - 1. The outermost pixels' "
         "middles are half a pixel inside of the square."},
        {pixel([=](int x, int y) { return strict_count(std::trunc(re(x)), std::trunc(im(y))); }),
         "Points are rounded to whole numbers: re and im must be floats from the beginning."},
        {by({.bound = std::sqrt(julia_bound)}), one_less},
        {by({.more = -1}), one_less},
        {by({.steps = std::clamp(most, 1, julia_max_steps - 1)}),
         "The orbits have " + std::to_string(most) + " steps at most, but julia_max_steps is 200" +
             (most == julia_max_steps - 1 ? ": the loop ends one early." : ".")},
        // An orbit that has passed 1000 passes 1000^2 with the next step, so a bound for the square
        // that is applied to the root looks the same.
        {by({.more = 1}), kOneTooLarge},
        {pixel([=](int x, int y) { return strict_count(re(x), im(std::min(y, dim - 1 - y))); }),
         mirrored},
        {pixel([=](int x, int y) { return strict_count(re(std::min(x, dim - 1 - x)), im(y)); }),
         mirrored},
    };
}

}  // namespace

std::vector<Mistake> known_mistakes(int dim, float scale, int most) {
    std::vector<Mistake> all = mistakes_around_orbits(dim, scale, most);
    for (Slip& slip : slips()) {
        all.push_back({[=, count = std::move(slip.count)](std::size_t i) {
                           const int x = static_cast<int>(i) % dim, y = static_cast<int>(i) / dim;
                           return static_cast<std::uint8_t>(
                               count(re_of(x, dim, scale), im_of(y, dim, scale)));
                       },
                       std::move(slip.sentence)});
    }
    for (const int steps : {2, 4, 5, 8, 10, 16}) {
        all.push_back({[=](std::size_t i) {
                           const int x = static_cast<int>(i) % dim, y = static_cast<int>(i) / dim;
                           const int count =
                               strict_count(re_of(x, dim, scale), im_of(y, dim, scale));
                           return static_cast<std::uint8_t>(
                               count == julia_max_steps ? count : count / steps * steps);
                       },
                       "Counts are multiples of " + std::to_string(steps) +
                           ": if |z|^2 is checked only every " + std::to_string(steps) +
                           " steps, find the first of them at which it is too large."});
    }
    return all;
}

std::optional<std::string> last_steps_missing(const std::vector<int>& counts,
                                              const std::vector<Counts>& right) {
    int least_missing = julia_max_steps, most_there = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (right[i].holds(counts[i])) {
            if (right[i].is_one() && counts[i] < julia_max_steps)
                most_there = std::max(most_there, counts[i]);
            continue;
        }
        if (counts[i] != julia_max_steps) return std::nullopt;
        least_missing = std::min(least_missing, int{right[i].high});
    }
    if (least_missing == julia_max_steps || most_there >= least_missing) return std::nullopt;
    constexpr int kFew = 16;  // with so few, there may be no loop at all
    if (most_there < kFew) return std::nullopt;
    if (least_missing == julia_max_steps - 1) {
        return "Only orbits that escape in the last of the 200 steps are wrong: they have 200, the "
               "count of those that never do. The loop ends one step early.";
    }
    return "Only long orbits are wrong: those that escape after " + std::to_string(least_missing) +
           " steps or more have 200, the count of those that never do. The loop ends too early: it "
           "must make julia_max_steps = 200 steps.";
}

std::optional<std::string> wrong_members(const std::vector<int>& counts,
                                         const std::vector<Counts>& right) {
    std::optional<int> least, greatest;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (right[i].holds(counts[i])) continue;
        const bool is_legal = counts[i] >= 0 && counts[i] <= julia_max_steps;
        if (is_legal || right[i].high != julia_max_steps) return std::nullopt;
        least = std::min(least.value_or(counts[i]), counts[i]);
        greatest = std::max(greatest.value_or(counts[i]), counts[i]);
    }
    if (!least) return std::nullopt;
    if (*least > julia_max_steps) {
        return "Counts go up to " + std::to_string(*greatest) +
               ", but an orbit is followed for julia_max_steps = " +
               std::to_string(julia_max_steps) + " steps at most.";
    }
    if (*least != *greatest) return std::nullopt;
    return "Members have the count " + std::to_string(*least) +
           ": an orbit that survives all steps has julia_max_steps, which must be returned after "
           "the loop.";
}

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

std::vector<int> members_of(const std::vector<int>& counts, int member) {
    std::vector<int> members;
    for (const int count : counts) {
        members.push_back(count == julia_max_steps ? member : 1 - member);
    }
    return members;
}

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

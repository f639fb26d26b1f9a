// Grader of lab 04: what launch_julia_set and julia_set must do, for 10 points.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "julia_set.h"
#include "mistakes.h"
#include "orbits.h"

using namespace lab;

namespace {

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
    auto matcher = shows_the_set(right, dim)
                       .or_diagnose(first)
                       .or_diagnose([&](const Evidence&) {
                           return last_steps_missing(counts.values(), *right);
                       })
                       .or_diagnose([&](const Evidence& e) -> std::optional<std::string> {
                           if (std::ranges::find(e.untouched, true) != e.untouched.end()) {
                               return std::nullopt;
                           }
                           return wrong_members(counts.values(), *right);
                       });
    const int most =
        counts.size() == 0 ? 0 : std::clamp(std::ranges::max(counts.values()), 0, julia_max_steps);
    CHECK_THAT(counts, std::move(matcher)
                           .or_looks_like(known_mistakes(dim, scale, most))
                           .or_diagnose(image_mistakes(dim, dim))
                           .or_diagnose([&](auto&) {
                               return wrong_at_the_edge(counts.values(), *right, dim);
                           }));
}

/// Below 1, orbits near 0 are more sensitive than the moved starts show.
float random_scale() {
    return static_cast<float>(random_int(100, 300)) / 100.0F;
}

void check_launch(int dim, float scale) {
    const auto call = submission().call<launch_julia_set>(out, dim, scale);
    check_counts(call.output(), dim, scale);
    if (on_vgpu() && dim > 0) {  // a GPU reports no launches
        INFO("no kernel was launched: the image must be computed on the device");
        CHECK_FALSE(call.launches().empty());
    }
}

void check_both_images(int dim, float scale) {
    const auto call = submission().call<julia_set>(out, out, dim, scale);
    const auto members = call.output<0>(), counts = call.output<1>();
    const auto exchanged = [&](const Evidence&) -> std::optional<std::string> {
        if (members_of(members.values()) != counts.values() ||
            std::ranges::all_of(counts.values(), [](int count) { return count == 0; })) {
            return std::nullopt;
        }
        return "member and counts are swapped: each holds what belongs into the other.";
    };
    check_counts(counts, dim, scale, exchanged);
    const std::vector<int> expected = members_of(counts.values());
    std::vector<int> from_199 = expected;
    for (std::size_t i = 0; i < from_199.size(); ++i) {
        if (counts[i] == julia_max_steps - 1) from_199[i] = 1;
    }
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
            .or_looks_like(from_199,
                           "member is 1 where the count is 199, too: members are those that "
                           "survive all steps, whose count is julia_max_steps = 200.")
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
    if (dim == 100) check_launch(81, 1.33F);
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
    const float scale = 20;  // most orbits are short
    check_leaves_nothing("julia_set with dim = 64", [&] {
        return submission().call<julia_set>(out, out, 64, scale).leaked_bytes();
    });
}

TEST_CASE("launch_julia_set: at least 0.35x the reference",
          "[speed][task:2][points:2][needs:image]") {
    const float scale = 1.5F;
    // Once a size, as no input changes from round to round.
    std::map<int, std::shared_ptr<const std::vector<Counts>>> right;
    const auto speed = time_against_reference<launch_julia_set>(
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
    CHECK_THAT(speed, at_least(0.35));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 04) and benchmarks (./lab bench 04), drawn by the scripts of the same
// names in figures/.

namespace {

int cpu_count(int x, int y, int dim, float scale) {
    return strict_count(re_of(x, dim, scale), im_of(y, dim, scale));
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
        table.row(re_of(x, dim, scale), im_of(y, dim, scale));
    }
}

TEST_CASE("bench: versions", "[.][bench]") {
    check_launch(100, 1.5F);  // reports a wrong program before timing it
    const int dim = speed_size(4096, 515);
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
    for (int dim = 32; dim <= speed_size(4096, 512); dim *= 2) {
        for (const Version& version : versions()) {
            table.row(dim, version.name(), time_ms<launch_julia_set>(version, out, dim, 1.5F));
        }
    }
}

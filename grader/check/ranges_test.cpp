#include "check/ranges.h"

#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "check/output/test_log.h"

using namespace lab;

namespace {

Output<int> output_of(std::vector<int> values, std::vector<bool> untouched = {}) {
    if (untouched.empty()) untouched.resize(values.size());
    return {std::move(values), std::move(untouched), device_out("counts", "n"),
            std::make_shared<const CallFacts>(CallFacts{"count(n = 3)", "n = 3", {}, {}})};
}

using Ranges = std::vector<Range<unsigned char>>;
constexpr Range<unsigned char> kLegal{0, 9};

/// 20 elements, of which each must be its own index, of 0 to 9.
Ranges digits() {
    Ranges ranges;
    for (unsigned char i = 0; i < 20; ++i) {
        const auto digit = static_cast<unsigned char>(i % 10);
        ranges.push_back({digit, digit});
    }
    return ranges;
}

std::string diagnosis_of(InRanges<unsigned char> matcher, const Output<int>& output) {
    TestLog& log = test_log();
    log.clear();
    if (matcher.match(output)) return "right";
    log.failed("");
    return log.first_failure()->diagnosis;
}

}  // namespace

TEST_CASE("ranges: every value of the range is right, and both neighbours are not") {
    const Ranges ranges{{3, 5}};
    CHECK(in_ranges(ranges, kLegal, 0).match(output_of({3})));
    CHECK(in_ranges(ranges, kLegal, 0).match(output_of({5})));
    CHECK_FALSE(in_ranges(ranges, kLegal, 0).match(output_of({2})));
    CHECK_FALSE(in_ranges(ranges, kLegal, 0).match(output_of({6})));
    CHECK_FALSE(in_ranges(ranges, kLegal, 0).match(output_of({3, 3})));
    CHECK(in_ranges(Ranges{}, kLegal, 0).match(output_of({})));
}

TEST_CASE("ranges: as many misses as allowed are forgiven, one more is not") {
    const Ranges ranges{{1, 1}, {2, 2}, {3, 3}, {4, 4}};
    CHECK(in_ranges(ranges, kLegal, 2).match(output_of({1, 9, 0, 4})));
    CHECK_FALSE(in_ranges(ranges, kLegal, 2).match(output_of({1, 9, 0, 0})));
}

TEST_CASE("ranges: what no right program can return is never forgiven") {
    const Ranges ranges{{1, 1}, {2, 2}, {3, 3}, {4, 4}};
    CHECK_FALSE(in_ranges(ranges, kLegal, 2).match(output_of({1, 2, 3, 10})));
    CHECK_FALSE(in_ranges(ranges, kLegal, 2).match(output_of({1, 2, 3, -1})));
    CHECK_FALSE(in_ranges(ranges, kLegal, 2).match(output_of({1, 2, 3, -858993460})));
}

TEST_CASE("ranges: the message shows the range, and the column and row of an image") {
    const auto matcher = in_ranges(Ranges{{1, 1}, {2, 2}, {3, 3}, {4, 6}}, kLegal, 0).rows_of(2);
    CHECK_FALSE(matcher.match(output_of({1, 2, 3, 7})));
    CHECK(matcher.describe() ==
          "count(n = 3): 1 of 4 elements of counts is wrong.\n"
          "  first wrong   counts[3]\n"
          "  expected      4 to 6 (column 1, row 1)\n"
          "  got           7");
    const auto exact = in_ranges(Ranges{{1, 1}, {2, 2}}, kLegal, 0);
    CHECK_FALSE(exact.match(output_of({1, -1}, {false, true})));
    CHECK(exact.describe() ==
          "count(n = 3): 1 of 2 elements of counts is wrong.\n"
          "  first wrong   counts[1]\n"
          "  expected      2\n"
          "  got           nothing: this element was never written");
}

TEST_CASE("ranges: a known wrong program is recognised, unless another one fits as well") {
    const auto plus_one = [](std::size_t i) { return static_cast<unsigned char>(i % 10 + 1); };
    std::vector<int> one_more(20);
    for (std::size_t i = 0; i < 20; ++i) one_more[i] = plus_one(i);
    CHECK(diagnosis_of(in_ranges(digits(), kLegal, 0).or_looks_like(plus_one, "one too large"),
                       output_of(one_more)) == "one too large");
    CHECK(diagnosis_of(in_ranges(digits(), kLegal, 0)
                           .or_looks_like(plus_one, "one too large")
                           .or_looks_like(plus_one, "or something else"),
                       output_of(one_more)) == "");
    CHECK(diagnosis_of(in_ranges(digits(), kLegal, 0)
                           .or_looks_like(plus_one, "one too large")
                           .or_looks_like(plus_one, "one too large"),
                       output_of(one_more)) == "one too large");
}

TEST_CASE("ranges: right elements speak against a known wrong program") {
    // The last ten are one too large, the first ten are right: that program is not this one.
    const auto plus_one = [](std::size_t i) { return static_cast<unsigned char>(i % 10 + 1); };
    std::vector<int> half(20);
    for (std::size_t i = 0; i < 20; ++i) half[i] = static_cast<int>(i < 10 ? i : i - 9);
    CHECK(diagnosis_of(in_ranges(digits(), kLegal, 0).or_looks_like(plus_one, "one too large"),
                       output_of(half)) == "");
}

TEST_CASE("ranges: diagnosers see which elements are right and which were never written") {
    std::vector<int> values(20);
    std::iota(values.begin(), values.begin() + 10, 0);
    std::vector<bool> untouched(20);
    std::fill(untouched.begin() + 10, untouched.end(), true);
    std::fill(values.begin() + 10, values.end(), -1);
    const auto first_ten = [](const Evidence& e) -> std::optional<std::string> {
        for (std::size_t i = 0; i < e.size(); ++i) {
            if (e.right[i] != (i < 10) || e.untouched[i] != (i >= 10)) return std::nullopt;
        }
        return "the first ten of " + e.name;
    };
    CHECK(diagnosis_of(in_ranges(digits(), kLegal, 0).or_diagnose(first_ten),
                       output_of(values, untouched)) == "the first ten of counts");
}

TEST_CASE("ranges: a forgiven miss is not part of a mistake") {
    const auto matcher = in_ranges(Ranges{{1, 1}, {2, 2}, {3, 3}, {4, 4}}, kLegal, 1);
    CHECK_FALSE(matcher.match(output_of({9, 2, 3, -1}, {false, false, false, true})));
    CHECK(matcher.describe() ==
          "count(n = 3): 1 of 4 elements of counts is wrong.\n"
          "  first wrong   counts[3]\n"
          "  expected      4\n"
          "  got           nothing: this element was never written");
}

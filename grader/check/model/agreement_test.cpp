#include "check/model/agreement.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace lab::model;
using Catch::Matchers::WithinAbs;

namespace {

bool all(const Variant&) {
    return true;
}

std::vector<Variant> variants(const std::vector<std::pair<double, double>>& times) {
    std::vector<Variant> result;
    for (const auto& [measured, modelled] : times) {
        result.push_back({"f", std::to_string(result.size()), measured, modelled, result.empty()});
    }
    return result;
}

}  // namespace

TEST_CASE("agreement: the same order is 1, the opposite -1, whatever the sizes are") {
    CHECK_THAT(agreement_of(variants({{1, 10}, {2, 11}, {30, 900}}), all).rank_correlation,
               WithinAbs(1, 1e-12));
    CHECK_THAT(agreement_of(variants({{1, 900}, {2, 11}, {30, 10}}), all).rank_correlation,
               WithinAbs(-1, 1e-12));
    // Ranks 0 1 2 3 against 0 1.5 1.5 3, worked out by hand: sqrt(0.9).
    CHECK_THAT(agreement_of(variants({{1, 1}, {2, 5}, {3, 5}, {4, 7}}), all).rank_correlation,
               WithinAbs(0.9486832980505138, 1e-12));
}

TEST_CASE("agreement: an inversion is a pair that differs clearly, in the wrong order or equal") {
    const Agreement few = agreement_of(variants({{1, 2}, {1.4, 1}, {1.5, 2}, {3, 1.5}}), all);
    CHECK(few.pairs == 4);  // 1 and 1.5, 1 and 3, 1.4 and 3, 1.5 and 3
    REQUIRE(few.inversions.size() == 3);
    CHECK(few.inversions[0].slower.name == "2");  // modelled equal
    CHECK(few.inversions[1].slower.name == "3");
    CHECK(few.inversions[2].faster.name == "2");
    CHECK(few.family_inversions() == 3);
    std::vector<Variant> others = variants({{1, 2}, {3, 1}});
    others[1].family = "g";
    const Agreement across = agreement_of(others, all);
    CHECK(across.inversions.size() == 1);
    CHECK(across.family_inversions() == 0);
    CHECK(across.family_pairs == 0);
}

TEST_CASE("agreement: errors are of ratios to the reference, too large or too small alike") {
    // 2, 1/2 and 1.25 times the measured ratio.
    const Agreement a = agreement_of(variants({{1, 10}, {1, 20}, {2, 10}, {4, 50}}), all);
    CHECK_THAT(a.median_ratio_error, WithinAbs(1, 1e-12));
    CHECK_THAT(a.worst_ratio_error, WithinAbs(1, 1e-12));
    CHECK_THAT(agreement_of(variants({{1, 10}, {1, 10}, {4, 50}}), all).median_ratio_error,
               WithinAbs(0.125, 1e-12));
    CHECK(agreement_of(variants({{1, 10}, {1, 10}, {4, 50}}), all).worst == "f: 2");
}

TEST_CASE("agreement: the halves are fixed by name, and are halves") {
    std::size_t held_out = 0;
    for (int i = 0; i < 1000; ++i) held_out += is_held_out({"family", std::to_string(i)});
    CHECK(held_out > 400);
    CHECK(held_out < 600);
    CHECK(is_held_out({"vector add", "block 256"}) == is_held_out({"vector add", "block 256", 1}));
}

#include "check/inputs.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace lab;

TEST_CASE("inputs: the same seed and test give the same numbers, another of either does not") {
    CHECK(Random(1, "test").bits() == Random(1, "test").bits());
    CHECK(Random(1, "test").bits() != Random(2, "test").bits());
    CHECK(Random(1, "test").bits() != Random(1, "test b").bits());
}

TEST_CASE("inputs: the numbers of a seed are the same on every machine") {
    random_source() = Random(42, "golden");
    CHECK(random_int(0, 1'000'000) == 253'621);
    CHECK(random_floats(1)[0] == 0.834983468F);
}

TEST_CASE("inputs: bounds are kept, ends of integers included") {
    random_source() = Random(7);
    const auto floats = random_floats(100'000, 2.0F, 3.0F);
    CHECK(*std::min_element(floats.begin(), floats.end()) >= 2.0F);
    CHECK(*std::max_element(floats.begin(), floats.end()) < 3.0F);
    const auto ints = random_ints(1000, -2, 2);
    CHECK(std::set<int>(ints.begin(), ints.end()) == std::set<int>{-2, -1, 0, 1, 2});
}

TEST_CASE("inputs: floats are nearly all different") {
    random_source() = Random(7);
    const auto floats = random_floats(10'000);
    CHECK(std::set<float>(floats.begin(), floats.end()).size() > 9'900);
}

#include "check/call/inputs.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <climits>
#include <cstdint>
#include <set>

#include "protocol/mutate.h"

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

TEST_CASE("inputs: large arrays hold the same numbers, however many cores fill them") {
    const std::size_t count = (1 << 20) + 7;  // worth several threads
    Random one_by_one = random_source();
    const std::vector<float> values = random_floats(count, 0, 1);
    bool same = true;
    for (const float value : values)
        same &= value == static_cast<float>(one_by_one.bits() >> 40) / 16777216.0F;
    CHECK(same);
    CHECK(random_source().bits() == one_by_one.bits());
}

TEST_CASE("inputs: a change takes the one before it back") {
    const std::uint64_t mask = 0x007FFFFF'007FFFFFull, word = 0x3F800000'40490FDBull, index = 41;
    const Change first{0, 7}, second{7, 9};
    const std::uint64_t once = word ^ change_of(first.of_buffer(2), index, mask);
    const std::uint64_t twice = once ^ change_of(second.of_buffer(2), index, mask);
    CHECK(once != word);
    CHECK(twice == (word ^ change_of(Change{0, 9}.of_buffer(2), index, mask)));
    CHECK(twice != (word ^ change_of(Change{0, 9}.of_buffer(3), index, mask)));
    CHECK((twice ^ change_of(Change{9, 0}.of_buffer(2), index, mask)) == word);
}

namespace {

/// The state before which Random::bits() draws all ones.
std::uint64_t before_all_ones() {
    std::uint64_t x = ~0ull;
    x ^= x >> 31 ^ x >> 62;
    x *= 0x319642B2D24D8EC3ull;
    x ^= x >> 27 ^ x >> 54;
    x *= 0x96DE1B173F119089ull;
    x ^= x >> 30 ^ x >> 60;
    return x - 0x9E3779B97F4A7C15ull;
}

}  // namespace

TEST_CASE("inputs: integers drawn by several threads are those drawn one by one") {
    const std::size_t many = (1 << 20) + 7;
    const auto [state, low, high] =
        GENERATE(table<std::uint64_t, int, int>({{1, -1'000'000, 1'000'000},
                                                 {2, 0, (1 << 20) - 1},
                                                 {3, INT_MIN, INT_MAX},
                                                 {before_all_ones(), -1, 1}}));  // is drawn again
    random_source() = Random(state);
    std::vector<int> expected(many);
    for (int& value : expected) value = static_cast<int>(random_source().integer(low, high));
    const auto next = random_source().bits();
    random_source() = Random(state);
    CHECK(random_ints(many, low, high) == expected);
    CHECK(random_source().bits() == next);
}

TEST_CASE("inputs: the number that is drawn again is all ones") {
    CHECK(Random(before_all_ones()).bits() == ~0ull);
}

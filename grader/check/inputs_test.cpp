#include "check/inputs.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
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

#include "check/speed/speed_sizes.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "check/call/inputs.h"

using namespace lab;

TEST_CASE("speed sizes: differ from draw to draw, and keep what the lab asks for") {
    random_source() = Random(1);
    const SpeedSizes asked{.gpu = (1 << 25) + 3, .vgpu = (1 << 21) + 3};
    std::set<int> small, larger, third;
    for (int draw = 0; draw < 100; ++draw) {
        const CountedSizes sizes = drawn_sizes(asked);
        CHECK(sizes.larger >= asked.vgpu);
        CHECK(sizes.larger <= 1.21 * asked.vgpu);
        CHECK(sizes.small >= asked.vgpu / 2);
        CHECK(sizes.small <= 0.61 * asked.vgpu);
        CHECK(sizes.larger % 2 == 1);
        CHECK(sizes.small % 2 == 1);
        CHECK(sizes.full == asked.gpu);
        const int between = drawn_between(sizes);
        CHECK(between > sizes.small + sizes.small / 20);
        CHECK(between < sizes.larger - sizes.larger / 20);
        small.insert(sizes.small);
        larger.insert(sizes.larger);
        third.insert(between);
    }
    CHECK(small.size() > 90);
    CHECK(larger.size() > 90);
    CHECK(third.size() > 90);
}

TEST_CASE("speed sizes: a few rounds of a loop stay a few") {
    random_source() = Random(1);
    for (int draw = 0; draw < 100; ++draw) {
        const CountedSizes sizes = drawn_sizes({.gpu = 64, .vgpu = 8});
        CHECK(sizes.larger == 8);
        CHECK(sizes.small == 4);
        const int between = drawn_between(sizes);
        CHECK((between == 5 || between == 6 || between == 7));
    }
}

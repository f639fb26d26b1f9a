#include "check/leaks.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace lab;

namespace {
/// Returns these numbers one after the other, then the last one for ever.
std::function<long long()> says(std::vector<long long> numbers) {
    return [numbers = std::move(numbers), at = std::size_t{0}]() mutable {
        const long long number = numbers[at];
        if (at + 1 < numbers.size()) ++at;
        return number;
    };
}
}  // namespace

TEST_CASE("leaks: exact numbers are added up, without the first call's") {
    CHECK(leaked_by(3, says({1000, 1, 2, 3}), true) == 6);
    CHECK(leaked_by(3, says({1000, 0}), true) == 0);
    CHECK(leaked_by(2, says({0, -8}), true) == -16);
}

TEST_CASE("leaks: on a GPU other processes allocate and free, a leak comes every time") {
    constexpr long long kStep = 2 << 20;
    // Another process allocates in the first attempt, and in the second.
    CHECK(leaked_by(2, says({0, 0, 100 * kStep, 50 * kStep, 0, 0, 0}), false) == 0);
    // It frees.
    CHECK(leaked_by(2, says({0, -100 * kStep, 0}), false) == 0);
    CHECK(leaked_by(2, says({0, 0, kStep, 90 * kStep, kStep, 0, kStep}), false) == kStep);
}

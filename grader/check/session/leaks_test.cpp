#include "check/session/leaks.h"

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

TEST_CASE("leaks: numbers are added up, without the first call's") {
    CHECK(leaked_by(3, says({1000, 1, 2, 3})) == 6);
    CHECK(leaked_by(3, says({1000, 0})) == 0);
    CHECK(leaked_by(2, says({0, -8})) == -16);
}

#include "protocol/extent.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

using lab::evaluate_extent;
using lab::ExtentError;

namespace {
std::int64_t value_of(std::string_view text) {
    return evaluate_extent(text, {{"n", 7}, {"height", 3}, {"pitch_2", 512}});
}
}  // namespace

TEST_CASE("extent: names, numbers and the usual precedence") {
    CHECK(value_of("n") == 7);
    CHECK(value_of("1024") == 1024);
    CHECK(value_of("height*pitch_2 + 1") == 1537);
    CHECK(value_of("2 * (n + height)") == 20);
    CHECK(value_of("n - height - 1") == 3);
    CHECK(value_of("n / 2 * 2") == 6);
    CHECK(value_of("n % height") == 1);
    CHECK(value_of("ceil_div(n, 4)") == 2);
    CHECK(value_of("ceil_div(n + 1, 4) * 4") == 8);
    CHECK(value_of("ceil_div(0, 4)") == 0);
}

TEST_CASE("extent: an error quotes the expression and says what is wrong") {
    const auto message = [](std::string_view text) -> std::string {
        try {
            value_of(text);
        } catch (const ExtentError& error) {
            return error.what();
        }
        return "no error";
    };
    CHECK(message("m") ==
          "size \"m\" in the contract: 'm' is not an integer parameter of the function");
    CHECK(message("n - 8") == "size \"n - 8\" in the contract: the size is negative: -1");
    CHECK(message("n / (height - 3)") ==
          "size \"n / (height - 3)\" in the contract: division by 0");
    CHECK(message("n n") == "size \"n n\" in the contract: unexpected 'n'");
    CHECK(message("(n") == "size \"(n\" in the contract: ')' is missing");
    CHECK(message("n +") == "size \"n +\" in the contract: ends too early");
    CHECK(message("n * 9223372036854775807") ==
          "size \"n * 9223372036854775807\" in the contract: the size does not fit 64 bits");
    CHECK(message("") == "size \"\" in the contract: ends too early");
}

#include "base/base64.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("base64: all lengths, all bytes") {
    CHECK(base64("").empty());
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xFF\xFE\xFD") == "//79");
}

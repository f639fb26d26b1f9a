// Checks that lab 14 accepts its results in any order, and nothing else.
#include "oracle.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "mistakes.h"

using namespace lab;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

bool any_order_accepts(const Floats& expected, const Floats& got) {
    return Begins(expected, false).all_right(got);
}

const Entries kValues = {{0, 2}, {0, 2}, {0, 3}, {2, 5}};

/// Whether this is what append must leave.
bool accepts(const Entries& got, int reserved) {
    return expected_entries(got, kValues, reserved) == got;
}

}  // namespace

TEST_CASE("any order: elements stand where the result has them") {
    CHECK(arranged({1, 2, 3}, {3, 1, 2}) == Floats{3, 1, 2});
    CHECK(arranged({1, 2, 3, 4}, {4, 9, 1, 9}) == Floats{4, 2, 1, 3});
    const Floats twice = arranged({1, 2, 3}, {2, 2, 2});
    CHECK(twice == Floats{2, 1, 3});
    const Floats with_rest = arranged({5, 6, kNan, kNan}, {6, 5, kNan, 7});
    CHECK(with_rest[0] == 6);
    CHECK(with_rest[1] == 5);
    CHECK(with_rest[2] != with_rest[2]);
    CHECK(with_rest[3] != with_rest[3]);
}

TEST_CASE("any order: a sum of hashes tells what is missing, and what is there twice") {
    CHECK(any_order_accepts({1, 2, 3}, {3, 2, 1, kNan}));
    CHECK(any_order_accepts({}, {kNan}));
    CHECK_FALSE(any_order_accepts({1, 2, 3}, {3, 2, 2, 1}));
    CHECK_FALSE(any_order_accepts({1, 2, 3}, {1, 2, kNan}));
    CHECK_FALSE(any_order_accepts({1, 3}, {2, 2}));
    CHECK_FALSE(any_order_accepts({1, 2, 3}, {1, 2}));
    CHECK(Begins({1, 2}, true).all_right(Floats{1, 2, 9}));
    CHECK_FALSE(Begins({1, 2}, true).all_right(Floats{2, 1, 9}));
}

TEST_CASE("entries: values in any order, gaps anywhere, nothing behind what was reserved") {
    CHECK(accepts({{0, 3}, {2, 5}, {0, 2}, {0, 2}, kEmpty, kEmpty, kNotWritten}, 6));
    CHECK(accepts({kEmpty, {0, 3}, {2, 5}, kEmpty, {0, 2}, {0, 2}, kNotWritten}, 6));
    // A full array has any of the values.
    CHECK(accepts({{2, 5}, {0, 2}}, 6));
    CHECK(accepts({kEmpty, kEmpty}, 6));
    CHECK(accepts({}, 6));

    CHECK_FALSE(accepts({{0, 3}, {2, 5}, {0, 2}, {0, 2}, kEmpty, kNotWritten, kNotWritten}, 6));
    CHECK_FALSE(accepts({{0, 3}, {2, 5}, {0, 2}, {0, 2}, kEmpty, kEmpty, kEmpty}, 6));
    CHECK_FALSE(accepts({{0, 3}, {2, 5}, {2, 5}, {0, 2}, kEmpty, kEmpty, kNotWritten}, 6));
    CHECK_FALSE(accepts({{0, 3}, {2, 5}, {0, 2}, kEmpty, kEmpty, kEmpty, kNotWritten}, 6));
    CHECK_FALSE(accepts({{0, 3}, {2, 5}, {0, 2}, {0, 2}, {0, 0}, kEmpty, kNotWritten}, 6));
    CHECK_FALSE(accepts({{2, 5}, {2, 5}}, 6));
    CHECK_FALSE(accepts({kEmpty, kEmpty, kEmpty}, 6));
}

TEST_CASE("entries: what is missing is expected in the order of the jobs") {
    const Entries got = {{2, 5}, {2, 5}, {0, 2}, kNotWritten, kEmpty, kEmpty};
    CHECK(expected_entries(got, kValues, 6) ==
          Entries{{2, 5}, {0, 2}, {0, 2}, {0, 3}, kEmpty, kEmpty});
}

TEST_CASE("reserved: whole ranges, enough of them, and fewer than 64 unused slots a warp") {
    CHECK_FALSE(mistake_of_reserved(64, 1, 1));
    CHECK_FALSE(mistake_of_reserved(128, 65, 1));
    CHECK_FALSE(mistake_of_reserved(0, 0, 0));
    CHECK(mistake_of_reserved(128, 64, 1).value().find("64 slots of 128 stayed unused") == 0);
    CHECK(mistake_of_reserved(100, 90, 4).value().find("no multiple of 64") != std::string::npos);
    CHECK(mistake_of_reserved(64, 65, 4).value().find("Only 64 slots were reserved") == 0);
}

TEST_CASE("factors: with their multiplicity, and none of 1") {
    const std::vector<int> numbers = {12, 1, 999'999'937, 1 << 29};
    const Entries entries = factors_of(numbers);
    CHECK(entries.size() == 3 + 0 + 1 + 29);
    CHECK(entries[2] == Entry{0, 3});
    CHECK(entries[3] == Entry{2, 999'999'937});
}

TEST_CASE("count: what was counted in place of the kept elements") {
    Floats a(100, 1.0F);
    for (std::size_t i = 0; i < a.size(); i += 2) a[i] = -1;
    const auto begins = [&](int got, const std::string& sentence) {
        return mistake_of_count(a, got).value_or("").find(sentence) == 0;
    };
    CHECK(begins(0, "*count is 0"));
    CHECK(begins(100, "*count is the number of all elements"));
    CHECK(begins(4, "*count is the number of groups of 32"));
    CHECK(begins(128, "*count is 32 for each warp"));
    CHECK(begins(48, "*count is right up to a[95]"));
    CHECK(mistake_of_count(a, 37) == std::nullopt);
}

TEST_CASE("count: of millions of elements, each of them is looked at a few times only") {
    const Floats a(4'200'003, 1.0F);
    const auto sentence = mistake_of_count(a, 1024 * kTile).value_or("");
    CHECK(sentence.find("*count is that of the first 1024 tiles") == 0);
}

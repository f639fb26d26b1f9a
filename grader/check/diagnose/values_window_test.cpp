#include "check/diagnose/values_window.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace lab;
using nlohmann::json;

namespace {

/// An output of `size` elements i, expected 10 * i; the given ones are wrong.
detail::Mismatch mismatch(std::size_t size, const std::set<std::size_t>& wrong) {
    detail::Mismatch result;
    result.evidence.name = "c";
    result.expected_size = size;
    for (std::size_t i = 0; i < size; ++i) {
        result.evidence.right.push_back(!wrong.contains(i));
        result.evidence.untouched.push_back(false);
    }
    result.show_expected = [](std::size_t i) { return std::to_string(10 * i); };
    result.show_got = [](std::size_t i) { return std::to_string(i); };
    return result;
}

std::vector<std::size_t> indices(const json& window) {
    std::vector<std::size_t> all;
    for (const json& one : window.at("around")) all.push_back(one.at("index"));
    return all;
}

using Indices = std::vector<std::size_t>;

}  // namespace

TEST_CASE("values window: the first wrong element and its neighbours, each with its state") {
    detail::Mismatch wrong = mismatch(4, {1, 2, 3});
    wrong.evidence.untouched[2] = true;
    wrong.is_fresh = [](std::size_t i) { return i == 3; };
    wrong.show_tolerance = [](std::size_t i) { return "0." + std::to_string(i); };
    const auto element = [](int index, const char* expected, const char* got, const char* state) {
        return json{{"index", index}, {"expected", expected}, {"got", got}, {"state", state}};
    };
    CHECK(values_window(wrong) ==
          json{{"name", "c"},
               {"elements", 4},
               {"wrong", 3},
               {"first_wrong", 1},
               {"tolerance", "0.1"},
               {"around",
                {element(0, "0", "0", "right"), element(1, "10", "1", "wrong"),
                 element(2, "20", "2", "never_written"), element(3, "30", "3", "uninitialized")}}});
}

TEST_CASE("values window: the first wrong one is in the middle, unless an end is near") {
    CHECK(indices(values_window(mismatch(1000, {256, 999}))) ==
          Indices{252, 253, 254, 255, 256, 257, 258, 259, 260});
    CHECK(indices(values_window(mismatch(1000, {1}))) == Indices{0, 1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(indices(values_window(mismatch(20, {19}))) ==
          Indices{11, 12, 13, 14, 15, 16, 17, 18, 19});
    CHECK(indices(values_window(mismatch(1, {0}))) == Indices{0});
}

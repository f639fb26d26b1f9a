#include "check/marshal.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <cstring>
#include <numeric>

#include "check/grader_fault.h"
#include "check/submission.h"

using namespace lab;

LAB_FUNCTION(void, scale, (const float* a, float* c, int n, float factor), lab::device_in("a", "n"),
             lab::device_out("c", "n"), lab::value("n"), lab::value("factor"))
LAB_FUNCTION(void, pitched_copy, (const int* from, int* to, int height, int width, int pitch),
             lab::device_in("from", "height * width"),
             lab::device_out("to", "height * pitch").rows("width", "pitch"), lab::value("height"),
             lab::value("width"), lab::value("pitch"))

LAB_FUNCTION(void, add_up, (const float* a, float* parts, float* sum, int n),
             lab::device_in("a", "n"), lab::device_scratch("parts", "ceil_div(n, 32)"),
             lab::device_out("sum", "1"), lab::value("n"))
// Memory to work in is no result: a function that has some can still be raced.
static_assert(lab::detail::only_output<add_up>() == 2);

namespace {

std::vector<std::vector<std::byte>> untouched(const Marshalled& call) {
    std::vector<std::vector<std::byte>> after;
    for (const Buffer& buffer : call.buffers) after.push_back(buffer.image);
    return after;
}

CallPlan scale_plan(const std::vector<float>& a) {
    return detail::plan_call<scale>(a, out, static_cast<int>(a.size()), 2.0F);
}

template <class T>
void write(std::vector<std::byte>& image, std::uint64_t at, T value) {
    std::memcpy(&image[at], &value, sizeof(value));
}

}  // namespace

TEST_CASE("marshal: sizes come from the contract, and values travel as bytes") {
    const std::vector<float> a{1, 2, 3};
    const CallPlan plan = scale_plan(a);
    CHECK(plan.call_text() == "scale(n = 3, factor = 2)");
    const Marshalled call = marshal(plan, false, 1);
    REQUIRE(call.buffers.size() == 2);
    CHECK(call.request.argument_count == 4);
    CHECK(call.buffers[1].data_bytes() == 12);
    CHECK(call.buffers[1].described() == "c (n = 3 floats)");
    CHECK(compact(call.buffers[0], call.buffers[0].image) ==
          std::vector<std::byte>(std::as_bytes(std::span(a)).begin(),
                                 std::as_bytes(std::span(a)).end()));
    CHECK(call.request.arguments[0].allocation == 0);
    CHECK(call.request.arguments[2].allocation == -1);
    int n = 0;
    std::memcpy(&n, call.request.arguments[2].value.data(), sizeof(n));
    CHECK(n == 3);
}

TEST_CASE("marshal: scratch memory is guarded, and counts as never written") {
    const std::vector<float> a(65);
    const Marshalled call = marshal(detail::plan_call<add_up>(a, scratch, out, 65), false, 1);
    REQUIRE(call.buffers.size() == 3);
    CHECK(call.buffers[1].described() == "parts (ceil_div(n, 32) = 3 floats)");
    CHECK(call.request.allocations[1].forget);
    auto after = untouched(call);
    write(after[1], call.buffers[1].data_begin, 1.0F);
    CHECK_FALSE(check_memory(call, after, "add_up(n = 65)"));
    write(after[1], call.buffers[1].data_begin + 12, 1.0F);
    REQUIRE(check_memory(call, after, "add_up(n = 65)"));
    CHECK(check_memory(call, after, "add_up(n = 65)")->message ==
          "add_up(n = 65) wrote past the end of parts (ceil_div(n, 32) = 3 floats): element 1 past "
          "the end was changed.");
}

TEST_CASE("marshal: on the virtual GPU device memory is exact, and never empty") {
    const std::vector<float> three{1, 2, 3}, none;
    CHECK(marshal(scale_plan(three), true, 1).request.allocations[1].bytes == 12);
    CHECK(marshal(scale_plan(none), true, 1).request.allocations[1].bytes == 1);
    CHECK(marshal(scale_plan(three), false, 1).request.allocations[1].bytes > 12 + 8192);
}

TEST_CASE("marshal: data that do not fit the contract are the grader's fault") {
    const std::vector<float> a{1, 2, 3};
    CHECK_THROWS_AS(marshal(detail::plan_call<scale>(a, out, 4, 2.0F), false, 1), GraderFault);
    CHECK_THROWS_AS(marshal(detail::plan_call<scale>(a, a, 3, 2.0F), false, 1), GraderFault);
    CHECK_THROWS_AS(marshal(detail::plan_call<scale>(out, out, 3, 2.0F), false, 1), GraderFault);
}

TEST_CASE("marshal: guards and poison differ between parameters and between calls") {
    const std::vector<float> a{1, 2, 3};
    const Marshalled one = marshal(scale_plan(a), false, 1), two = marshal(scale_plan(a), false, 2);
    CHECK(one.buffers[0].image != one.buffers[1].image);
    CHECK(one.buffers[1].image != two.buffers[1].image);
}

TEST_CASE("marshal: a call that leaves everything alone is found to have written nothing") {
    const std::vector<float> a{1, 2, 3};
    const Marshalled call = marshal(scale_plan(a), false, 1);
    const auto after = untouched(call);
    CHECK_FALSE(check_memory(call, after, "scale(n = 3)"));
    const ArgumentResult c = collect(call.buffers[1], after[1]);
    CHECK(c.untouched == std::vector<bool>{true, true, true});
}

TEST_CASE("marshal: writing outside is found on both sides") {
    const std::vector<float> a(20, 1.0F);
    const Marshalled call = marshal(scale_plan(a), false, 1);
    const std::uint64_t begin = call.buffers[1].data_begin;
    auto after = untouched(call);
    for (std::uint64_t i = 20; i < 32; ++i) write(after[1], begin + 4 * i, 5.0F);
    const auto past = check_memory(call, after, "scale(n = 20)");
    REQUIRE(past);
    CHECK(past->message ==
          "scale(n = 20) wrote past the end of c (n = 20 floats): element 1 to 12 past the end was "
          "changed.");
    CHECK(past->diagnosis ==
          "The threads past the last element write too: a thread whose index is not below the "
          "number of elements must do nothing, `if (i < n)`.");

    after = untouched(call);
    write(after[1], begin + 4 * 20, 5.0F);  // one element: no whole warp, so no diagnosis
    CHECK(check_memory(call, after, "scale(n = 20)")->diagnosis.empty());

    after = untouched(call);
    write(after[1], begin - 4, 5.0F);
    CHECK(
        check_memory(call, after, "scale(n = 20)")->message ==
        "scale(n = 20) wrote before the start of c (n = 20 floats): element 1 before the start was "
        "changed.");
}

TEST_CASE("marshal: a changed input is shown with its value before and after") {
    const std::vector<float> a{1, 2, 3};
    const Marshalled call = marshal(scale_plan(a), false, 1);
    auto after = untouched(call);
    write(after[0], call.buffers[0].data_begin + 4, 2.5F);
    CHECK(check_memory(call, after, "scale(n = 3)")->message ==
          "scale(n = 3) changed its input a (n = 3 floats).\n"
          "  first change   a[1]\n"
          "  before         2\n"
          "  after          2.5");
}

TEST_CASE("marshal: padding of pitched memory is guarded, and left out of what comes back") {
    std::vector<int> from(6);
    std::iota(from.begin(), from.end(), 0);
    const Marshalled call = marshal(detail::plan_call<pitched_copy>(from, out, 2, 3, 8), true, 1);
    REQUIRE(call.buffers[1].data_bytes() == 64);
    auto after = untouched(call);
    for (std::uint64_t i = 0; i < 6; ++i) {
        write(after[1], 4 * (i / 3 * 8 + i % 3), static_cast<int>(i));
    }
    CHECK_FALSE(check_memory(call, after, "pitched_copy()"));
    const ArgumentResult to = collect(call.buffers[1], after[1]);
    CHECK(to.bytes.size() == 24);
    CHECK(to.bytes == compact(call.buffers[0], after[0]));

    write(after[1], 4 * (8 + 4), 9);
    CHECK(check_memory(call, after, "pitched_copy()")->message ==
          "pitched_copy() wrote into the padding of to (height * pitch = 16 ints): row 1 has 3 "
          "elements, and column 4 was changed.");
}

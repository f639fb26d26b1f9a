#include "check/call/marshal.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <cstring>
#include <numeric>

#include "check/output/grader_fault.h"
#include "check/submission.h"

using namespace lab;

LAB_FUNCTION(void, scale, (const float* a, float* c, int n, float factor), lab::device_in("a", "n"),
             lab::device_out("c", "n"), lab::value("n"), lab::value("factor"))
LAB_FUNCTION(void, pitched_copy, (const int* from, int* to, int height, int width, int pitch),
             lab::device_in("from", "height * width"),
             lab::device_out("to", "height * pitch").rows("width", "pitch"), lab::value("height"),
             lab::value("width"), lab::value("pitch"))
LAB_FUNCTION(void, shift, (const float* in, float* out, int n), lab::device_in("in", "n"),
             lab::device_out("out", "n").view_of("in"), lab::value("n"))
LAB_FUNCTION(void, mark, (unsigned char* flags, int n), lab::device_out("flags", "n"),
             lab::value("n"))
LAB_FUNCTION(void, run_in, (void* stream, const float* in, float* out, int n),
             lab::stream("stream"), lab::pinned_in("in", "n"), lab::pinned_out("out", "n"),
             lab::value("n"))

LAB_FUNCTION(void, add_up, (const float* a, float* parts, float* sum, int n),
             lab::device_in("a", "n"), lab::device_scratch("parts", "ceil_div(n, 32)"),
             lab::device_out("sum", "1"), lab::value("n"))
LAB_FUNCTION(void, weigh, (const float* x, const float* w, float* y, int n),
             lab::device_in("x", "n").kept_as_made(), lab::device_in("w", "n"),
             lab::device_out("y", "n"), lab::value("n"))
// Memory to work in is no result: a function that has some can still be raced.
static_assert(lab::detail::output_count<add_up>() == 1 && lab::detail::outputs<add_up>[0] == 2);

namespace {

std::vector<std::vector<std::byte>> untouched(const Marshalled& call) {
    std::vector<std::vector<std::byte>> after;
    for (const Area& area : call.areas) after.emplace_back(area.image.begin(), area.image.end());
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
    CHECK(detail::plan_call<scale>(a, out, 3, 0.1F).call_text() == "scale(n = 3, factor = 0.1)");
    const Marshalled call = marshal(plan, false, 1);
    REQUIRE(call.buffers.size() == 2);
    CHECK(call.request.argument_count == 4);
    CHECK(call.buffers[1].data_bytes() == 12);
    CHECK(call.buffers[1].described() == "c (n = 3 floats)");
    CHECK(compact(call.buffers[0], call.areas[0].image) ==
          std::vector<std::byte>(std::as_bytes(std::span(a)).begin(),
                                 std::as_bytes(std::span(a)).end()));
    CHECK(call.request.arguments[0].allocation == 0);
    CHECK(call.request.arguments[0].kind == ArgumentKind::pointer);
    CHECK(call.request.arguments[2].kind == ArgumentKind::value);
    int n = 0;
    std::memcpy(&n, call.request.arguments[2].value.data(), sizeof(n));
    CHECK(n == 3);
}

TEST_CASE("marshal: scratch memory is guarded, and counts as never written") {
    const std::vector<float> a(65);
    const Marshalled call = marshal(detail::plan_call<add_up>(a, scratch, out, 65), false, 1);
    REQUIRE(call.buffers.size() == 3);
    CHECK(call.buffers[1].described() == "parts (ceil_div(n, 32) = 3 floats)");
    auto after = untouched(call);
    write(after[1], call.buffers[1].data_begin, 1.0F);
    CHECK_FALSE(check_memory(call, after, "add_up(n = 65)"));
    write(after[1], call.buffers[1].data_begin + 12, 1.0F);
    REQUIRE(check_memory(call, after, "add_up(n = 65)"));
    CHECK(check_memory(call, after, "add_up(n = 65)")->message ==
          "add_up(n = 65) wrote past the end of parts (ceil_div(n, 32) = 3 floats): element 1 past "
          "the end was changed.");
    const Marshalled exact = marshal(detail::plan_call<add_up>(a, scratch, out, 65), true, 1);
    CHECK(exact.request.allocations[1].forget[0].bytes == 12);
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
    CHECK(one.areas[0].image != one.areas[1].image);
    CHECK(one.areas[1].image != two.areas[1].image);
}

TEST_CASE("marshal: bytes begin as no flag, 0 or 1, would") {
    const Marshalled call = marshal(detail::plan_call<mark>(out, 1000), false, 1);
    CHECK(call.buffers[0].described() == "flags (n = 1000 bytes)");
    for (const std::byte byte : compact(call.buffers[0], call.areas[0].image)) {
        CHECK(byte >= std::byte{0xA0});
        CHECK(byte <= std::byte{0xBF});
    }
}

TEST_CASE("marshal: a call that leaves everything alone is found to have written nothing") {
    const std::vector<float> a{1, 2, 3};
    const Marshalled call = marshal(scale_plan(a), false, 1);
    const auto after = untouched(call);
    CHECK_FALSE(check_memory(call, after, "scale(n = 3)"));
    const ArgumentResult c = collect(call.buffers[1], call.areas[1].image, after[1]);
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
          "The threads past the last element write too. Such threads must do nothing.");

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
    const ArgumentResult to = collect(call.buffers[1], call.areas[1].image, after[1]);
    CHECK(to.bytes.size() == 24);
    CHECK(to.bytes == compact(call.buffers[0], after[0]));

    write(after[1], 4 * (8 + 4), 9);
    CHECK(check_memory(call, after, "pitched_copy()")->message ==
          "pitched_copy() wrote into the padding of to (height * pitch = 16 ints): row 1 has 3 "
          "elements, and column 4 was changed.");
    CHECK(check_memory(call, after, "pitched_copy()")->diagnosis.empty());
}

TEST_CASE("marshal: an image written without padding differs from other slips") {
    const std::vector<int> from(12);
    const Marshalled call = marshal(detail::plan_call<pitched_copy>(from, out, 4, 3, 8), true, 1);
    auto after = untouched(call);
    for (std::uint64_t i = 0; i < 12; ++i) write(after[1], 4 * i, static_cast<int>(i));
    CHECK(check_memory(call, after, "pitched_copy()")->diagnosis ==
          "to is written as if its rows followed each other without padding: from one row to the "
          "next it is not 3 elements but 8, the pitch.");
    write(after[1], 4 * 12, 12);
    CHECK(check_memory(call, after, "pitched_copy()")->diagnosis.empty());
}

TEST_CASE("marshal: views lie in one area, at the offset that the grader says") {
    const std::vector<float> in{1, 2, 3, 4};
    for (const bool vgpu : {true, false}) {
        for (const std::int64_t offset : {-7, -3, 0, 1, 4, 9}) {
            INFO("vgpu " << vgpu << ", offset " << offset);
            const Marshalled call = marshal(detail::plan_call<shift>(in, view(offset), 4), vgpu, 1);
            REQUIRE(call.areas.size() == 1);
            REQUIRE(call.request.allocation_count == 1);
            const Buffer &from = call.buffers[0], &to = call.buffers[1];
            CHECK(from.data_begin % kAlignment == 0);
            CHECK(static_cast<std::int64_t>(to.data_begin - from.data_begin) == 4 * offset);
            CHECK(call.request.arguments[1].offset_bytes == to.data_begin);
            CHECK(call.areas[0].data_begin == std::min(from.data_begin, to.data_begin));
            CHECK(call.areas[0].data_end == std::max(from.data_end(), to.data_end()));
            // The input is whole, wherever the output lies.
            CHECK(compact(from, call.areas[0].image) ==
                  std::vector<std::byte>(std::as_bytes(std::span(in)).begin(),
                                         std::as_bytes(std::span(in)).end()));
            CHECK_FALSE(check_memory(call, untouched(call), "shift(n = 4)"));
            // What holds no input counts as never written.
            std::uint64_t forgotten = 0;
            for (const ByteRange& range : call.request.allocations[0].forget) {
                forgotten += range.bytes;
                CHECK((range.begin >= from.data_end() ||
                       range.begin + range.bytes <= from.data_begin));
            }
            CHECK(forgotten == call.areas[0].image.size() - 16);
        }
    }
    CHECK(detail::plan_call<shift>(in, view(-2), 4).call_text() == "shift(out = in - 2, n = 4)");
    CHECK(marshal(detail::plan_call<shift>(in, out, 4), true, 1).areas.size() == 2);
}

TEST_CASE("marshal: of an input only what the output overlaps may change") {
    const std::vector<float> in{1, 2, 3, 4};
    const Marshalled call = marshal(detail::plan_call<shift>(in, view(2), 4), false, 1);
    const std::uint64_t begin = call.buffers[0].data_begin;
    auto after = untouched(call);
    for (std::uint64_t i = 2; i < 6; ++i) write(after[0], begin + 4 * i, 9.0F);
    CHECK_FALSE(check_memory(call, after, "shift(n = 4)"));
    const ArgumentResult to = collect(call.buffers[1], call.areas[0].image, after[0]);
    CHECK(to.untouched == std::vector<bool>{false, false, false, false});

    write(after[0], begin + 4 * 1, 9.0F);
    const auto changed = check_memory(call, after, "shift(n = 4)");
    REQUIRE(changed);
    CHECK(changed->message ==
          "shift(n = 4) changed its input in (n = 4 floats).\n"
          "  first change   in[1]\n"
          "  before         2\n"
          "  after          9");
    CHECK(changed->diagnosis ==
          "Of in only what out overlaps may change: here from in[2] to in[3].");

    after = untouched(call);
    write(after[0], begin + 4 * 6, 9.0F);
    CHECK(check_memory(call, after, "shift(n = 4)")->message ==
          "shift(n = 4) wrote past the end of out (n = 4 floats): element 1 past the end was "
          "changed.");
    after = untouched(call);
    write(after[0], begin - 4, 9.0F);
    CHECK(check_memory(call, after, "shift(n = 4)")->message ==
          "shift(n = 4) wrote before the start of out (n = 4 floats): element 3 before the start "
          "was changed.");
    // Between two that do not touch.
    const Marshalled apart = marshal(detail::plan_call<shift>(in, view(6), 4), true, 1);
    after = untouched(apart);
    write(after[0], apart.buffers[0].data_begin + 4 * 5, 9.0F);
    CHECK(check_memory(apart, after, "shift(n = 4)")->message ==
          "shift(n = 4) wrote before the start of out (n = 4 floats): element 1 before the start "
          "was changed.");
}

TEST_CASE("marshal: an output that was left alone is untouched where it does not overlap") {
    const std::vector<float> in{1, 2, 3, 4};
    const Marshalled call = marshal(detail::plan_call<shift>(in, view(-3), 4), true, 1);
    CHECK(collect(call.buffers[1], call.areas[0].image, call.areas[0].image).untouched ==
          std::vector<bool>{true, true, true, false});
}

TEST_CASE("marshal: views that the contract does not allow are the grader's fault") {
    const std::vector<float> in{1, 2, 3, 4};
    CHECK_THROWS_AS(marshal(detail::plan_call<scale>(in, view(1), 4, 2.0F), true, 1), GraderFault);
    CHECK_THROWS_AS(marshal(detail::plan_call<shift>(in, view(1, in), 4), true, 1), GraderFault);
    CHECK_THROWS_AS(marshal(detail::plan_call<shift>(in, view(1ll << 40), 4), true, 1),
                    GraderFault);
}

TEST_CASE("marshal: streams are the runner's, and pinned memory is exact on the virtual GPU") {
    const std::vector<float> in{1, 2, 3, 4};
    const Marshalled call = marshal(detail::plan_call<run_in>(new_stream, in, out, 4), true, 1);
    CHECK(call.request.argument_count == 4);
    CHECK(call.request.arguments[0].kind == ArgumentKind::stream);
    CHECK(call.request.allocation_count == 2);
    CHECK(call.request.allocations[0].memory == Memory::pinned);
    CHECK(call.request.allocations[0].bytes == 16);
    CHECK(marshal(detail::plan_call<run_in>(new_stream, in, out, 4), false, 1)
              .request.allocations[1]
              .bytes > 16 + 8192);
}

TEST_CASE("marshal: timed calls change the mantissas of inputs, except of those kept as made") {
    const std::vector<float> numbers{1, 2, 3};
    const Marshalled call = marshal(detail::plan_call<weigh>(numbers, numbers, out, 3), false, 1);
    CHECK(call.request.allocations[0].mutate_mask == 0);
    CHECK(call.request.allocations[1].mutate_mask == 0x007F'FFFF'007F'FFFF);
}

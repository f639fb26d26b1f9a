// Timelines of programs that overlap, and of those that do not, for each of the usual reasons.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "check/speed/speed_judges.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

OperationRecord kernel(int stream, double begin_us, double end_us) {
    return {"kernel work(float*)", stream, stream, "kernels", begin_us, end_us};
}

/// `count` kernels of 10 us, one after the other, each in the stream that stream_of says.
template <class StreamOf>
std::vector<OperationRecord> in_turn(int count, StreamOf stream_of) {
    std::vector<OperationRecord> operations;
    for (int k = 0; k < count; ++k) operations.push_back(kernel(stream_of(k), 10 * k, 10 * k + 10));
    return operations;
}

std::vector<OperationRecord> side_by_side(int count) {
    std::vector<OperationRecord> operations;
    for (int k = 0; k < count; ++k) operations.push_back(kernel(k + 1, k, k + 10));
    return operations;
}

/// With the same data as on a GPU.
std::shared_ptr<SpeedTest::Judge> judge_of(std::vector<OperationRecord> submission,
                                           std::vector<OperationRecord> reference) {
    return judge_by_timeline({{}, std::move(submission)}, {{}, std::move(reference)},
                             {.small = 1, .larger = 2, .full = 2}, "f()");
}

}  // namespace

TEST_CASE("timeline: the time is from the first operation to the last") {
    CHECK(elapsed_us({}) == 0);
    CHECK(elapsed_us({kernel(1, 5, 7), kernel(2, 3, 6)}) == 4);
    const auto judge = judge_of(in_turn(8, [](int) { return 0; }), side_by_side(8));
    CHECK(judge->judge(0.2) == SpeedTest::Verdict::pass);
    CHECK(judge->judge(0.3) == SpeedTest::Verdict::fail);
    CHECK(
        judge->message() ==
        "f(): too slow, judged on a modelled timeline with 1 times the work: 80 us from the first "
        "operation to the last, the reference takes 17 us.\n"
        "  speed      0.21x the reference's\n"
        "  required   0.30x");
}

TEST_CASE("timeline: copies of pageable memory are not asynchronous") {
    const auto copies = [](const char* what, bool is_pageable) {
        std::vector<OperationRecord> all = in_turn(8, [](int k) { return k + 1; });
        for (OperationRecord& one : all) {
            one.what = what;
            one.engine = "copy_to_host";
            one.is_pageable = is_pageable;
        }
        return all;
    };
    const auto said = [&](std::vector<OperationRecord> mine) {
        const auto judge = judge_of(std::move(mine), side_by_side(8));
        CHECK(judge->judge(0.9) == SpeedTest::Verdict::fail);
        return judge->diagnosis();
    };
    CHECK(said(copies("cudaMemcpyAsync to the host", true)) ==
          "8 copies to the host use pageable memory (a std::vector, new or malloc), for which "
          "cudaMemcpyAsync makes the host wait: nothing else starts meanwhile. Only page-locked "
          "memory is copied while the host goes on.");
    CHECK_THAT(said(copies("cudaMemcpyAsync to the host", false)), StartsWith("No two operations"));
    CHECK_THAT(said(copies("cudaMemcpy to the host", true)), StartsWith("No two operations"));
}

TEST_CASE("timeline: time that does not grow with the data weighs less in a speed test") {
    // 40 us of work, and 15 us of calls beside 5: with 16 times the work 655 us and 645.
    const TwoTimelines mine{{kernel(1, 0, 35)}, {kernel(1, 0, 55)}},
        theirs{{kernel(1, 0, 25)}, {kernel(1, 0, 45)}};
    const DataGrowth growth{.small = 500, .larger = 1000, .full = 16'000};
    const auto judge = judge_by_timeline(mine, theirs, growth, "f()");
    CHECK(judge->judge(0.98) == SpeedTest::Verdict::pass);
    CHECK(judge->judge(0.99) == SpeedTest::Verdict::fail);
    CHECK_THAT(judge->message(), ContainsSubstring("with 16 times the work: 655 us"));
}

TEST_CASE("timeline: wasting time on few elements does not make the others free") {
    const TwoTimelines wasteful{{kernel(1, 0, 100)}, {kernel(1, 0, 100)}},
        theirs{{kernel(1, 0, 10)}, {kernel(1, 0, 20)}};
    const DataGrowth growth{.small = 500, .larger = 1000, .full = 16'000};
    const auto judge = judge_by_timeline(wasteful, theirs, growth, "f()");
    CHECK(judge->judge(0.5) == SpeedTest::Verdict::fail);
    CHECK(judge->message() ==
          "f(): 0.2x the reference's speed with these data. With more it would be 3.2x, if it went "
          "on growing so slowly: that is not believed.");
    CHECK(judge->judge(0.4) == SpeedTest::Verdict::pass);
}

TEST_CASE("timeline: a run that is better than the difference of two is what counts") {
    // By chance the larger one took twice as long as it might.
    const TwoTimelines by_chance{{kernel(1, 0, 10)}, {kernel(1, 0, 24)}},
        theirs{{kernel(1, 0, 10)}, {kernel(1, 0, 20)}};
    const DataGrowth growth{.small = 500, .larger = 1000, .full = 16'000};
    const auto judge = judge_by_timeline(by_chance, theirs, growth, "f()");
    CHECK(judge->judge(0.82) == SpeedTest::Verdict::pass);
    CHECK(judge->judge(0.84) == SpeedTest::Verdict::fail);
    CHECK_THAT(judge->message(), ContainsSubstring("with 1 times the work: 24 us"));
}

TEST_CASE("timeline: nothing done is not fast") {
    const auto judge = judge_of({}, side_by_side(8));
    CHECK(judge->judge(0.01) == SpeedTest::Verdict::fail);
    CHECK(judge->message() == "f(): nothing was copied and no kernel was launched.");
}

TEST_CASE("timeline: why nothing overlaps") {
    CHECK_THAT(why_serial(in_turn(8, [](int) { return 0; })),
               ContainsSubstring("all of them are in the default stream"));
    CHECK_THAT(why_serial(in_turn(8, [](int) { return 3; })),
               ContainsSubstring("all of them are in one stream"));
    CHECK_THAT(why_serial(in_turn(8, [](int k) { return k % 2 == 0 ? 0 : k; })),
               ContainsSubstring("Which streams do not take part in that?"));
    CHECK_THAT(why_serial(in_turn(8, [](int k) { return k + 1; })),
               ContainsSubstring("Look for calls that wait"));
}

TEST_CASE("timeline: what overlaps gets no diagnosis") {
    CHECK(why_serial(side_by_side(8)).empty());
    CHECK(why_serial({}).empty());
    // Slow for another reason: the default stream is used, but beside the others.
    auto mixed = side_by_side(4);
    mixed.push_back(kernel(0, 0, 100));
    CHECK(why_serial(mixed).empty());
}

TEST_CASE("timeline: it takes streams") {
    CHECK_FALSE(uses_streams(in_turn(3, [](int) { return 0; })));
    CHECK(uses_streams(side_by_side(2)));
}

TEST_CASE("operations: the runner's own copies before and after a call are not the function's") {
    Request request;
    request.steps = kLoad | kRun | kStore;
    request.allocation_count = 3;
    const auto allocate = [&](std::size_t i, Memory memory, bool copy_in) {
        request.allocations[i].memory = memory;
        request.allocations[i].copy_in = copy_in;
        request.allocations[i].copy_out = true;
    };
    allocate(0, Memory::device, true);
    allocate(1, Memory::pinned, true);
    allocate(2, Memory::device, false);
    const auto operation = [](const char* what, int stream) {
        return OperationRecord{what, stream, stream, "", 0, 1};
    };
    std::vector<OperationRecord> all = {operation("load", 0),  operation("a", 7),
                                        operation("b", 0),     operation("c", 4),
                                        operation("store", 0), operation("store", 0)};
    const auto own = operations_of(request, all);
    REQUIRE(own.size() == 3);
    CHECK(own[0].what == "a");
    CHECK(own[0].stream == 1);
    CHECK(own[0].device_stream == 7);
    CHECK(own[1].stream == 0);
    CHECK(own[2].stream == 2);
    // It ended before the results were stored.
    CHECK(operations_of(request, {operation("load", 0)}).empty());
    request.steps = kRun;
    CHECK(operations_of(request, all).size() == 6);
}

TEST_CASE("timeline: fewer at once than the reference, too many, or longer ones") {
    const auto diagnosis = [](std::vector<OperationRecord> mine) {
        auto judge = judge_of(std::move(mine), side_by_side(8));
        CHECK(judge->judge(0.9) == SpeedTest::Verdict::fail);
        return judge->diagnosis();
    };
    // Two streams of four, one after the other, beside the short ones that a library launches.
    std::vector<OperationRecord> two;
    for (int k = 0; k < 8; ++k) {
        const double begin_us = 10.0 * (k / 2);
        two.push_back(kernel(1 + k % 2, begin_us, begin_us + 10));
        two.push_back(kernel(0, begin_us, begin_us + 1));
    }
    CHECK_THAT(diagnosis(two), StartsWith("At most 2 long operations ran at the same time, in the "
                                          "reference 8"));
    std::vector<OperationRecord> many;
    for (int k = 0; k < 100; ++k) {
        many.push_back(kernel(1 + k % 8, 20.0 * (k / 8), 20.0 * (k / 8) + 20));
    }
    CHECK_THAT(diagnosis(many), StartsWith("There are 100 copies and kernels, in the reference 8"));
    std::vector<OperationRecord> longer;
    for (int k = 0; k < 8; ++k) longer.push_back(kernel(1 + k, 0, 500));
    CHECK_THAT(diagnosis(longer), StartsWith("The kernels take 4000 us in all"));
    for (OperationRecord& operation : longer) operation.host_bytes = 1'000'000;
    CHECK_THAT(diagnosis(longer), StartsWith("Kernels read or write 8 MB in memory of the host"));
}

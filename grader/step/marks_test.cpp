// The steps that mistakes are about, and the ways through a recording.
#include <catch2/catch_test_macros.hpp>

#include "step/marks.h"
#include "step/moves.h"
#include "step/stepped_arrays.h"
#include "step/tests/test_run.h"

using namespace lab;

namespace {

std::vector<std::size_t> all_the_way(const vgpu::Recording& recording, std::size_t from,
                                     std::size_t (*move)(const vgpu::Recording&, std::size_t, int),
                                     int direction) {
    std::vector<std::size_t> way;
    for (std::size_t next; (next = move(recording, from, direction)) != from; from = next)
        way.push_back(next);
    return way;
}

}  // namespace

TEST_CASE("marks: both sides of a race, the earlier one first, with their lanes") {
    SteppedRun run = test_run();
    run.recording.findings = {test_race()};
    const StepMarks marks = marks_of(run, nullptr, nullptr);
    REQUIRE(marks.steps.size() == 2);
    CHECK(marks.steps[0].index == 2);
    CHECK(marks.steps[0].lane == 3);
    CHECK(marks.steps[0].label == "read");
    CHECK(marks.steps[1].index == 5);
    CHECK(marks.steps[1].lane == 3);  // thread 35
    CHECK(marks.steps[1].label == "write");
    CHECK(marks.address == kTestShared + 4 * 35);
}

TEST_CASE("marks: a side that was not recorded is left out") {
    SteppedRun run = test_run();
    run.recording.findings = {test_race()};
    run.recording.findings[0].other = vgpu::Recording::kNoStep;
    CHECK(marks_of(run, nullptr, nullptr).steps.size() == 1);
}

TEST_CASE("marks: the store that left a wrong value, in an array or the device's copy of it") {
    SteppedRun run = test_run();
    const nlohmann::json wrong{{"name", "out"}, {"elements", 1}, {"first_wrong", 0}};
    for (const char* const name : {"out", "d_out"}) {
        run.arrays[1].name = name;
        const StepMarks marks = marks_of(run, wrong, nullptr);
        REQUIRE(marks.steps.size() == 1);
        CHECK(marks.steps[0].index == 10);
        CHECK(marks.steps[0].lane == 0);
        CHECK(marks.address == kTestOut);
    }
}

TEST_CASE("marks: a wrong element that nobody wrote has a place, and no step") {
    SteppedRun run = test_run();
    const StepMarks marks =
        marks_of(run, {{"name", "a"}, {"elements", 60}, {"first_wrong", 7}}, nullptr);
    CHECK(marks.steps.empty());
    CHECK(marks.address == kTestA + 28);
    CHECK_FALSE(
        marks_of(run, {{"name", "b"}, {"elements", 60}, {"first_wrong", 7}}, nullptr).address);
    run.is_reference = true;
    CHECK_FALSE(
        marks_of(run, {{"name", "a"}, {"elements", 60}, {"first_wrong", 7}}, nullptr).address);
}

TEST_CASE("marks: where nobody wrote an element, the lane that does in the reference") {
    SteppedRun run = test_run(), reference = test_run();
    reference.is_reference = true;
    // The reference's warp 1 writes out[0] by its lane 5, and lies elsewhere in memory.
    vgpu::RecordedStep& write = reference.recording.steps[10];
    write.warp = 1;
    write.lanes = 1u << 5;
    reference.recording.allocations[1].base = reference.recording.addresses[write.addresses] =
        kTestOut + 0x100;
    run.recording.steps.erase(run.recording.steps.begin() + 10);
    const nlohmann::json wrong{{"name", "out"}, {"elements", 1}, {"first_wrong", 0}};
    const StepMarks marks = marks_of(run, wrong, &reference);
    REQUIRE(marks.steps.size() == 1);
    CHECK(marks.steps[0].index == 5);  // the last access of warp 1
    CHECK(marks.steps[0].lane == 5);
    CHECK(marks.steps[0].label == "should have written it");
    CHECK(marks.steps[0].is_missing);
    CHECK(marks.address == kTestOut);

    SECTION("a warp that touches nothing: where it leaves") {
        for (auto& step : run.recording.steps)
            if (step.warp == 1 && step.is_access()) step.kind = vgpu::RecordedStep::Kind::line;
        const StepMarks at_the_end = marks_of(run, wrong, &reference);
        REQUIRE(at_the_end.steps.size() == 1);
        CHECK(at_the_end.steps[0].index == 11);
    }
    SECTION("other threads: nobody knows") {
        reference.recording.grid = {2, 1, 1};
        CHECK(marks_of(run, wrong, &reference).steps.empty());
    }
    SECTION("the rest was not recorded: it may be written there") {
        run.recording.is_cut = true;
        CHECK(marks_of(run, wrong, &reference).steps.empty());
    }
}

TEST_CASE("arrays: a type that no contract says is the same in all runs") {
    std::vector<SteppedRun> runs{test_run(), test_run()};
    runs[1].is_reference = true;
    for (auto& step : runs[1].recording.steps)
        if (step.space == vgpu::Space::shared) step.is_float = false;  // as `s[t] = 0` is stored
    CHECK(arrays_of(runs[1])[0].type() == "shared int[64]");
    find_types(runs);
    for (const SteppedRun& run : runs) CHECK(arrays_of(run)[0].type() == "shared float[64]");
    runs[1].launch = 2;  // of another kernel, with another s
    for (SteppedRun& run : runs) run.arrays.clear();
    find_types(runs);
    CHECK(arrays_of(runs[1])[0].type() == "shared int[64]");
}

TEST_CASE("arrays: a float beside more constants, which are stored as integers") {
    SteppedRun run = test_run();
    for (const std::size_t constant : {1u, 2u, 3u}) run.recording.steps[constant].is_float = false;
    CHECK(arrays_of(run)[0].type() == "shared float[64]");
}

TEST_CASE("moves: forwards and backwards, and no further than the ends") {
    const vgpu::Recording recording = test_run().recording;
    using Way = std::vector<std::size_t>;
    CHECK(first_access(recording) == 0);
    CHECK(all_the_way(recording, 0, next_access, 1) == Way{1, 2, 3, 4, 5, 6, 7, 9, 10});
    CHECK(all_the_way(recording, 12, next_access, -1) == Way{10, 9, 7, 6, 5, 4, 3, 2, 1, 0});
    CHECK(all_the_way(recording, 0, next_line, 1) == Way{2, 4, 6, 7, 9, 10, 12});
    CHECK(all_the_way(recording, 0, next_barrier, 1) == Way{9});
    CHECK(all_the_way(recording, 12, next_barrier, -1) == Way{9});
    CHECK(all_the_way(recording, 0, next_warp, 1) == Way{4, 7, 9, 10, 12});
    CHECK(next_access(vgpu::Recording{}, 0, 1) == 0);
}

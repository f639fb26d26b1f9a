// The steps that mistakes are about, and the ways through a recording.
#include <catch2/catch_test_macros.hpp>

#include "step/marks.h"
#include "step/moves.h"
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
    const StepMarks marks = marks_of(run, nullptr);
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
    CHECK(marks_of(run, nullptr).steps.size() == 1);
}

TEST_CASE("marks: the store that left a wrong value, in an array or the device's copy of it") {
    SteppedRun run = test_run();
    const nlohmann::json wrong{{"name", "out"}, {"elements", 1}, {"first_wrong", 0}};
    for (const char* const name : {"out", "d_out"}) {
        run.arrays[1].name = name;
        const StepMarks marks = marks_of(run, wrong);
        REQUIRE(marks.steps.size() == 1);
        CHECK(marks.steps[0].index == 10);
        CHECK(marks.steps[0].lane == 0);
        CHECK(marks.address == kTestOut);
    }
}

TEST_CASE("marks: a wrong element that nobody wrote has a place, and no step") {
    SteppedRun run = test_run();
    const StepMarks marks = marks_of(run, {{"name", "a"}, {"elements", 60}, {"first_wrong", 7}});
    CHECK(marks.steps.empty());
    CHECK(marks.address == kTestA + 28);
    CHECK_FALSE(marks_of(run, {{"name", "b"}, {"elements", 60}, {"first_wrong", 7}}).address);
    run.is_reference = true;
    CHECK_FALSE(marks_of(run, {{"name", "a"}, {"elements", 60}, {"first_wrong", 7}}).address);
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

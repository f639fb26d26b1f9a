// What the stepper shows in a terminal, whole.
#include <catch2/catch_test_macros.hpp>

#include "step/replay.h"
#include "step/step_screen.h"
#include "step/tests/test_run.h"

using namespace lab;

namespace {

StepperPage page_of(SteppedRun run) {
    StepperPage page;
    page.title = "06 Binary reduction";
    page.call = "sum(n = 60)";
    page.runs = {std::move(run)};
    return page;
}

std::string text_of(const Lines& lines) {
    std::string text;
    for (std::string line : lines) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("step screen: one side of a race") {
    SteppedRun run = test_run();
    run.recording.findings = {test_race()};
    StepperPage page = page_of(run);
    page.diagnosis = "A __syncthreads() is missing between line 3 and line 4.";
    CHECK(text_of(step_screen(page, {0, 2, 3}, {})) ==
          R"(06 Binary reduction  sum(n = 60)
order A, one of many, step 3 of 13, block 0, warp 0
    1         __global__ void sum(const float* a, float* out) {
    2             __shared__ float s[64];
    3      8      s[t] = a[t];
>   4      4      if (t < 32) s[t] += s[t + 32];
    5      2      __syncthreads();
    6      3      if (t == 0) *out = s[0];
    7         }
           0       8       16      24        R read W write A atomic o other
>warp 0    RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR  - masked : waits E ended
 warp 1    ................................
 s         shared float[64]
        32 rrr!rrrrrrrrrrrrrrrrrrrrrrrrrrrr
 a         float[60]
         0 ................................
All 32 lanes read s[32] to s[63].
Lane 3 (thread 3) reads s[35], which was never written
A __syncthreads() is missing between line 3 and line 4. [m: read in step 3,
write in step 6]
)");
}

TEST_CASE("step screen: an access outside an array") {
    SteppedRun run = test_run();
    run.recording.addresses[run.recording.steps[4].addresses + 27] += 4;
    const std::string text = text_of(step_screen(page_of(run), {0, 4, 27}, {}));
    CHECK(text.find(" a         float[60]  ! a[60] is outside\n") != std::string::npos);
    CHECK(text.find("Lane 27 (thread 59) reads outside: a[60]\n") != std::string::npos);
}

TEST_CASE("step screen: fits, whatever the recording has") {
    SteppedRun run = test_run();
    run.files[0].text = std::string(500, 'x') + "\x1b[2J\n\tif\n" + std::string(kTestSource);
    run.recording.block = {1024, 1, 1};
    StepperPage page = page_of(run);
    page.message = std::string(4000, 'y');
    for (const std::size_t height : {24u, 40u})
        for (std::size_t step = 0; step < run.recording.steps.size(); ++step) {
            const TextStyle style{false, 80, height};
            const Lines lines = step_screen(page, {0, step, 31}, style);
            CHECK(lines.size() < height);
            for (const std::string& line : lines) {
                CHECK(line.size() <= 80);
                CHECK(line.find('\x1b') == std::string::npos);
            }
        }
}

TEST_CASE("replay: lanes wait, go on and end; stores are there afterwards") {
    const SteppedRun run = test_run();
    const vgpu::Recording& recording = run.recording;
    CHECK(Replay(recording, 6).warps(0)[1].waiting == ~0u);
    CHECK(Replay(recording, 9).warps(0)[1].waiting == 0);
    CHECK(Replay(recording, 11).warps(0)[0].live == 0);
    CHECK(Replay(recording, 11).warps(0)[1].live == ~0u);
    const vgpu::Allocation& s = recording.shared_variables[0];
    CHECK_FALSE(Replay(recording, 4).memory(s, true, 0)->written[4 * 35]);
    CHECK(Replay(recording, 5).memory(s, true, 0)->written[4 * 35]);
    CHECK(Replay(recording, 0).memory(s, true, 0) == nullptr);
    CHECK(place_of(recording, kTestA + 240).is_outside());
    CHECK(place_of(recording, kTestA + 240).array == &recording.allocations[0]);
    CHECK(place_of(recording, kTestA + (1 << 20)).array == nullptr);
}

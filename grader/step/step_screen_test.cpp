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
    1          __global__ void sum(const float* a, float* out) {
    2              __shared__ float s[64];
    3       8      s[t] = a[t];
>   4       4      if (t < 32) s[t] += s[t + 32];
    5       2      __syncthreads();
    6       3      if (t == 0) *out = s[0];
    7          }
           0  v    8       16      24        R read W write A atomic o other
>warp 0    RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR  - masked B waits E ended . not now
 warp 1    ................................
 s         shared float[64]                  r read w write ! the mistake
      [32] rrr!rrrrrrrrrrrrrrrrrrrrrrrrrrrr  . has a value, blank never written
 a         float[60]
       [0] ................................
All 32 lanes read s[32] to s[63].
Lane 3 (thread 3) reads s[35], which was never written
A __syncthreads() is missing between line 3 and line 4. [m: read in step 3,
write in step 6]
)");
}

TEST_CASE("step screen: the explanation and the source share the rows that are free") {
    SteppedRun run = test_run();
    for (int i = 0; i < 40; ++i) run.files[0].text += "// " + std::to_string(i) + "\n";
    run.recording.block = {256, 1, 1};
    StepperPage page = page_of(run);
    for (int i = 0; i < 80; ++i) page.message += "word" + std::to_string(i) + " ";
    const Lines lines = step_screen(page, {0, 2, 3}, {});
    CHECK(lines.size() == 23);
    const std::string text = text_of(lines);
    CHECK(text.find("word20") != std::string::npos);
    CHECK(text.find(" ...\n") != std::string::npos);  // there is more of it
    CHECK(text.find(">   4 ") != std::string::npos);
    CHECK(text.find("\n    6 ") != std::string::npos);
    page.message = "Short.";
    const std::string more = text_of(step_screen(page, {0, 2, 3}, {}));
    CHECK(step_screen(page, {0, 2, 3}, {}).size() == 23);
    CHECK(more.find("// 0\n") != std::string::npos);  // line 8
    CHECK(text_of(step_screen(page, {0, 2, 3}, {}, "No later line.")).find("No later line.\n") !=
          std::string::npos);
}

TEST_CASE("step screen: rows of an array with two dimensions are its own") {
    SteppedRun run = test_run();
    run.arrays[0].columns = 20;
    run.arrays[0].name = "a_long_name";
    const std::string text = text_of(step_screen(page_of(run), {0, 4, 0}, {}));  // a[32..59]
    CHECK(text.find("\n a_long_name float[3][20] ") != std::string::npos);
    CHECK(text.find("\n       [1] ............rrrrrrrr ") != std::string::npos);
    CHECK(text.find("\n       [2] rrrrrrrrrrrrrrrrrrrr") != std::string::npos);
    CHECK(text.find("Lanes 0-27 read a_long_name[1][12] to a_long_name[2][19].") !=
          std::string::npos);
}

TEST_CASE("step screen: a wrong value, and the lane that should have written it") {
    SteppedRun run = test_run(), reference = test_run();
    reference.is_reference = true;
    // The reference writes out[1].
    run.recording.allocations[1].size_bytes = reference.recording.allocations[1].size_bytes = 8;
    reference.recording.addresses[reference.recording.steps[10].addresses] += 4;
    StepperPage page = page_of(run);
    page.runs.push_back(reference);
    page.message = "Wrong.";
    page.wrong = {
        {"name", "out"},
        {"elements", 2},
        {"first_wrong", 1},
        {"around",
         {{{"index", 1}, {"expected", "1.5"}, {"got", "0"}, {"state", "never_written"}}}}};
    const std::string text = text_of(step_screen(page, {0, 10, 0}, {}));
    CHECK(text.find("out[1]: expected 1.5, but it was never written. Wrong. [m: should have") !=
          std::string::npos);
    CHECK(text.find("Lane 0 (thread 0) should have written out[1].\n") != std::string::npos);
    page.wrong["around"][0]["state"] = "wrong";
    CHECK(text_of(step_screen(page, {0, 10, 0}, {})).find("expected 1.5, got 0. Wrong.") !=
          std::string::npos);
}

TEST_CASE("step screen: long lines are cut with dots, and the current one is shown in full") {
    SteppedRun run = test_run();
    const std::string tail = "// " + std::string(70, '.') + " the end";
    std::string& source = run.files[0].text;
    source.insert(source.find("\n    __sync"), tail);
    source.insert(source.find("\n    if"), tail);
    const std::string text = text_of(step_screen(page_of(run), {0, 2, 0}, {}));
    const auto first = text.find("the end");
    REQUIRE(first != std::string::npos);
    CHECK(text.rfind("the end") == first);
    CHECK(first > text.find(">   4"));
    CHECK(text.find("...\n>   4") != std::string::npos);  // line 3 is cut
}

TEST_CASE("step screen: an access outside an array") {
    SteppedRun run = test_run();
    run.recording.addresses[run.recording.steps[4].addresses + 27] += 4;
    const std::string text = text_of(step_screen(page_of(run), {0, 4, 27}, {}));
    CHECK(text.find(" a         float[60]  ! a[60] is outside ") != std::string::npos);
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

#include "check/explain/explain.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/files.h"
#include "check/causes/failed_call_cause.h"
#include "check/explain/ended_if.h"
#include "check/output/grader_fault.h"
#include "check/submission.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

LAB_FUNCTION(void, fill, (float* c, int n), lab::device_out("c", "n"), lab::value("n"))

LAB_FUNCTION(void, fill_image, (float* c, int height, int width),
             lab::device_out("c", "height * width"), lab::value("height"), lab::value("width"))

namespace {

constexpr std::uint64_t kBase = 0x2000'0000'1000;

struct Case {
    CallPlan plan = detail::plan_call<fill>(out, 100);
    Marshalled call = marshal(plan, true, 1);
    Outcome outcome;
    CallSetting setting;

    Case() { outcome.page.addresses[0] = kBase; }
    std::string message() const {
        const auto failure = explain(plan, call, outcome, setting);
        return failure ? failure->message : "";
    }
    Case& died(int code) {
        outcome.ended = Ended::died;
        outcome.exit_code = code;
        return *this;
    }
};

/// A store of 4 bytes; line 0: compiled without lines.
vgpu::Finding store(vgpu::Check check, int line) {
    vgpu::Finding finding;
    finding.check = check;
    finding.kernel = "fill_kernel(float*, int)";
    finding.where = {line == 0 ? "" : "fill.cu", line};
    finding.block = finding.thread = {0, 0, 0};
    finding.is_write = true;
    finding.access_bytes = 4;
    return finding;
}

void set_error(CudaError& error, int code, const char* name, const char* text) {
    error.code = code;
    std::strcpy(error.name.data(), name);
    std::strcpy(error.text.data(), text);
}

}  // namespace

TEST_CASE("explain: a call in good order has nothing to explain") {
    CHECK(Case().message().empty());
}

TEST_CASE("explain: segmentation faults say whose pointer was followed") {
    Case c;
    c.died(128 + SIGSEGV).outcome.page.fault_address = kBase + 8;
    CHECK(c.message() ==
          "fill(n = 100): segmentation fault: host code followed the device pointer c (n = 100 "
          "floats).\n"
          "Host code cannot read or write device memory: copy with cudaMemcpy, or do it in a "
          "kernel. (To free it, call cudaFree, not free or delete.)");
    c.outcome.page.fault_address = 8;
    CHECK(c.message() == "fill(n = 100): segmentation fault: host code followed a null pointer.");
    c.outcome.page.fault_address = 0x7fff'0000'0000;
    c.outcome.page.stack_pointer = 0x7fff'0000'0800;
    CHECK(c.message() ==
          "fill(n = 100): segmentation fault: the stack is full, by a recursion without end or a "
          "local array that is too large.");
}

TEST_CASE("explain: a program that ended itself, and the error that made it do so") {
    Case c;
    c.died(1);
    CHECK(c.message() ==
          "fill(n = 100): ended the whole program with exit code 1: exit() or _exit() was called, "
          "and the function never returned.");
    // A GPU keeps no records: what the student's error check printed says what failed.
    c.outcome.output = "before\nfill.cu:72: cudaMemcpy(a, b, n): an illegal memory access\n\n";
    CHECK(c.message() ==
          "fill(n = 100): ended the whole program with exit code 1: exit() or _exit() was called, "
          "and the function never returned.\n"
          "The last that it printed:\n"
          "  fill.cu:72: cudaMemcpy(a, b, n): an illegal memory access");
    c.outcome.records.failed_calls.push_back(
        {"cudaMalloc", "cudaErrorMemoryAllocation", "asked for 1 TiB"});
    CHECK(c.message() ==
          "fill(n = 100): a CUDA call failed, cudaMalloc with cudaErrorMemoryAllocation:\n"
          "  asked for 1 TiB\n"
          "The program then exited, with exit code 1.");
    // What the error check printed says where.
    c.setting.real_source = "/home/me/fill.cu";
    c.setting.display_source = "labs/x/fill.cu";
    c.outcome.output = "before\n/home/me/fill.cu:72: cudaMalloc(&a, n): out of memory\n";
    const auto failure = explain(c.plan, c.call, c.outcome, c.setting);
    CHECK(failure->place.line == 72);
    CHECK(failure->place.file == "labs/x/fill.cu");
    CHECK(failure->places.at(0).at("name") == "cudaMalloc");
    CHECK(failure->places.at(0).at("label") == "failed with cudaErrorMemoryAllocation");
    c.outcome.output = "refill.cu:9: no\nfill.cu:73: cudaMalloc(&a, n): out of memory\n";
    CHECK(explain(c.plan, c.call, c.outcome, c.setting)->place.line == 73);
    c.outcome.output = "refill.cu:9: another file\n";
    CHECK(explain(c.plan, c.call, c.outcome, c.setting)->places.empty());
    // The file has the name that the student knows it by.
    c.outcome.output = "/home/me/fill.cu:72: cudaMalloc(&a, n): out of memory\n";
    c.outcome.records.failed_calls.clear();
    CHECK(c.message().ends_with("  labs/x/fill.cu:72: cudaMalloc(&a, n): out of memory"));
}

TEST_CASE("explain: calls that failed, by what their function was asked for") {
    const auto said = [](int n, const char* function, const char* why) {
        const CallPlan plan = detail::plan_call<fill>(out, n);
        Outcome outcome;
        outcome.records.failed_calls.push_back({function, "cudaErrorInvalidValue", why});
        return diagnose_failed_call(plan, outcome);
    };
    const char* const no_blocks =
        "k() <<<(0, 1, 1), (128, 1, 1), 0>>>: you launched 0 blocks, and "
        "CUDA needs at least 1";
    CHECK_THAT(said(100, "cudaLaunchKernel", no_blocks), ContainsSubstring("rounds down"));
    CHECK_THAT(said(0, "cudaLaunchKernel", no_blocks),
               ContainsSubstring("With n = 0, return before the launch"));
    CHECK_THAT(said(100, "cudaMalloc", "the pointer to the result is null"),
               ContainsSubstring("&pointer"));
    CHECK(said(100, "cudaLaunchKernel", "a block has at most 1024 threads").empty());
    CHECK_THAT(said(100, "cudaLaunchKernel",
                    "you launched 70000 blocks along y: a grid has at most (2147483647, 65535, "
                    "65535)"),
               StartsWith("The grid is too long along y: it has at most 65535 blocks there"));
    CHECK_THAT(said(100, "cudaLaunchKernel",
                    "a function that a stream calls on the host must not call CUDA itself"),
               StartsWith("A function that cudaLaunchHostFunc runs"));
}

TEST_CASE("explain: a kernel that ran when its call was over is the submission's fault") {
    Case c;
    c.outcome.ended = Ended::replied;
    c.outcome.reply.status = Status::out_of_memory;
    c.outcome.reply.setup_error.code = 700;
    constexpr std::string_view kName = "cudaErrorIllegalAddress";
    std::ranges::copy(kName, c.outcome.reply.setup_error.name.begin());
    CHECK(
        c.message().starts_with("fill(n = 100): before this call began, a kernel of an earlier "
                                "call stopped with the CUDA error cudaErrorIllegalAddress"));
    c.outcome.reply.setup_error.code = 2;  // no memory for our own arrays
    CHECK_THROWS_AS(c.message(), GraderFault);
}

TEST_CASE("explain: forbidden system calls are named") {
    Case c;
    c.died(128 + SIGSYS).outcome.page.blocked_system_call = 57;
    CHECK(c.message() ==
          "fill(n = 100): tried to start another process (fork). A submission runs alone.");
}

TEST_CASE("explain: hangs, on the host and in a kernel") {
    Case c;
    c.outcome.ended = Ended::timed_out;
    c.outcome.page.phase = Phase::calling;
    CHECK(
        c.message() ==
        "fill(n = 100): did not finish within 10 s: it was still in host code, in a loop or a wait "
        "that never ends.");
    c.outcome.records.launches.resize(3);
    for (LaunchRecord& launch : c.outcome.records.launches) launch.warp_instructions = 9'000'000;
    CHECK(c.message() ==
          "fill(n = 100): did not finish within 10 s: it was between two kernels: 3 had ended by "
          "then, with far more work than there should be.");
    c.outcome.records.launches.resize(1000);
    CHECK(c.message() ==
          "fill(n = 100): did not finish within 10 s: it was still launching kernels, 1000 and "
          "more by then. Do the work in fewer launches, with more blocks.");
    c.outcome.device_busy = true;
    CHECK(c.message() ==
          "fill(n = 100): did not finish within 10 s: a kernel was still running, in a loop that "
          "never ends or with far more work than there should be.");
}

TEST_CASE("explain: a device that was reset, and not the error that follows from it") {
    Case c;
    c.outcome.reply.device_reset = true;
    set_error(c.outcome.reply.call_error, 400, "cudaErrorInvalidResourceHandle",
              "invalid resource handle");
    CHECK(c.message() ==
          "fill(n = 100): the device was reset, so all that belongs to the caller is gone. Take "
          "out cudaDeviceReset, and free only what you have allocated.");
    CHECK(explain(c.plan, c.call, c.outcome, c.setting)->fatal);  // another runner for the rest
}

TEST_CASE("explain: a CUDA error left behind, with what the device knows of it") {
    Case c;
    set_error(c.outcome.reply.call_error, 1, "cudaErrorInvalidValue", "invalid argument");
    c.outcome.records.failed_calls.push_back({"cudaLaunchKernel", "cudaErrorInvalidValue",
                                              "you launched 0 blocks, and CUDA needs at least 1"});
    CHECK(c.message() ==
          "fill(n = 100): the function left a CUDA error behind, cudaErrorInvalidValue (invalid "
          "argument).\n"
          "  cudaLaunchKernel: you launched 0 blocks, and CUDA needs at least 1");
    CHECK_FALSE(explain(c.plan, c.call, c.outcome, c.setting)->fatal);
    set_error(c.outcome.reply.sync_error, 700, "cudaErrorIllegalAddress", "illegal address");
    CHECK(explain(c.plan, c.call, c.outcome, c.setting)->fatal);
}

TEST_CASE("explain: findings name arrays as the contract does, and the missing tail guard") {
    Case c;
    vgpu::Finding outside = store(vgpu::Check::out_of_bounds, 7);
    outside.thread = {100, 0, 0};
    outside.nearest = vgpu::Nearest{{kBase, 400, "cudaMalloc #3"}, 0};
    c.outcome.records.findings = {outside};
    LaunchRecord launch;
    launch.block = {128, 1, 1};
    launch.outcome = "illegal_address";
    c.outcome.records.launches.push_back(launch);
    const auto failure = explain(c.plan, c.call, c.outcome, c.setting);
    CHECK(failure->message ==
          "fill(n = 100): fill_kernel writes 4 bytes just past the end of c (n = 100 floats) at "
          "fill.cu:7, by thread (100,0,0) of block (0,0,0)");
    CHECK(failure->place.line == 7);
    CHECK(failure->diagnosis ==
          "Thread 100 of the grid has no element (the last is 99). Such threads must do nothing.");
    // A thread that has an element of its own made another mistake.
    c.outcome.records.findings[0].thread = {5, 0, 0};
    CHECK(explain(c.plan, c.call, c.outcome, c.setting)->diagnosis.empty());
}

TEST_CASE("explain: a thread beyond the right edge of an image, or beneath its last row") {
    Case c;
    c.plan = detail::plan_call<fill_image>(out, 37, 101);
    c.call = marshal(c.plan, true, 1);
    const auto diagnosis = [&](std::array<std::uint32_t, 3> grid, std::uint32_t block,
                               std::uint32_t thread) {
        LaunchRecord launch;
        launch.grid = grid;
        launch.block = {32, 8, 1};
        launch.outcome = "illegal_address";
        c.outcome.records.launches = {launch};
        vgpu::Finding outside = store(vgpu::Check::out_of_bounds, 0);
        outside.block = {block, 0, 0};
        outside.thread = {thread, 0, 0};
        outside.nearest = vgpu::Nearest{{kBase, 0, ""}, 0};
        c.outcome.records.findings = {outside};
        return explain(c.plan, c.call, c.outcome, c.setting)->diagnosis;
    };
    CHECK(diagnosis({4, 5, 1}, 3, 5) ==
          "The thread at x = 101, y = 0 has no element: there are 101 columns and 37 rows. Such "
          "threads must do nothing.");
    CHECK(diagnosis({4, 5, 1}, 3, 4).empty());   // that one has an element
    CHECK(diagnosis({2, 13, 1}, 1, 5).empty());  // x runs along the height
    CHECK(diagnosis({9, 9, 1}, 3, 5).empty());   // a grid of another kind
}

TEST_CASE("explain: what stopped the kernel comes before what it read on the way") {
    Case c;
    c.outcome.records.findings = {store(vgpu::Check::uninitialized_read, 5),
                                  store(vgpu::Check::instruction_limit, 7)};
    CHECK_THAT(c.message(), StartsWith("fill(n = 100): fill_kernel never finished"));
    CHECK_THAT(c.message(), EndsWith("\nFindings in this call: 2; this is the first."));
}

TEST_CASE("explain: our own faults are never the student's") {
    Case c;
    c.outcome.reply.status = Status::out_of_memory;
    CHECK_THROWS_AS(c.message(), GraderFault);
    Case d;
    d.outcome.ended = Ended::device_died;
    CHECK_THROWS_AS(d.message(), GraderFault);
}

TEST_CASE("explain: the line where the student defines a function, not where it is used") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "explain_test.cu";
    std::ofstream(path) << "void fill(float* c, int n);\n"
                        << "// fill(c, n) fills c " << std::string(1'000'000, 'x') << "\n"
                        << "void twice(float* c, int n) { fill(c, n); }\n"
                        << "fill_t fill(float* c, int n) { c[0] = 1; }\n";
    CallSetting setting;
    setting.real_source = path;
    setting.display_source = "labs/x/fill.cu";
    CHECK(source_place("fill", setting).line == 4);
    CHECK(source_place("fill", setting).file == "labs/x/fill.cu");
    CHECK(source_place("absent", setting).line == 0);
}

TEST_CASE("explain: streams have the numbers of the call, not of the process") {
    Case c;
    const auto operation = [](int stream, int device_stream) {
        return OperationRecord{"kernel f()", stream, device_stream, "kernels", 0, 1};
    };
    c.outcome.records.operations = {operation(1, 178), operation(2, 17), operation(0, 0)};
    vgpu::Finding hazard;
    hazard.check = vgpu::Check::hazard;
    hazard.access_bytes = 4;
    hazard.actor = vgpu::Actor{"kernel f()", 1, vgpu::StreamName{17}};
    hazard.nearest = vgpu::Nearest{{kBase, 400, "cudaMalloc #3"}, 0};
    hazard.other = vgpu::Other{{}, {}, {}, true, {"kernel g()", 2, vgpu::StreamName{178}}};
    c.outcome.records.findings = {hazard};
    CHECK_THAT(c.message(), ContainsSubstring("kernel f(), launch 1, in stream 2 reads"));
    CHECK_THAT(c.message(), ContainsSubstring("kernel g(), launch 2, in stream 1"));
    c.outcome.records.findings[0].actor->stream = vgpu::StreamName{5};  // not of this call
    CHECK_THAT(c.message(), ContainsSubstring("kernel f(), launch 1, in stream 5 reads"));
}

namespace {

/// What is said of a race between these accesses to the array of `fill`.
std::string why_race(vgpu::Finding finding, std::uint64_t base = kBase) {
    Case c;
    finding.nearest = vgpu::Nearest{{base, 400, "cudaMalloc #3"}, 0};
    c.outcome.records.findings = {std::move(finding)};
    return explain(c.plan, c.call, c.outcome, c.setting)->diagnosis;
}

vgpu::Finding access(int line, std::uint32_t block, bool writes) {
    vgpu::Finding finding = store(vgpu::Check::race, line);
    finding.block = {block, 0, 0};
    finding.is_write = writes;
    return finding;
}
vgpu::Finding two(vgpu::Finding one, const vgpu::Finding& other) {
    one.other = vgpu::Other{other.where, other.block, other.thread, other.is_write, {}};
    return one;
}

}  // namespace

TEST_CASE("explain: what a race asks for depends on who meets where") {
    CHECK(why_race(two(access(7, 0, true), access(7, 0, true))) ==
          "Several threads of a block store to the same element. Each element needs a thread of "
          "its own: which index is the same in both threads?");
    CHECK(why_race(two(access(7, 1, true), access(7, 0, true))) ==
          "Several threads, of different blocks, store to the same element. Each element needs a "
          "thread of its own: which index is the same in both threads?");
    CHECK(why_race(two(access(7, 1, true), access(7, 0, false))) ==
          "Several blocks update the same element, and one overwrites what the other stored: load, "
          "add and store must be one step.");
    CHECK(why_race(two(access(7, 0, true), access(7, 0, false)), 0) ==
          "A __syncthreads() is missing between one round of the loop and the next: on line 7, one "
          "thread reads what another writes.");
    CHECK(why_race(two(access(9, 0, true), access(7, 0, false)), 0) ==
          "A __syncthreads() is missing between line 7 and line 9. (In a loop, also on the way "
          "from its end to its beginning.)");
    CHECK(why_race(two(access(0, 0, true), access(7, 0, false)), 0).empty());
}

TEST_CASE("explain: in a race, what does not end is too slow") {
    Case c;
    vgpu::Finding endless = store(vgpu::Check::instruction_limit, 7);
    endless.cause =
        vgpu::cause::Endless{.limit = 50'000'000, .warps = {}, .polled = {}, .swap = {}};
    c.outcome.records.findings = {endless};
    CHECK(explain(c.plan, c.call, c.outcome, c.setting)->diagnosis ==
          "Does the variable in the loop's condition change?");
    c.plan.for_speed = true;
    const auto failure = explain(c.plan, c.call, c.outcome, c.setting);
    CHECK_THAT(failure->message,
               StartsWith("fill(n = 100): fill_kernel was stopped: thread (0,0,0) of block (0,0,0) "
                          "was still looping at fill.cu:7"));
    CHECK(failure->diagnosis.starts_with("This is too slow"));
}

TEST_CASE("explain: indices of threads say nothing of an array that is not made for them") {
    Case c;
    vgpu::Finding outside = store(vgpu::Check::out_of_bounds, 0);
    outside.block = {1, 0, 0};
    outside.nearest = vgpu::Nearest{{kBase, 0, ""}, 0};
    c.outcome.records.findings = {outside};
    LaunchRecord launch;  // of 100 elements 1024 threads: one sum a block, for example
    launch.grid = {4, 1, 1};
    launch.block = {256, 1, 1};
    launch.outcome = "illegal_address";
    c.outcome.records.launches.push_back(launch);
    CHECK(explain(c.plan, c.call, c.outcome, c.setting)->diagnosis.empty());
}

TEST_CASE("explain: both lines of a race lie in the file that the student knows") {
    Case c;
    c.setting.real_source = "/elsewhere/copy.cu";
    c.setting.display_source = "labs/x/fill.cu";
    vgpu::Finding race = store(vgpu::Check::race, 7);
    race.where.file = "/elsewhere/copy.cu";
    race.other = vgpu::Other{{"/elsewhere/copy.cu", 5}, {}, {}, false, {}};
    c.outcome.records.findings = {race};
    const auto failure = explain(c.plan, c.call, c.outcome, c.setting);
    REQUIRE(failure);
    CHECK(failure->place.file == "labs/x/fill.cu");
    CHECK(failure->findings.at(0).at("file") == "labs/x/fill.cu");
    CHECK(failure->findings.at(0).at("other").at("file") == "labs/x/fill.cu");
}

TEST_CASE("explain: memory that is checked when the function returns") {
    Case c;
    vgpu::Finding early;
    early.check = vgpu::Check::hazard;
    early.access_bytes = 400;
    early.actor = vgpu::Actor{"cudaMemcpyAsync to the host", 0, vgpu::StreamName{9}};
    early.nearest = vgpu::Nearest{{kBase, 400, "cudaMalloc #3"}, 0};
    early.other = vgpu::Other{{}, {}, {}, true, {"kernel f()", 1, vgpu::StreamName{4}}};
    c.outcome.records.findings = {early};
    c.outcome.records.operations = {OperationRecord{"kernel f()", 1, 4, "kernels", 0, 1}};
    CHECK(c.message() ==
          "fill(n = 100): it returned before c was complete: kernel f(), launch 1, in stream 1 may "
          "still write to it. Wait for every stream that has work");
    // A copy of the function's own is another matter.
    c.outcome.records.operations.push_back(
        OperationRecord{"cudaMemcpyAsync to the host", 2, 9, "copy_to_host", 1, 2});
    CHECK(c.message().starts_with("fill(n = 100): cudaMemcpyAsync to the host in stream 2 reads"));
}

TEST_CASE("explain: a given kernel is never to blame; the student's launch is") {
    Case c;
    vgpu::Finding outside = store(vgpu::Check::out_of_bounds, 82);
    outside.where.file = "/home/ada/labs/09-streams/streams.h";
    c.outcome.records.findings = {outside};
    auto failure = explain(c.plan, c.call, c.outcome, c.setting);
    REQUIRE(failure);
    CHECK(failure->place.line == 0);  // of a file that does not exist
    CHECK_THAT(failure->diagnosis, StartsWith("The kernel in streams.h is given"));
    c.outcome.records.findings[0].where.file = "/home/ada/labs/09-streams/streams.cu";
    failure = explain(c.plan, c.call, c.outcome, c.setting);
    REQUIRE(failure);
    CHECK(failure->place.line == 82);
    CHECK(failure->diagnosis.empty());
}

TEST_CASE("explain: an if that its own ; ends") {
    const TemporaryFolder folder;
    const auto said = [&](const std::string& code, int line) {
        std::ofstream(folder.path() / "a.cu") << code;
        return ended_if(folder.path() / "a.cu", line);
    };
    const std::string expected =
        "The if on line 2 ends at the ; after its condition, so it keeps no thread away.";
    CHECK(said("int i;\nif (i < f(n)); {\n    c[i] = 1;\n", 3) == expected);
    CHECK(said("int i;\n  if (i < n);\n    c[i] = 1;\n", 3) == expected);
    CHECK(said("int i;\nif (i < n) ; c[i] = 1;\n", 2) == expected);
    CHECK(said("int i;\nif (i < n) g(i);\nc[i] = 1;\n", 3).empty());
    CHECK(said("int i;\nif (i >= n) return;\nc[i] = 1;\n", 3).empty());
    CHECK(said("if (i < n);\n\n\n\n\nc[i] = 1;\n", 6).empty());  // too far above
}

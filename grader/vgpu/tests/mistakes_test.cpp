// Every check, with a kernel that makes the mistake and one that does not: the whole sentence that
// a student reads, and the line.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>

#include "tests/program.h"
#include "vgpu/record.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

/// The line of "HERE name" in kernels/mistakes.cu, or in a file beside it.
int line_of(const std::string& name, const std::string& in = "mistakes.cu") {
    std::ifstream file(VGPU_TEST_SOURCE "/" + in);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number)
        if (line.ends_with("HERE " + name)) return number;
    return -1;
}
std::string at(const std::string& name) {
    return fmt::format("mistakes.cu:{}", line_of(name));
}

struct Mistakes : Program {
    explicit Mistakes(const Options& options = {}) : Program(ptx_of("mistakes"), options) {}
};

/// The only finding's sentence; says what else there is.
std::string sentence(const LaunchResult& result) {
    if (result.findings.size() != 1) return fmt::format("{} findings", result.findings.size());
    return describe(result.findings[0]);
}

}  // namespace

TEST_CASE_METHOD(Mistakes, "out_of_bounds: writes past the end") {
    const auto a = empty<float>(1000, "cudaMalloc #3");
    const auto result = launch("past_end", {4}, {256}, a.at, 1000);
    CHECK(result.outcome == Outcome::illegal_address);
    CHECK(sentence(result) ==
          "past_end writes 4 bytes just past the end of cudaMalloc #3 (4000 bytes) at " +
              at("past_end") + ", by thread (232,0,0) of block (3,0,0); 24 accesses in all");
    const Finding& finding = result.findings[0];
    CHECK(finding.check == Check::out_of_bounds);
    CHECK(finding.where.line == line_of("past_end"));
    CHECK(finding.where.file.ends_with("mistakes.cu"));
    CHECK(finding.address == a.at + 4000);
    CHECK(finding.nearest->distance_bytes == 0);
    CHECK(launch("past_end_fixed", {4}, {256}, a.at, 1000).findings.empty());
}

TEST_CASE_METHOD(Mistakes, "out_of_bounds: reads before the start") {
    const auto a = array(std::vector<int>(64, 1), "cudaMalloc #1"),
               out = array(std::vector<int>(64, 1));
    const auto result = launch("before_start", {1}, {64}, a.at, out.at, 64);
    CHECK(result.outcome == Outcome::illegal_address);
    CHECK(sentence(result) ==
          "before_start reads 4 bytes 4 bytes before the start of cudaMalloc #1 (256 bytes) at " +
              at("before_start") + ", by thread (0,0,0) of block (0,0,0)");
    CHECK(launch("before_start_fixed", {1}, {64}, a.at, out.at, 64).findings.empty());
}

TEST_CASE_METHOD(Mistakes, "out_of_bounds: other lanes of the instruction still take effect") {
    const auto a = array(std::vector<float>(10, 0), "cudaMalloc #1");
    CHECK(launch("past_end", {1}, {32}, a.at, 10).findings[0].occurrences == 22);
    CHECK(read(a) == std::vector<float>(10, 1));
}

TEST_CASE_METHOD(Mistakes, "out_of_bounds: an access that straddles the end") {
    const auto a = array(std::vector<char>(12, 1), "cudaMalloc #1");
    const auto out = empty<std::int64_t>(1);
    CHECK(sentence(launch("load_pair", {1}, {1}, a.at, 8, out.at)) ==
          "load_pair reads 8 bytes just past the end of cudaMalloc #1 (12 bytes) at " +
              at("load_pair") + ", by thread (0,0,0) of block (0,0,0)");
}

TEST_CASE_METHOD(Mistakes, "use_after_free") {
    const auto a = array(std::vector<int>(8, 1), "cudaMalloc #1");
    CHECK(launch("store", {1}, {8}, a.at, 3).findings.empty());
    CHECK(device.release(a.at) == Device::Release::ok);
    const auto result = launch("store", {1}, {8}, a.at, 3);
    CHECK(result.outcome == Outcome::illegal_address);
    CHECK(
        sentence(result) ==
        "store writes 4 bytes in cudaMalloc #1 (32 bytes), which was freed before the launch at " +
            at("store") + ", by thread (0,0,0) of block (0,0,0); 8 accesses in all");
}

TEST_CASE_METHOD(Mistakes, "host_pointer: null, nearly null, and the host's own") {
    const auto null = launch("store", {1}, {1}, Address{0}, 3);
    CHECK(null.outcome == Outcome::illegal_address);
    CHECK(null.findings.at(0).check == Check::host_pointer);
    CHECK(sentence(null) == "store writes 4 bytes through a null pointer at " + at("store") +
                                ", by thread (0,0,0) of block (0,0,0)");
    CHECK(sentence(launch("store", {1}, {1}, Address{400}, 3)) ==
          "store writes 4 bytes through a null pointer (400 bytes from address 0) at " +
              at("store") + ", by thread (0,0,0) of block (0,0,0)");
    CHECK(sentence(launch("store", {1}, {1}, Address{0x7fff'1234'5678}, 3)) ==
          "store writes 4 bytes through a pointer that is not a device pointer at " + at("store") +
              ", by thread (0,0,0) of block (0,0,0): address 0x7fff12345678 lies in no memory "
              "that cudaMalloc gave");
}

TEST_CASE_METHOD(Mistakes, "misaligned") {
    const auto a = array(std::vector<char>(32, 1), "cudaMalloc #1");
    const auto out = empty<std::int64_t>(1);
    const auto result = launch("load_pair", {1}, {1}, a.at, 4, out.at);
    CHECK(result.outcome == Outcome::misaligned_address);
    CHECK(
        sentence(result) ==
        fmt::format("load_pair reads 8 bytes at address {:#x}, which is not a multiple of 8 at {}, "
                    "by thread (0,0,0) of block (0,0,0)",
                    a.at + 4, at("load_pair")));
    CHECK(launch("load_pair", {1}, {1}, a.at, 8, out.at).findings.empty());
}

TEST_CASE_METHOD(Mistakes, "uninitialized_read: of global memory, without ending the launch") {
    const auto in = empty<int>(100, "cudaMalloc #1"), out = empty<int>(100);
    const auto result = launch("copy", {2}, {64}, in.at, out.at, 100);
    CHECK(result.outcome == Outcome::ok);
    CHECK(sentence(result) ==
          "copy reads 4 bytes of cudaMalloc #1 (400 bytes) that nothing has written yet at " +
              at("copy") + ", by thread (0,0,0) of block (0,0,0); 100 accesses in all");
    CHECK(read(out) == std::vector<int>(100, static_cast<int>(0xcbcbcbcb)));

    device.fill(in.at, std::byte{0}, 400);
    CHECK(launch("copy", {2}, {64}, in.at, out.at, 100).findings.empty());
    device.forget(in.at + 40, 8);
    CHECK(sentence(launch("copy", {2}, {64}, in.at, out.at, 100)) ==
          "copy reads 4 bytes of cudaMalloc #1 (400 bytes) that nothing has written yet at " +
              at("copy") +
              ", by thread (10,0,0) of block (0,0,0); 2 accesses in all: only 392 of its 400 "
              "bytes were written before");
}

TEST_CASE_METHOD(Mistakes, "uninitialized_read: copies carry along what is initialised") {
    const auto a = empty<int>(64, "cudaMalloc #1"), b = empty<int>(64, "cudaMalloc #2"),
               out = empty<int>(64);
    device.fill(a.at, std::byte{1}, 128);
    CHECK(device.copy(b.at + 4, a.at, 252));
    const auto result = launch("copy", {1}, {64}, b.at, out.at, 64);
    CHECK(sentence(result) ==
          "copy reads 4 bytes of cudaMalloc #2 (256 bytes) that nothing has written yet at " +
              at("copy") +
              ", by thread (0,0,0) of block (0,0,0); 32 accesses in all: only 128 of its 256 "
              "bytes were written before");
}

TEST_CASE_METHOD(Mistakes, "uninitialized_read: an atomic operation on what was never written") {
    const auto total = empty<int>(1);
    device.fill(total.at, std::byte{0}, 4);
    CHECK(sentence(launch("atomics_unwritten", {1}, {64}, total.at)) ==
          "atomics_unwritten reads 4 bytes of shared memory (8 bytes) that nothing has written "
          "yet at " +
              at("atomics_unwritten") + ", by thread (0,0,0) of block (0,0,0)");
}

TEST_CASE_METHOD(Mistakes, "uninitialized_read: an exchange is one only if its result is used") {
    const auto out = empty<int>(64);
    CHECK(launch("exchanges_unwritten", {1}, {64}, out.at).findings.empty());
    const auto twice = empty<int>(128);
    CHECK(sentence(launch("looks_at_unwritten", {1}, {64}, twice.at)) ==
          "looks_at_unwritten reads 4 bytes of empty (512 bytes) that nothing has written "
          "yet at " +
              at("looks_at_unwritten") +
              ", by thread (0,0,0) of block (0,0,0); 64 accesses in all");
}

TEST_CASE_METHOD(Mistakes, "shared memory: past the end of a variable, and never written") {
    const auto out = empty<int>(64);
    CHECK(launch("shared_past_end", {1}, {64}, out.at, 0).findings.empty());
    const auto past = launch("shared_past_end", {1}, {64}, out.at, 1);
    CHECK(past.outcome == Outcome::illegal_address);
    CHECK(sentence(past) ==
          "shared_past_end writes 4 bytes of shared memory just past the end of tile (256 bytes) "
          "at " +
              at("shared_past_end") + ", by thread (63,0,0) of block (0,0,0)");
    const auto before = launch("shared_past_end", {1}, {64}, out.at, -2);
    CHECK(sentence(before) ==
          "shared_past_end writes 4 bytes of shared memory 8 bytes before the start of tile (256 "
          "bytes) at " +
              at("shared_past_end") + ", by thread (0,0,0) of block (0,0,0); 2 accesses in all");

    CHECK(launch_shared("shared_unwritten", {1}, {64}, 256, out.at, 64).findings.empty());
    const auto unwritten = launch_shared("shared_unwritten", {1}, {64}, 256, out.at, 60);
    CHECK(unwritten.outcome == Outcome::ok);
    CHECK(sentence(unwritten) ==
          "shared_unwritten reads 4 bytes of shared memory (256 bytes) that nothing has written "
          "yet at " +
              at("shared_unwritten") + ", by thread (60,0,0) of block (0,0,0); 4 accesses in all");
    CHECK(sentence(launch_shared("shared_unwritten", {1}, {64}, 128, out.at, 32)) ==
          "shared_unwritten reads 4 bytes of shared memory just past the end of tile (128 bytes) "
          "at " +
              at("shared_unwritten") + ", by thread (32,0,0) of block (0,0,0); 32 accesses in all");
}

TEST_CASE_METHOD(Mistakes, "local memory: past the end, and never written") {
    const auto fine = array(std::vector<int>{1, 2, 3, 4, 5, 4}),
               wrong = array(std::vector<int>{1, 2, 3, 4, 5000, 9});
    const auto out = empty<int>(1);
    CHECK(launch("local_past_end", {1}, {1}, fine.at, out.at, 5).findings.empty());
    const auto past = launch("local_past_end", {1}, {1}, wrong.at, out.at, 5);
    CHECK(past.outcome == Outcome::illegal_address);
    CHECK(past.findings.at(0).space == Space::local);
    CHECK(past.findings.at(0).where.line == line_of("local_past_end"));
    CHECK(sentence(past).starts_with(
        "local_past_end reads 4 bytes of local memory 19960 bytes past the end of the "
        "thread's local memory (40 bytes) at"));

    CHECK(launch("local_unwritten", {1}, {1}, fine.at, out.at).findings.empty());
    CHECK(sentence(launch("local_unwritten", {1}, {1}, wrong.at, out.at)).find("local_unwritten") ==
          0);
}

TEST_CASE_METHOD(Mistakes, "barrier_divergence: a thread that returned early") {
    const auto out = empty<int>(64);
    const auto result = launch("early_return", {1}, {64}, out.at, 40);
    CHECK(result.outcome == Outcome::ok);  // a GPU goes on, too
    CHECK(sentence(result) ==
          "early_return waits at a barrier that not all threads reach at " + at("early_return") +
              ", by thread (0,0,0) of block (0,0,0): thread (40,0,0) has already returned, and 24 "
              "in all");
    CHECK(read(out)[39] == 2);
    CHECK(launch("early_return_fixed", {1}, {64}, out.at, 40).findings.empty());
    CHECK(launch("early_return", {1}, {64}, out.at, 64).findings.empty());
}

TEST_CASE_METHOD(Mistakes, "barrier_divergence: a barrier that part of a warp never reaches") {
    const auto out = empty<int>(64);
    const auto result = launch("barrier_in_branch", {1}, {32}, out.at, 5);
    CHECK(result.outcome == Outcome::deadlock);
    CHECK(
        sentence(result) ==
        "barrier_in_branch waits at a barrier that not all threads reach at " +
            at("barrier_in_branch") +
            ", by thread (0,0,0) of block (0,0,0): these threads wait for ever; thread (5,0,0) is "
            "elsewhere");
    CHECK(launch("barrier_in_branch", {1}, {32}, out.at, 32).findings.empty());
}

TEST_CASE_METHOD(Mistakes, "barrier_divergence: the second warp's upper half never comes") {
    const auto out = empty<int>(64);
    const auto result = launch("barrier_in_branch", {1}, {64}, out.at, 48);
    CHECK(result.outcome == Outcome::deadlock);
    CHECK(result.findings.at(0).check == Check::barrier_divergence);
    CHECK(sentence(result).find("thread (48,0,0) is elsewhere") != std::string::npos);
}

TEST_CASE_METHOD(Mistakes, "misaligned: before out of bounds, when it begins inside") {
    const auto word = array(std::vector<int>{1});
    const auto result = launch("write_word", {1}, {1}, word.at + 1);
    CHECK(result.outcome == Outcome::misaligned_address);
    CHECK(result.findings.at(0).check == Check::misaligned);
    CHECK(launch("write_word", {1}, {1}, word.at).findings.empty());
}

TEST_CASE_METHOD(Mistakes, "barrier_divergence: warps at two barriers") {
    const auto out = empty<int>(64);
    const auto result = launch("two_barriers", {1}, {64}, out.at);
    CHECK(result.outcome == Outcome::ok);
    CHECK(sentence(result) ==
          fmt::format("two_barriers waits at a barrier that not all threads reach at {}, by thread "
                      "(0,0,0) of block (0,0,0): thread (32,0,0) waits at the barrier in line {} "
                      "instead",
                      at("two_barriers"), line_of("two_barriers") + 3));
    CHECK(launch("two_barriers", {1}, {32}, out.at).findings.empty());
}

TEST_CASE_METHOD(Mistakes, "trap: a failed assert, and __trap") {
    const auto in = array(std::vector<int>{1, 2, 100, 4});
    const auto result = launch("asserting", {1}, {4}, in.at);
    CHECK(result.outcome == Outcome::device_assert);
    CHECK(
        sentence(result) ==
        fmt::format("asserting stops itself at {0}, by thread (2,0,0) of block (0,0,0): {1}: void "
                    "asserting(const int *): block: [0,0,0], thread: [2,0,0] Assertion "
                    "`in[threadIdx.x] < 100` failed.",
                    at("asserting"),
                    result.findings.at(0).where.file + ":" + std::to_string(line_of("asserting"))));
    const auto trapped = launch("trapping", {1}, {32}, 29);
    CHECK(trapped.outcome == Outcome::trap);
    CHECK(sentence(trapped) ==
          "trapping stops itself at " + at("trapping") +
              ", by thread (30,0,0) of block (0,0,0); 2 threads in all: __trap() was called");
    CHECK(launch("trapping", {1}, {32}, 31).findings.empty());
}

TEST_CASE("instruction_limit: an endless loop says where it is") {
    Options options;
    options.warp_instruction_limit = 5000;
    Mistakes program(options);
    const auto flag = program.array(std::vector<int>{0});
    const auto result = program.launch("endless", {1}, {1}, flag.at);
    CHECK(result.outcome == Outcome::launch_timeout);
    CHECK(result.counts.warp_instructions > 4990);
    CHECK(result.counts.warp_instructions <= 5000);
    CHECK(sentence(result) ==
          "endless never finished: thread (0,0,0) of block (0,0,0) was still looping at " +
              at("endless") + " after 5000 warp instructions");
    program.device.fill(flag.at, std::byte{1}, 4);
    CHECK(program.launch("endless", {1}, {1}, flag.at).findings.empty());
}

TEST_CASE("instruction_limit: a flag in host memory, which the host cannot set meanwhile") {
    for (const bool optimised : {true, false}) {
        Options options;
        // Fewer reads than make the virtual GPU give up a wait for the host, by the clock.
        options.warp_instruction_limit = 8'000;
        Program program(ptx_of("waiting", optimised ? "O3" : "G"), options);
        std::vector<int> flag(1024);
        const Address where = program.device.reserve(4096);
        program.device.adopt(where, std::as_writable_bytes(std::span(flag)), "cudaMallocHost #1");
        const std::string told =
            "; it looks at cudaMallocHost #1 again and again, which the host can write, too: on "
            "the virtual GPU the host does not go on while a kernel runs, so a flag that it sets "
            "after the launch is not seen";
        for (const std::string kernel : {"host_flag", "host_flag_atomic"})
            for (const unsigned threads : {1u, 64u})
                for (const unsigned blocks : {1u, 3u}) {
                    const auto result = program.launch(kernel, {blocks}, {threads}, where);
                    INFO(kernel << ", " << threads << " threads, " << blocks << " blocks, "
                                << (optimised ? "O3" : "G"));
                    CHECK(result.outcome != Outcome::ok);
                    REQUIRE(result.findings.size() == 1);
                    CHECK_THAT(describe(result.findings[0]),
                               Catch::Matchers::ContainsSubstring(told));
                }
        // The same loop over memory of the device's own is as before.
        const auto own = program.array(std::vector<int>{0});
        const auto endless = program.launch("host_flag", {1}, {1}, own.at);
        REQUIRE(endless.findings.size() == 1);
        CHECK(endless.findings[0].check == Check::deadlock);
        flag[0] = 1;
        CHECK(program.launch("host_flag", {1}, {64}, where).findings.empty());
    }
}

TEST_CASE_METHOD(Mistakes, "unsupported: only an instruction that is executed") {
    const auto out = array(std::vector<unsigned>{1});
    const auto result = launch("unsupported", {1}, {1}, out.at);
    CHECK(result.outcome == Outcome::illegal_instruction);
    CHECK(sentence(result) ==
          "unsupported uses something that the virtual GPU does not have yet at " +
              at("unsupported") +
              ", by thread (0,0,0) of block (0,0,0): vavrg4.u32.u32.u32 is to be added in "
              "grader/vgpu/src/execute/ops/vavrg4.cpp (a new file)");
    CHECK(launch("unsupported_unexecuted", {1}, {1}, out.at).findings.empty());
}

TEST_CASE_METHOD(Mistakes,
                 "places: inlined functions of the student's, but not the toolkit's headers") {
    const auto a = empty<int>(4, "cudaMalloc #1"), out = empty<int>(4);
    CHECK(launch("inlined", {1}, {4}, a.at, out.at).findings.at(0).where.line ==
          line_of("inlined"));
    const Finding in_header = launch("in_header", {1}, {8}, a.at).findings.at(0);
    CHECK(in_header.where.line == line_of("in_header"));
    CHECK(in_header.where.file.ends_with("mistakes.cu"));
    const Finding beside = launch("beside", {1}, {5}, a.at).findings.at(0);
    CHECK(beside.where.line == line_of("beside", "beside.h"));
    CHECK(beside.where.file.ends_with("/beside.h"));
}

TEST_CASE_METHOD(Mistakes, "places: a race between two files names both") {
    const auto out = empty<int>(32);
    const auto findings = launch("race_beside", {1}, {32}, out.at).findings;
    const std::string writer = fmt::format(" at mistakes.cu:{}", line_of("race_beside")),
                      reader =
                          fmt::format(" at beside.h:{}", line_of("swap_neighbours", "beside.h"));
    CHECK(std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        const std::string text = describe(finding);
        return text.find(writer) != std::string::npos && text.find(reader) != std::string::npos;
    }));
}

TEST_CASE_METHOD(Mistakes, "names: variables, template kernels and namespaces read as written") {
    CHECK(sentence(launch("variable_past_end", {1}, {1}, 9)) ==
          "variable_past_end writes 4 bytes 4 bytes past the end of values (32 bytes) at " +
              at("variable_past_end") + ", by thread (0,0,0) of block (0,0,0)");
    const auto a = empty<float>(2, "cudaMalloc #1");
    const auto result = launch("_ZN3lab4fillIfEEvPT_S1_", {1}, {3}, a.at, 1.0f);
    CHECK(result.findings.at(0).kernel == "void lab::fill<float>(float*, float)");
    CHECK(sentence(result) ==
          "lab::fill<float> writes 4 bytes just past the end of cudaMalloc #1 (8 bytes) at " +
              at("fill") + ", by thread (2,0,0) of block (0,0,0)");
}

TEST_CASE_METHOD(Mistakes, "out_of_bounds: a stack that overflows") {
    const auto out = empty<int>(1);
    CHECK(launch("overflowing", {1}, {1}, out.at, 10).findings.empty());
    const auto result = launch("overflowing", {1}, {1}, out.at, 1'000'000);
    CHECK(result.outcome == Outcome::illegal_address);
    const std::string text = describe(result.findings.at(0));
    CHECK(text.find(" needs more than ") != std::string::npos);
    CHECK(text.ends_with(
        ": the stack overflows: the thread's stack is full (on a GPU it has cudaLimitStackSize "
        "bytes), so functions call each other too deep, or one calls itself without end"));
    CHECK(result.findings.at(0).where.line == line_of("deeper"));
}

TEST_CASE("findings: at most as many as asked for, and JSON holds what the sentence does") {
    Options options;
    options.findings_limit = 0;
    Mistakes none(options);
    const auto in = none.empty<int>(4), out = none.empty<int>(4);
    CHECK(none.launch("copy", {1}, {4}, in.at, out.at, 4).findings.empty());

    Finding finding;
    finding.check = Check::out_of_bounds;
    finding.kernel = "add(float*)";
    finding.where = {"/home/ada/add.cu", 17};
    finding.block = {3, 0, 0};
    finding.thread = {232, 0, 0};
    finding.is_write = true;
    finding.access_bytes = 4;
    finding.address = kWindowBegin + 4000;
    finding.nearest = Nearest{{kWindowBegin, 4000, "cudaMalloc #3"}, 0};
    finding.occurrences = 24;
    CHECK(
        json_of(finding).dump() ==
        R"j({"check":"out_of_bounds","message":"add writes 4 bytes just past the end of cudaMalloc #3 (4000 bytes) at )j"
        R"j(add.cu:17, by thread (232,0,0) of block (3,0,0); 24 accesses in all","kernel":"add(float*)",)j"
        R"j("file":"/home/ada/add.cu","line":17,"block":[3,0,0],"thread":[232,0,0],"space":"global","write":true,)j"
        R"j("bytes":4,"address":35184372092832,"nearest":{"name":"cudaMalloc #3","base":35184372088832,)j"
        R"j("size_bytes":4000,"distance_bytes":0},"other":null,"occurrences":24,"detail":""})j");
}

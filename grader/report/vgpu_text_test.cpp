#include "report/vgpu_text.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <fstream>

#include "base/files.h"
#include "vgpu/record.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using nlohmann::json;
using vgpu::Check;
using vgpu::Finding;
using vgpu::Other;

namespace {

Finding finding(Check check, const char* kernel, int line) {
    Finding made;
    made.check = check;
    made.kernel = kernel;
    made.where = {"/no/such/a.cu", line};
    made.block = {0, 0, 0};
    made.thread = {1, 0, 0};
    made.access_bytes = 4;
    return made;
}

Finding race(const char* kernel, int line, int other_line, std::uint32_t other_block = 0) {
    Finding made = finding(Check::race, kernel, line);
    made.other = Other{{"/no/such/a.cu", other_line}, {other_block, 0, 0}, {2, 0, 0}, true, {}};
    return made;
}

json record(const Finding& finding) {
    json made = json::parse(vgpu::record_of(finding).dump());  // as from another process
    made["record"] = "finding";
    return made;
}

std::string report(std::initializer_list<Finding> findings, const json& last = {}) {
    VgpuReport report;
    report.add({{"record", "launch"}});
    for (const Finding& finding : findings) report.add(record(finding));
    if (!last.is_null()) report.add(last);
    return report.text({});
}

}  // namespace

TEST_CASE("vgpu text: what happens at one place of a template is one mistake") {
    const std::string text = report({finding(Check::misaligned, "void f<float>(float*)", 3),
                                     finding(Check::misaligned, "void f<int>(int*)", 3)});
    CHECK_THAT(text, ContainsSubstring(" of block (0,0,0) (and in 1 later)\n"));
    CHECK_THAT(text, EndsWith("virtual GPU: 1 mistake in 1 kernel launch\n"));
}

TEST_CASE("vgpu text: other kernels, lines and checks are other mistakes") {
    const std::string text = report(
        {finding(Check::misaligned, "f(int*)", 3), finding(Check::misaligned, "g(int*)", 3),
         finding(Check::misaligned, "f(int*)", 4), finding(Check::out_of_bounds, "f(int*)", 3),
         finding(Check::misaligned, "(anonymous namespace)::f(int*)", 3),
         finding(Check::misaligned, "(anonymous namespace)::g(int*)", 3)});
    CHECK_THAT(text, EndsWith("virtual GPU: 6 mistakes in 1 kernel launch\n"));
}

TEST_CASE("vgpu text: a race is one mistake, whichever side came first") {
    const std::string text = report({race("f(int*)", 3, 5), race("f(int*)", 5, 3)});
    CHECK_THAT(text, EndsWith("virtual GPU: 1 mistake in 1 kernel launch\n"));
    CHECK_THAT(report({race("f(int*)", 3, 5), race("f(int*)", 5, 5)}),
               EndsWith("virtual GPU: 2 mistakes in 1 kernel launch\n"));
}

TEST_CASE("vgpu text: what was too much to record is mentioned") {
    const json mark = {{"record", "mark"}, {"id", 1}, {"dropped", 2000}};
    CHECK_THAT(
        report({race("f(int*)", 3, 5)}, mark),
        ContainsSubstring(
            "\n\n2000 more mistakes and failed calls, of these or other kinds, are not shown."));
}

TEST_CASE("vgpu text: a program that ended within a kernel launched it") {
    VgpuEnd end;
    end.kernel_was_running = true;
    const auto told = [&](const VgpuReport& report) { return report.text(end); };
    VgpuReport first;
    CHECK(told(first) ==
          "The program ended with exit code 0.\n"
          "A kernel was still running then.\n"
          "virtual GPU: no mistake seen until then; nothing is known of the kernel launch that was "
          "not over\n");
    VgpuReport third;
    third.add({{"record", "launch"}, {"merged", 2}});
    end.signal = 14;
    CHECK(told(third) ==
          "The program was ended by signal 14 (Alarm clock).\n"
          "A kernel was still running then.\n"
          "virtual GPU: no mistake seen until then in 2 kernel launches; nothing is known of one "
          "that was not over\n");
    VgpuReport wrong_before;
    wrong_before.add(record(finding(Check::misaligned, "f(int*)", 3)));
    CHECK(told(wrong_before)
              .ends_with("virtual GPU: 1 mistake; nothing is known of the kernel launch that was "
                         "not over\n"));
}

TEST_CASE("vgpu text: a program that was ended from outside is not called right") {
    VgpuReport none, some;
    some.add({{"record", "launch"}});
    for (const int signal : {SIGTERM, SIGKILL, SIGALRM, SIGABRT}) {
        VgpuEnd end;
        end.signal = signal;
        CHECK(none.summary(end) ==
              "virtual GPU: no mistake seen until then; no kernel launch was over\n");
        CHECK(some.summary(end) == "virtual GPU: no mistake seen until then in 1 kernel launch\n");
    }
    // Of a shell, and of timeout, whose program was ended.
    for (const int code : {128 + SIGKILL, 124}) {
        VgpuEnd end;
        end.exit_code = code;
        CHECK(some.summary(end) == "virtual GPU: no mistake seen until then in 1 kernel launch\n");
        end.exit_code = 1;
        CHECK(some.summary(end) == "virtual GPU: no mistake in 1 kernel launch\n");
    }
    VgpuEnd lost;
    lost.device_was_lost = true;
    CHECK(some.summary(lost) ==
          "virtual GPU: no mistake seen until then in 1 kernel launch; nothing is known of one "
          "that was not over\n");
    some.add(record(finding(Check::misaligned, "f(int*)", 3)));
    CHECK(some.summary(lost) ==
          "virtual GPU: 1 mistake in 1 kernel launch; nothing is known of one that was not over\n");
}

TEST_CASE("vgpu text: what the virtual GPU lacks is no mistake of the program") {
    Finding lacks = finding(Check::unsupported, "f(int*)", 3);
    lacks.cause = vgpu::cause::Missing{"wgmma is to be added in x.cpp"};
    VgpuReport report;
    report.add(record(lacks));
    report.add(record(lacks));
    report.add({{"record", "absent"}, {"function", "cudaGraphLaunch"}, {"add_in", "graphs.cpp"}});
    report.add({{"record", "api"},
                {"function", "cudaCreateTextureObject"},
                {"error", "cudaErrorNotSupported"},
                {"detail", "sRGB in textures is not available"}});
    CHECK(
        report.text({}) ==
        "\nNot the program's mistake, but missing here:\n"
        "    f uses something that the virtual GPU does not have yet at a.cu:3, by thread (1,0,0) "
        "of block (0,0,0): wgmma is to be added in x.cpp\n"
        "    cudaGraphLaunch: the virtual GPU does not have this function\n"
        "    cudaCreateTextureObject: sRGB in textures is not available\n\n"
        "virtual GPU: 3 missing features; the program launched no kernel\n");
    report.add({{"record", "launch"}});
    CHECK(report.summary({}) ==
          "virtual GPU: no mistake seen and 3 missing features in 1 kernel launch\n");
    report.add({{"record", "api"},
                {"function", "cudaSetDevice"},
                {"error", "cudaErrorInvalidDevice"},
                {"detail", ""}});
    report.add(record(finding(Check::misaligned, "f(int*)", 3)));
    CHECK(report.summary({}) ==
          "virtual GPU: 1 mistake, 1 failed call and 3 missing features in 1 kernel launch\n");
}

TEST_CASE("vgpu text: printed lines that are lost are mentioned, with the size that is needed") {
    VgpuReport report;
    for (const std::uint64_t lost : {1'000'000u, 2'000'000u, 500'000u})
        report.add({{"record", "lost_print"},
                    {"kernel", "void hello<int>(int)"},
                    {"bytes", lost},
                    {"kept", 1'048'000}});
    report.add({{"record", "launch"}, {"merged", 3}});
    CHECK(report.text({}) ==
          "\nhello printed more than printf's buffer holds: the oldest 3500000 bytes are\n"
          "lost, as on a GPU. Print less, or make the buffer larger before the first\n"
          "launch: cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 3 << 20);\n\n"
          "virtual GPU: no mistake in 3 kernel launches\n");
}

TEST_CASE("vgpu text: what orders two threads depends on where they are") {
    CHECK_THAT(report({race("f(int*)", 3, 5)}),
               ContainsSubstring("meet between the two accesses: __syncthreads()."));
    CHECK_THAT(report({race("f(int*)", 3, 5, 1)}),
               ContainsSubstring("Nothing makes one block of a kernel wait for another"));
    Finding without_fence = race("f(int*)", 3, 5, 1);
    without_fence.cause = vgpu::cause::UnfencedFlag();
    CHECK_THAT(report({without_fence}),
               ContainsSubstring("    Call __threadfence() between the access that comes first "));
}

TEST_CASE("vgpu text: what one missing barrier does at many lines is one mistake") {
    const auto in_tile = [](Finding race, const char* name) {
        race.space = vgpu::Space::shared;
        race.nearest = vgpu::Nearest{{0, 128, name}, 0};
        return race;
    };
    const std::string text = report({in_tile(race("f(int*)", 3, 5), "shared memory"),
                                     in_tile(race("f(int*)", 7, 6), "shared memory"),
                                     in_tile(race("f(int*)", 9, 9), "shared memory"),
                                     in_tile(race("f(int*)", 6, 7), "shared memory")});
    CHECK_THAT(text, ContainsSubstring("The same at 2 more places: lines 6 and 7, line 9\n") &&
                         EndsWith("virtual GPU: 1 mistake in 1 kernel launch\n"));
    // Not so in another kernel, or of other memory.
    CHECK_THAT(report({in_tile(race("f(int*)", 3, 5), "a"), in_tile(race("f(int*)", 7, 6), "b"),
                       in_tile(race("g(int*)", 7, 6), "b")}),
               EndsWith("virtual GPU: 3 mistakes in 1 kernel launch\n"));
}

TEST_CASE("vgpu text: one barrier that is missing between two parts of a kernel is one mistake") {
    const auto of = [](Finding race, const char* name) {
        race.nearest = vgpu::Nearest{{0, 128, name}, 0};
        return race;
    };
    // A barrier in line 5 orders the first two; nothing that orders the third lies between those.
    CHECK_THAT(report({of(race("f(int*)", 3, 7), "a"), of(race("f(int*)", 5, 4), "b"),
                       of(race("f(int*)", 7, 9), "c")}),
               ContainsSubstring("    The same at 1 more place: lines 4 and 5\n") &&
                   EndsWith("virtual GPU: 2 mistakes in 1 kernel launch\n"));
    // Two updates of two counters need a change each.
    CHECK_THAT(report({of(race("f(int*)", 3, 3), "a"), of(race("f(int*)", 4, 4), "b")}),
               EndsWith("virtual GPU: 2 mistakes in 1 kernel launch\n"));
}

TEST_CASE("vgpu text: operations that nothing orders are one mistake, piece after piece") {
    VgpuReport report;
    report.add({{"record", "launch"}});
    for (std::uint64_t i = 0; i < 17; ++i) {
        Finding hazard;
        hazard.check = Check::hazard;
        hazard.address = 4096 * i;
        hazard.access_bytes = 4096;
        hazard.nearest = vgpu::Nearest{{0, 1 << 20, "cudaMalloc #1"}, 0};
        hazard.actor = vgpu::Actor{"cudaMemcpyAsync to the host", 0, vgpu::StreamName{1}, ""};
        hazard.other = Other{{}, {}, {}, true, {"kernel f(int*)", i + 1, vgpu::StreamName{2}, ""}};
        hazard.cause = vgpu::cause::Unordered{};
        report.add(record(hazard));
    }
    CHECK_THAT(report.text({}),
               ContainsSubstring("    And 16 more of the same kind: --all shows them.\n"));
    CHECK_THAT(report.text({}), EndsWith("virtual GPU: 1 mistake in 1 kernel launch\n"));
    CHECK_THAT(
        report.text({}, true),
        ContainsSubstring(
            "    The same: cudaMemcpyAsync to the host in stream 1 reads bytes 65536 to 69631"));
}

TEST_CASE("vgpu text: shuffles of one kernel without the lanes that they need are one mistake") {
    CHECK_THAT(report({finding(Check::absent_lane, "f(int*)", 3),
                       finding(Check::absent_lane, "f(int*)", 4),
                       finding(Check::absent_lane, "g(int*)", 4)}),
               ContainsSubstring("The same at 1 more place: line 4\n") &&
                   EndsWith("virtual GPU: 2 mistakes in 1 kernel launch\n"));
}

TEST_CASE("vgpu text: memory that nothing has written is written by whom it belongs to") {
    Finding read = finding(Check::uninitialized_read, "f(int*)", 3);
    CHECK_THAT(report({read}), ContainsSubstring("cudaMemcpy or cudaMemset before the"));
    read.cause = vgpu::cause::PartlyWritten{1, 4};
    CHECK_THAT(report({read}), ContainsSubstring(": only 1 of its 4 bytes was written before\n") &&
                                   ContainsSubstring("are in bytes, not in elements"));
    read.cause = {};
    for (const vgpu::Space space : {vgpu::Space::shared, vgpu::Space::local}) {
        read.space = space;
        CHECK_THAT(report({read}), !ContainsSubstring("cudaMem"));
    }
}

TEST_CASE("vgpu text: nobody is told to write an if that is there") {
    Finding outside = finding(Check::out_of_bounds, "f(int*)", 2);
    const TemporaryFolder folder;
    const std::string file = folder.path() / "guarded.cu";
    std::ofstream(file) << "int i = threadIdx.x;\nif (i <= n)\n    a[i] = 0;\n\n\na[i] = 1;\n";
    outside.where = {file, 3};
    CHECK_THAT(report({outside}),
               ContainsSubstring("lets the index through") && !ContainsSubstring("if (i < n)"));
    outside.where.line = 6;
    CHECK_THAT(report({outside}), ContainsSubstring("if (i < n)"));
}

TEST_CASE("vgpu text: a full stack is not told to compare indices") {
    Finding full = finding(Check::out_of_bounds, "f(int*)", 3);
    CHECK_THAT(report({full}), ContainsSubstring("Compare the index"));
    full.cause = vgpu::cause::StackOverflow();
    full.nearest = vgpu::Nearest{{0, 1024, "the stack"}, 0};
    CHECK_THAT(report({full}), ContainsSubstring("See that each recursion ends") &&
                                   !ContainsSubstring("Compare the index"));
}

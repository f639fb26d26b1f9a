#include "report/vgpu_text.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
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
    json made = vgpu::record_of(finding);
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
            "\n\n2000 more mistakes and failed calls, of these or other kinds, are not told."));
}

TEST_CASE("vgpu text: a program that ended within a kernel launched it") {
    VgpuEnd end;
    end.kernel_was_running = true;
    const auto told = [&](const VgpuReport& report) { return report.text(end); };
    VgpuReport first;
    CHECK(told(first) ==
          "The program ended with exit code 0.\n"
          "A kernel was still running then; its mistakes so far are not reported.\n"
          "virtual GPU: no mistake seen in the only kernel launch, which was not over\n");
    VgpuReport third;
    third.add({{"record", "launch"}, {"merged", 2}});
    end.signal = 14;
    CHECK(told(third) ==
          "The program was ended by signal 14 (Alarm clock).\n"
          "A kernel was still running then; its mistakes so far are not reported.\n"
          "virtual GPU: no mistake in 2 kernel launches, and one that was not over\n");
    VgpuReport wrong_before;
    wrong_before.add(record(finding(Check::misaligned, "f(int*)", 3)));
    CHECK(told(wrong_before)
              .ends_with("virtual GPU: 1 mistake; no kernel launch was over by then\n"));
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
    CHECK_THAT(report({full}), ContainsSubstring("See that each recursion ends") &&
                                   !ContainsSubstring("Compare the index"));
}

// CUDA programs, compiled by nvcc and linked with our runtime, on the virtual GPU.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/ptxas.h"
#include "runtime/tests/rig.h"
#include "vgpu/occupancy.h"

using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string file_text(const std::string& name) {
    std::ifstream file(std::filesystem::path(VGPU_TEST_SOURCES) / name);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Line by line, so that a difference shows which call it is.
void check_same_lines(const std::string& got, const std::string& expected) {
    const auto left = lines_of(got), right = lines_of(expected);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        CHECK((i < left.size() ? left[i] : "(nothing)") ==
              (i < right.size() ? right[i] : "(nothing)"));
    }
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
        text.replace(at, what.size(), by);
    }
    return text;
}

}  // namespace

TEST_CASE("vector add: right in every form that nvcc packs PTX in") {
    const auto* program = GENERATE("vector_add", "vector_add_none", "vector_add_speed",
                                   "vector_add_size", "vector_add_per_thread");
    INFO(program);
    Rig rig;
    const Run run = rig.run(program);
    CHECK(run.err == "");
    CHECK(run.out == "launch cudaSuccess, 0 wrong, free cudaSuccess\n");
    CHECK(run.exit_code == 0);
    const auto launches = run.all("launch");
    REQUIRE(launches.size() == 1);
    CHECK(launches[0]["kernel"] == "add(float const*, float const*, float*, int)");
    CHECK(launches[0]["grid"] == nlohmann::json({391, 1, 1}));
    CHECK(launches[0]["block"] == nlohmann::json({256, 1, 1}));
    CHECK(launches[0]["outcome"] == "ok");
    CHECK(launches[0]["resident_warps"] == 391 * 8);
    CHECK(launches[0]["counts"]["smsp__sass_data_bytes_mem_global_op_st"] == 400000);
    CHECK(run.all("finding").empty());
    CHECK(run.all("api").empty());
}

TEST_CASE("calls: every one answers what an H200 answers") {
    Rig rig;
    const Run run = rig.run("calls");
    CHECK(run.err == "");
    check_same_lines(run.out, file_text("calls.expected"));
    for (const auto& record : run.all("api")) {
        INFO(record);
        CHECK(record["detail"] != "");
    }
}

TEST_CASE("rare calls: every one answers what an H200 answers") {
    Rig rig;
    const Run run = rig.run("rare_calls");
    CHECK(run.err == "");
    check_same_lines(run.out, file_text("rare_calls.expected"));
    CHECK(run.all("finding").empty());
}

TEST_CASE("cooperative launches: they answer what an H200 answers") {
    Rig rig;
    const Run run = rig.run("rare_calls", {"cooperative"});
    CHECK(run.err == "");
    check_same_lines(run.out, file_text("cooperative.expected"));
    CHECK(run.all("finding").empty());
}

TEST_CASE("registers: those of ptxas when a program asks, an estimate without ptxas") {
    if (!std::filesystem::exists(VGPU_TEST_PTXAS)) SKIP("this toolkit has no ptxas");
    const auto needs =
        vgpu::Ptxas(VGPU_TEST_PTXAS, "").measure(file_text(VGPU_TEST_PROGRAMS "/registers.ptx"));
    REQUIRE(needs.size() == 3);
    CHECK(needs.at("_Z5localPii").stack_bytes == 800);
    Rig rig({"--ptxas", VGPU_TEST_PTXAS});
    const Run run = rig.run("registers");
    CHECK(run.err == "");
    REQUIRE(lines_of(run.out).size() == 3);
    for (const std::string& line : lines_of(run.out)) {
        INFO(line);
        std::istringstream words(line);
        std::string kernel;
        vgpu::Needs told;
        unsigned blocks = 0;
        words >> kernel >> told.registers >> told.stack_bytes >> blocks;
        CHECK(told == needs.at(kernel));
        CHECK(blocks == vgpu::model::blocks_per_multiprocessor(
                            vgpu::model::h200(), {.registers = told.registers}, 256, 0));
    }
    Rig without;
    CHECK(without.run("registers").out != run.out);
}

TEST_CASE("failures: sticky errors answer every call as on an H200") {
    struct Way {
        const char *argument, *error, *outcome;
    };
    const auto way = GENERATE(Way{"address", "cudaErrorIllegalAddress", "illegal_address"},
                              Way{"alignment", "cudaErrorMisalignedAddress", "misaligned_address"},
                              Way{"assert", "cudaErrorAssert", "device_assert"},
                              Way{"endless", "cudaErrorLaunchTimeout", "deadlock"});
    INFO(way.argument);
    Rig rig({"--warp-instruction-limit", "100000"});
    const Run run = rig.run("failures", {way.argument});
    check_same_lines(
        run.out, replaced(file_text("failures.expected"), "cudaErrorIllegalAddress", way.error));
    const auto launches = run.all("launch");
    REQUIRE(launches.size() == 2);
    CHECK(launches[1]["outcome"] == way.outcome);
}

TEST_CASE("memory: pinned, managed, variables, pitched rows") {
    Rig rig;
    const Run run = rig.run("memory");
    CHECK(run.err == "");
    for (const std::string& line : lines_of(run.out)) CHECK_THAT(line, ContainsSubstring(": ok"));
    CHECK(lines_of(run.out).size() == 16);
    // The forgotten element is read once more before it is written again.
    const auto findings = run.all("finding");
    REQUIRE(findings.size() == 1);
    CHECK_THAT(findings[0].dump(), ContainsSubstring("uninitialized"));
}

TEST_CASE("the error for a program without PTX names the flags it needs") {
    Rig rig;
    const Run run = rig.run("vector_add_sass_only");
    CHECK_THAT(run.err, ContainsSubstring("virtual GPU: "));
    CHECK_THAT(run.err, ContainsSubstring("PTX"));
    CHECK_THAT(run.out, ContainsSubstring("launch cudaErrorNoKernelImageForDevice"));
    const auto failures = run.all("api");
    REQUIRE(!failures.empty());
    CHECK(failures[0]["function"] == "cudaLaunchKernel");
    CHECK(failures[0]["error"] == "cudaErrorNoKernelImageForDevice");
}

TEST_CASE("device code of one file that could be linked runs as it is") {
    Rig rig;
    const Run run = rig.run("vector_add_rdc");
    CHECK(run.err == "");
    CHECK_THAT(run.out, ContainsSubstring("launch cudaSuccess"));
}

TEST_CASE("device code of two files is linked, and each keeps its own lines") {
    Rig rig;
    const Run run = rig.run("linked");
    CHECK(run.err == "");
    // twice(1 + 3) + same(5) + 100, then 2 * 7 + same(1)
    CHECK(run.out == "first 118\n118\nsecond 16\n");
    CHECK(run.exit_code == 0);
    const auto findings = run.all("finding");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0]["check"] == "out_of_bounds");
    CHECK_THAT(findings[0]["message"].get<std::string>(),
               ContainsSubstring("outside writes 4 bytes just past the end of cudaMalloc #1 (4 "
                                 "bytes) at linked_more.cu:27"));
}

TEST_CASE("a file of a linked program without PTX is named when the program's code is loaded") {
    Rig rig;
    const Run run = rig.run("linked_half");
    CHECK_THAT(run.err, ContainsSubstring("linked_more.cu: compiled to machine code only"));
    CHECK_THAT(run.err, ContainsSubstring("-gencode arch=compute_75,code=compute_75"));
    CHECK(run.err.find("linked.cu:") == std::string::npos);
    CHECK(run.exit_code != 0);
}

// Tests with real files: this test's own libraries and programs, linked like CUDA programs.
#include "cli/vgpu/program.h"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "base/files.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

std::optional<std::string> obstacle(const std::string& content, const fs::path& stand_ins = {}) {
    return vgpu_obstacle(std::as_bytes(std::span(content)), "./prog", "libcudart.so.13", stand_ins);
}

std::optional<std::string> obstacle_of(const fs::path& file) {
    return obstacle(read_file(file));
}

}  // namespace

TEST_CASE("read_elf: what a program asks the loader for") {
    const std::string file = read_file(LAB_TEST_CUBLAS_USER);
    const auto elf = read_elf(std::as_bytes(std::span(file)));
    REQUIRE(elf);
    CHECK(elf->is_native);
    CHECK(elf->is_dynamic);
    CHECK(elf->imports.contains("cublasCreate_v2"));
    CHECK_FALSE(elf->imports.contains("main"));
    CHECK(elf->sections.contains(".text"));
    CHECK(std::count(elf->needed.begin(), elf->needed.end(), "libcublas.so.13") == 1);
}

TEST_CASE("read_elf: files that are none, and damaged ones") {
    CHECK_FALSE(read_elf({}));
    CHECK_FALSE(read_elf(std::as_bytes(std::span("#!/bin/sh\n"))));
    const std::string whole = read_file(LAB_TEST_CUBLAS_USER);
    for (std::size_t size = 1; size < whole.size(); size += 97) {
        const auto part = std::as_bytes(std::span(whole)).first(size);
        const auto elf = read_elf(part);
        if (elf && size > 64) CHECK(elf->is_native);
    }
    // Every byte of the headers turned: nothing beyond the file is read (the sanitizers watch).
    std::string damaged = whole;
    for (std::size_t i = 4; i < 64; ++i) {
        damaged[i] = static_cast<char>(~damaged[i]);
        read_elf(std::as_bytes(std::span(damaged)));
        damaged[i] = whole[i];
    }
}

TEST_CASE("vgpu_obstacle: scripts and programs that use no GPU may run") {
    CHECK_FALSE(obstacle("#!/bin/sh\nexit 0\n"));
    CHECK_FALSE(obstacle(""));
    CHECK_FALSE(obstacle_of(LAB_TEST_BUILD "/bin/lab"));
}

TEST_CASE("vgpu_obstacle: libraries that reach the GPU past the runtime") {
    const auto why = obstacle_of(LAB_TEST_CUBLAS_USER);
    REQUIRE(why);
    CHECK_THAT(*why, StartsWith("./prog needs cuBLAS (cublasCreate_v2 and 1 more), which the "
                                "virtual GPU does not have.\n"));
    // A library that stands in for it, and one that stands in for another.
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "libcublasLt.so.13") << "x";
    CHECK(obstacle(read_file(LAB_TEST_CUBLAS_USER), folder.path()));
    std::ofstream(folder.path() / "libcublas.so.13") << "x";
    CHECK_FALSE(obstacle(read_file(LAB_TEST_CUBLAS_USER), folder.path()));
    // Linked with it, but using nothing of it.
    CHECK_FALSE(obstacle_of(LAB_TEST_CUBLAS_STRANGER));
}

TEST_CASE("vgpu_obstacle: another runtime, and NVIDIA's own") {
    const auto old = obstacle_of(LAB_TEST_OLD_RUNTIME_USER);
    REQUIRE(old);
    CHECK_THAT(*old, StartsWith("./prog was built for libcudart.so.11.0, and the virtual GPU "
                                "stands in for libcudart.so.13.\n"));
    const auto linked = obstacle_of(LAB_TEST_DEVICE_CODE);
    REQUIRE(linked);
    CHECK_THAT(*linked,
               ContainsSubstring("Build it again with ./lab nvcc, which links the shared runtime: "
                                 "./lab nvcc ..."));
}

TEST_CASE("vgpu_obstacle: a program for another machine") {
    std::string file = read_file(LAB_TEST_CUBLAS_USER);
    file[18] = static_cast<char>(0xF3);  // e_machine: RISC-V
    CHECK(obstacle(file) == "./prog is a program for another machine.");
}

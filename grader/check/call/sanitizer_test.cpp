// The tools' texts, in the forms that their documentation and versions of several years give them.
#include "check/call/sanitizer.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("sanitizer: an access outside, with its thread and line") {
    const auto found = parse_sanitizer(
        "printed by the program\n"
        "========= COMPUTE-SANITIZER\n"
        "========= Invalid __global__ write of size 4 bytes\n"
        "=========     at add(const float *, float *, int)+0x70 in add.cu:12\n"
        "=========     by thread (31,0,0) in block (3,0,0)\n"
        "=========     Access to 0x7f48d8800190 is out of bounds\n"
        "=========     and is 1 bytes after the nearest allocation at 0x7f48d8800000 of size 400 "
        "bytes\n"
        "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
        "=========         Host Frame: main [0x1754] in runner\n"
        "=========\n"
        "========= Invalid __global__ write of size 4 bytes\n"
        "=========     at add(const float *, float *, int)+0x70 in add.cu:12\n"
        "=========     by thread (32,0,0) in block (3,0,0)\n"
        "========= Program hit cudaErrorLaunchFailure (error 719) due to \"unspecified launch "
        "failure\" on CUDA API call to cudaDeviceSynchronize.\n"
        "=========     Saved host backtrace up to driver entry point at error\n"
        "========= ERROR SUMMARY: 3 errors\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].kernel == "add(const float *, float *, int)");
    CHECK(found[0].place.file == "add.cu");
    CHECK(found[0].place.line == 12);
    CHECK(describe(found[0], "/home/me/add.cu", "labs/add.cu") ==
          "add(const float *, float *, int): Invalid __global__ write of size 4 bytes at "
          "labs/add.cu:12, by thread (31,0,0) of block (3,0,0). Access to 0x7f48d8800190 is out of "
          "bounds.");
}

TEST_CASE("sanitizer: a race has two places") {
    const auto found = parse_sanitizer(
        "========= COMPUTE-SANITIZER\n"
        "========= Error: Race reported between Write access at sum(float *)+0x90 in sum.cu:21\n"
        "=========     and Read access at sum(float *)+0x130 in sum.cu:26 [508 hazards]\n"
        "=========     and Read access at sum(float *)+0x180 in sum.cu:28 [4 hazards]\n"
        "=========\n"
        "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
    REQUIRE(found.size() == 1);
    CHECK(describe(found[0], "/tmp/x/sum.cu", "sum.cu") ==
          "sum(float *): threads race for shared memory: a write at sum.cu:21 and a read at "
          "sum.cu:26, by different threads, and no barrier between them.");
    // Warnings are of lanes that run in step: they are no mistake by themselves.
    CHECK(
        parse_sanitizer("========= Warning: Race reported between Write access at k()+0x90 in "
                        "a.cu:1\n=========     and Read access at k()+0x98 in a.cu:2 [1 hazard]\n")
            .empty());
}

TEST_CASE("sanitizer: memory never written, and barriers that part of a block misses") {
    const auto uninitialised = parse_sanitizer(
        "========= Uninitialized __global__ memory read of size 4 bytes\n"
        "=========     at vectorAdd(int *)+0x70 in /home/cuda/Initcheck/memset_error.cu:41\n"
        "=========     by thread (31,0,0) in block (1,0,0)\n"
        "=========     Address 0x7f3c7ec000fc\n");
    REQUIRE(uninitialised.size() == 1);
    CHECK(uninitialised[0].place.line == 41);
    CHECK(uninitialised[0].what == "Uninitialized __global__ memory read of size 4 bytes");

    const auto barrier = parse_sanitizer(
        "========= Barrier error detected. Divergent thread(s) in block.\n"
        "=========     at tiles(float *, int)+0xa0 in tiles.cu:61\n"
        "=========     by thread (19,0,0) in block (0,0,0)\n");
    REQUIRE(barrier.size() == 1);
    CHECK(describe(barrier[0], "tiles.cu", "tiles.cu") ==
          "tiles(float *, int): Barrier error detected. Divergent thread(s) in block at "
          "tiles.cu:61, by thread (19,0,0) of block (0,0,0).");
}

TEST_CASE("sanitizer: older versions, and code without lines") {
    const auto old = parse_sanitizer(
        "========= Invalid __shared__ read of size 4 bytes\n"
        "=========     at 0x578 in /home/me/task1.cu:120:MatMulKernel(Matrix, Matrix, Matrix)\n");
    REQUIRE(old.size() == 1);
    CHECK(old[0].kernel == "MatMulKernel(Matrix, Matrix, Matrix)");
    CHECK(old[0].place.file == "/home/me/task1.cu");
    CHECK(old[0].place.line == 120);
    const auto bare = parse_sanitizer(
        "========= Invalid __global__ read of size 4 bytes\n"
        "=========     at 0x1b8 in kernel(float *, float *)\n");
    REQUIRE(bare.size() == 1);
    CHECK(bare[0].kernel == "kernel(float *, float *)");
    CHECK(bare[0].place.line == 0);
}

TEST_CASE("sanitizer: nothing found is nothing, and what a program prints is not the tool's") {
    CHECK(parse_sanitizer("").empty());
    CHECK(parse_sanitizer("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n")
              .empty());
    CHECK(parse_sanitizer("========= Invalid " + std::string(1'000'000, 'x') + "\n").empty());
    CHECK(parse_sanitizer("Invalid __global__ write of size 4 bytes\n    at k()+0x1 in a.cu:1\n")
              .empty());
}

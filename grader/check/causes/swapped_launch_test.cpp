#include "check/causes/swapped_launch.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace lab;

namespace {

DeviceRecords launched(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
    DeviceRecords records;
    LaunchRecord launch;
    launch.kernel = kernel;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    records.launches.push_back(launch);
    return records;
}

std::string said(const std::string& configuration) {
    return WrittenLaunches("// k<<<comments, count>>> not\n    k<<<" + configuration +
                           ">>>(a, n);\n")
        .swapped(launched("void lab::k<int>(int*, int)", 256, 1));
}

}  // namespace

TEST_CASE("swapped launch: the names say that threads came first") {
    CHECK(said("threads_per_block, blocks") ==
          "You launched 256 blocks of 1 thread on line 2. Of the two numbers at a launch, the "
          "number of blocks comes first: <<<blocks, threads>>>.");
    for (const char* const swapped :
         {"kThreads, blocks_for(n)", "block, grid", "256, num_blocks", "tpb, (n + tpb - 1) / tpb",
          "threads, blocks, 0, stream", "blockSize, gridSize"}) {
        INFO(swapped);
        CHECK_FALSE(said(swapped).empty());
    }
}

TEST_CASE("swapped launch: a launch in order, or one that may be meant, is none") {
    for (const char* const right :
         {"blocks, threads_per_block", "grid, block", "(n + threads - 1) / threads, threads",
          "1, blocks", "blocks, 256", "blocks_for(n, threads_per_block), threads_per_block",
          "dim3(n, 1), dim3(32, 8)", "threads, threads", "n, m"}) {
        INFO(right);
        CHECK(said(right).empty());
    }
    // Of another kernel than the one that ran.
    const WrittenLaunches written("k<<<threads, blocks>>>(a);");
    CHECK(written.swapped(launched("other(int)", 4, 256)).empty());
    CHECK(written.swapped({}).empty());
}

TEST_CASE(
    "swapped launch: one that CUDA refuses has its numbers and, where it is known, its line") {
    DeviceRecords records;
    records.failed_calls.push_back(
        {"cudaLaunchKernel", "cudaErrorInvalidValue",
         "k(float const*, int) <<<(32, 8, 1), (132, 71, 1), 0>>>: a block has at most 1024 "
         "threads, at most (1024, 1024, 64); the number of blocks comes first"});
    CHECK(WrittenLaunches("\n\nk<<<threads, blocks>>>(p, n);").swapped(records) ==
          "You launched 32 x 8 blocks of 132 x 71 threads on line 3. Of the two numbers at a "
          "launch, the number of blocks comes first: <<<blocks, threads>>>.");
    // They may be in order, and too many.
    CHECK(WrittenLaunches("\n\nk<<<height, width>>>(p, n);").swapped(records) ==
          "You launched 32 x 8 blocks of 132 x 71 threads on line 3. A block has at most 1024 "
          "threads, and at a launch the number of blocks comes first: <<<blocks, threads>>>.");
    CHECK(WrittenLaunches("").swapped(records).find(" threads. A block has at most 1024") !=
          std::string::npos);
    records.failed_calls.front().why =
        "k(int) <<<(1, 1, 1), (5000, 1, 1), 0>>>: a block has at most 1024 threads";
    CHECK(WrittenLaunches("k<<<1, n>>>(p);").swapped(records).empty());
}

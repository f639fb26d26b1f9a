// Expected values: what cudaOccupancyMaxActiveBlocksPerMultiprocessor and cudaFuncGetAttributes
// returned on an H200 (driver 580, CUDA 13.0) for three kernels compiled for it.
#include "vgpu/occupancy.h"

#include <catch2/catch_test_macros.hpp>

using namespace vgpu::model;

namespace {
struct Row {
    std::uint32_t threads;
    std::uint64_t dynamic_bytes;
    std::uint32_t blocks;
};
}  // namespace

TEST_CASE("occupancy: an empty kernel is limited by warps, blocks and shared memory") {
    const KernelResources empty{.registers = 4};
    for (const Row row :
         {Row{1, 0, 32},   {33, 0, 32},    {64, 0, 32},     {96, 0, 21},      {128, 0, 16},
          {192, 0, 10},    {256, 0, 8},    {257, 0, 7},     {384, 0, 5},      {600, 0, 3},
          {768, 0, 2},     {1024, 0, 2},   {1025, 0, 0},    {32, 1000, 32},   {32, 16384, 13},
          {256, 16384, 8}, {32, 40000, 5}, {256, 40000, 5}, {1024, 40000, 2}, {32, 100000, 0}}) {
        INFO(row.threads << " threads, " << row.dynamic_bytes << " bytes");
        CHECK(blocks_per_multiprocessor(h200(), empty, row.threads, row.dynamic_bytes) ==
              row.blocks);
    }
}

TEST_CASE("occupancy: static shared memory counts too") {
    const KernelResources kernel{
        .registers = 10, .static_shared_bytes = 4096, .max_dynamic_shared_bytes = 45056};
    for (const Row row : {Row{32, 0, 32},
                          {32, 1000, 32},
                          {32, 16384, 10},
                          {256, 16384, 8},
                          {32, 40000, 5},
                          {1024, 40000, 2}}) {
        INFO(row.threads << " threads, " << row.dynamic_bytes << " bytes");
        CHECK(blocks_per_multiprocessor(h200(), kernel, row.threads, row.dynamic_bytes) ==
              row.blocks);
    }
}

TEST_CASE("occupancy: registers are handed out by whole schedulers") {
    const KernelResources heavy{.registers = 254};
    CHECK(max_threads_by_registers(h200(), heavy) == 256);
    for (const Row row : {Row{1, 0, 8},
                          {32, 0, 8},
                          {33, 0, 4},
                          {64, 0, 4},
                          {96, 0, 2},
                          {128, 0, 2},
                          {192, 0, 1},
                          {256, 0, 1},
                          {257, 0, 0},
                          {1024, 0, 0}}) {
        INFO(row.threads << " threads");
        CHECK(blocks_per_multiprocessor(h200(), heavy, row.threads, 0) == row.blocks);
    }
}

TEST_CASE("occupancy: __launch_bounds__ limits the block") {
    const KernelResources bounded{.registers = 8, .max_threads_per_block = 128};
    CHECK(max_threads_by_registers(h200(), bounded) == 128);
    CHECK(blocks_per_multiprocessor(h200(), bounded, 128, 0) == 16);
    CHECK(blocks_per_multiprocessor(h200(), bounded, 129, 0) == 0);
}

TEST_CASE("resident_warps: a small grid is all there, a large one as far as it fits") {
    const KernelResources kernel{.registers = 16};
    CHECK(resident_warps(h200(), kernel, 0, 256, 0) == 0);
    CHECK(resident_warps(h200(), kernel, 1, 256, 0) == 8);
    CHECK(resident_warps(h200(), kernel, 3, 33, 0) == 6);
    CHECK(resident_warps(h200(), kernel, 1 << 20, 256, 0) == 132 * 64);
    CHECK(resident_warps(h200(), kernel, 1 << 20, 32, 0) == 132 * 32);
}

TEST_CASE("occupancy: in percent of a multiprocessor's room for warps") {
    const auto theoretical = [](std::uint32_t registers, std::uint32_t threads) {
        KernelResources kernel;
        kernel.registers = registers;
        return theoretical_occupancy_pct(h200(), kernel, threads, 0);
    };
    CHECK(theoretical(32, 256) == 100);
    CHECK(theoretical(64, 1024) == 50);
    CHECK(theoretical(32, 32) == 50);  // 32 blocks of one warp
}

TEST_CASE("occupancy: achieved, from how long warps and blocks last") {
    const auto achieved = [](std::uint64_t blocks, std::uint64_t warp_time,
                             std::uint64_t block_time) {
        return achieved_occupancy_pct(h200(), 4, blocks, warp_time, block_time);
    };
    // Each multiprocessor is full, four blocks of 16 warps, to the end.
    CHECK(achieved(4 * 132, 4 * 132 * 16, 4 * 132) == 100);
    // One block on one multiprocessor: 16 of 64 warps; half of that if half of them leave at once.
    CHECK(achieved(1, 16, 1) == 25);
    CHECK(achieved(1, 8, 1) == 12.5);
    // Five blocks where four fit: the second round has one. (16 * 5) / 2 of 64.
    CHECK(achieved(5 * 132, 5 * 132 * 16, 5 * 132) == 62.5);
    CHECK(achieved(0, 0, 0) == 0);
}

// Against event-timed medians on an H200: the model need not be exact, but must be of their size.
#include "model/clock.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace vgpu::model;
using Catch::Matchers::WithinRel;

namespace {
double seconds(std::uint64_t blocks, std::uint64_t instructions, std::uint64_t bytes = 0) {
    KernelWork work;
    work.blocks = blocks;
    work.counts.warp_instructions = instructions;
    work.counts.global_load_sectors = bytes / kSectorBytes;
    work.counts.global_load_requests = bytes / 128;
    work.counts.global_load_bytes = bytes;
    work.touched_bytes = bytes;
    return kernel_seconds(h200(), cost_of(h200(), work));
}
}  // namespace

TEST_CASE("kernel_seconds: an empty grid costs its launch, a large one its blocks") {
    CHECK_THAT(seconds(1, 3), WithinRel(5.3e-6, 0.1));
    CHECK_THAT(seconds(1 << 20, 3 << 20), WithinRel(637e-6, 0.03));
    CHECK_THAT(seconds(1 << 23, 3 << 23), WithinRel(5047e-6, 0.03));
}

TEST_CASE("kernel_seconds: vector add is bound by memory with large blocks, by blocks with small") {
    const std::uint64_t n = 1ull << 28, bytes = 12 * n, instructions = n / 32 * 20;
    CHECK_THAT(seconds(n / 32, instructions, bytes),
               WithinRel(12.0 * static_cast<double>(n) / 637e9, 0.03));
    CHECK_THAT(seconds(n / 1024, instructions, bytes),
               WithinRel(12.0 * static_cast<double>(n) / 4.2e12, 0.1));
}

TEST_CASE("transfer_seconds: pinned, pageable and on the device") {
    const std::uint64_t bytes = 1 << 24;
    CHECK_THAT(transfer_seconds(h200(), Transfer::pinned, bytes), WithinRel(307e-6, 0.03));
    CHECK_THAT(transfer_seconds(h200(), Transfer::on_device, 1 << 25), WithinRel(22.3e-6, 0.05));
    CHECK(transfer_seconds(h200(), Transfer::pageable, bytes) >
          2 * transfer_seconds(h200(), Transfer::pinned, bytes));
    CHECK_THAT(transfer_seconds(h200(), Transfer::pinned, 4), WithinRel(3.6e-6, 0.1));
}

TEST_CASE("fill_seconds: a start, then the memory's speed") {
    CHECK_THAT(fill_seconds(h200(), 4), WithinRel(2.6e-6, 0.05));
    CHECK_THAT(fill_seconds(h200(), 1 << 26), WithinRel(20.5e-6, 0.1));
}

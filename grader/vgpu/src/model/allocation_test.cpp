#include "model/allocation.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace vgpu::model;
using Catch::Approx;

// Each figure is one of data/measurements/nvidia-h200/allocations.txt, in microseconds.
TEST_CASE("allocation: what an H200's driver takes, within a quarter") {
    const std::uint64_t kib = 1 << 10, mib = 1 << 20;
    const auto us = [](double seconds) { return Approx(1e6 * seconds).epsilon(0.25); };
    CHECK(1.50 == us(allocation_seconds(Memory::device, 4)));
    CHECK(1.53 == us(release_seconds(Memory::device, 4)));
    CHECK(1.46 == us(allocation_seconds(Memory::device, 64 * kib)));
    CHECK(41.04 == us(allocation_seconds(Memory::device, 2 * mib)));
    CHECK(34.52 == us(release_seconds(Memory::device, 2 * mib)));
    CHECK(46.22 == us(allocation_seconds(Memory::device, 64 * mib)));
    CHECK(70.73 == us(release_seconds(Memory::device, 64 * mib)));
    CHECK(492.43 == us(release_seconds(Memory::device, 1024 * mib)));
    CHECK(756.95 == us(allocation_seconds(Memory::pinned, mib)));
    CHECK(304.21 == us(release_seconds(Memory::pinned, mib)));
    CHECK(21523.50 == us(allocation_seconds(Memory::pinned, 64 * mib)));
    CHECK(5668.11 == us(release_seconds(Memory::pinned, 64 * mib)));
    CHECK(14.16 == us(allocation_seconds(Memory::managed, 4)));
    CHECK(51.07 == us(release_seconds(Memory::managed, 4)));
    CHECK(36.97 == us(allocation_seconds(Memory::managed, 64 * mib)));
    CHECK(619.79 == us(release_seconds(Memory::managed, 64 * mib)));
    CHECK(53.82 == us(pool_growth_seconds(4)));
    CHECK(55.21 == us(pool_growth_seconds(mib)));
    CHECK(87.09 == us(pool_growth_seconds(64 * mib)));
    CHECK(84.73 == us(first_touch_seconds(4)));
    CHECK(1806.43 == us(first_touch_seconds(16 * mib)));
    CHECK(7731.34 == us(first_touch_seconds(64 * mib)));
    CHECK(first_touch_seconds(0) == 0);
}

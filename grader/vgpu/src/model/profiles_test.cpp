#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <set>
#include <string>

#include "vgpu/cost.h"
#include "vgpu/gpu.h"
#include "vgpu/occupancy.h"

using namespace vgpu::model;
using Catch::Matchers::WithinRel;

namespace {
double published_bytes_per_s(const Gpu& gpu) {
    return 2e3 * gpu.memory_clock_khz * gpu.memory_bus_bits / 8;
}
}  // namespace

TEST_CASE("profiles: only the H200 is measured, and each has a name of its own") {
    std::set<std::string> keys, names;
    for (const Gpu& gpu : profiles()) {
        INFO(gpu.key);
        CHECK(gpu.is_measured == (std::string_view(gpu.key) == "h200"));
        CHECK(profile(gpu.key) == &gpu);
        keys.insert(gpu.key);
        names.insert(gpu.name);
    }
    CHECK(profiles().size() >= 4);
    CHECK(keys.size() == profiles().size());
    CHECK(names.size() == profiles().size());
    CHECK(profile("h100") == nullptr);
}

TEST_CASE("profiles: memory is as fast as NVIDIA's data sheets say, in GB/s") {
    for (const auto& [key, gb_per_s] : {std::pair("h200", 4800.),
                                        {"gtx-1650", 128.},
                                        {"rtx-3060", 360.},
                                        {"rtx-4060", 272.},
                                        {"t4", 320.}}) {
        INFO(key);
        const Gpu& gpu = *profile(key);
        CHECK_THAT(published_bytes_per_s(gpu), WithinRel(gb_per_s * 1e9, 0.005));
        CHECK(gpu.device_bytes_per_s < published_bytes_per_s(gpu));
        CHECK(gpu.device_bytes_per_s > 0.8 * published_bytes_per_s(gpu));
    }
}

TEST_CASE("profiles: a multiprocessor holds what its compute capability says") {
    const KernelResources small{.registers = 16};
    const auto threads = [&](const char* key) {
        return 256 * blocks_per_multiprocessor(*profile(key), small, 256, 0);
    };
    CHECK(threads("h200") == 2048);
    CHECK(threads("gtx-1650") == 1024);
    CHECK(threads("rtx-3060") == 1536);
    const KernelResources shared{.registers = 16, .max_dynamic_shared_bytes = 65536};
    CHECK(blocks_per_multiprocessor(*profile("t4"), shared, 256, 65536) == 1);
    CHECK(blocks_per_multiprocessor(*profile("rtx-4060"), shared, 256, 49152) == 2);
}

TEST_CASE("profiles: a kernel of bytes follows the memory, one of doubles the lanes for doubles") {
    KernelWork work;
    work.blocks = work.blocks_at_once = 1 << 20;
    work.touched_bytes = 1 << 30;
    work.counts.global_load_sectors = (1 << 30) / 32;
    work.counts.global_load_bytes = 1 << 30;
    const auto memory_s = [&](const char* key) { return cost_of(*profile(key), work).memory_s; };
    CHECK_THAT(memory_s("gtx-1650") / memory_s("t4"), WithinRel(320. / 128, 0.01));
    work.counts.fp64 = work.counts.warp_instructions = 1'000'000;
    const auto issue_s = [&](const char* key) { return cost_of(*profile(key), work).issue_s; };
    // 14 multiprocessors of 2 lanes at 1.665 GHz, 132 of 64 at 1.98 GHz.
    CHECK_THAT(issue_s("gtx-1650") / issue_s("h200"),
               WithinRel(132. * 64 * 1.98 / (14 * 2 * 1.665), 1e-9));
}

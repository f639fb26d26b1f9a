// Tests the extrapolation from two amounts of data on the virtual GPU to the one on a GPU. How near
// extrapolated work comes to that of a full run is tested in grader/vgpu/tests/cost_test.cpp.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "check/speed/speed_judges.h"
#include "vgpu/gpu.h"

using namespace lab;
using Catch::Matchers::WithinRel;

namespace {

constexpr DataGrowth kGrowth{.small = 1 << 19, .larger = 1 << 20, .full = 1 << 25};

/// A launch that copies n floats, one a thread, and what the virtual GPU would record of it.
LaunchRecord copy_of(double n, double blocks) {
    vgpu::model::KernelWork work;
    work.blocks = static_cast<std::uint64_t>(blocks);
    work.blocks_at_once = 1056;
    work.counts.warp_instructions = static_cast<std::uint64_t>(n / 32 * 12);
    work.counts.global_load_passes = work.counts.global_store_passes =
        static_cast<std::uint64_t>(n / 32);
    work.counts.global_load_sectors = work.counts.global_store_sectors =
        static_cast<std::uint64_t>(n / 8);
    work.touched_bytes = static_cast<std::uint64_t>(8 * n);
    work.far_cycles = n / 32 * 600;
    work.block_time = work.warp_time = static_cast<std::uint64_t>(n / 32 * 600);
    const vgpu::model::KernelCost cost = vgpu::model::cost_of(vgpu::model::h200(), work);

    LaunchRecord r;
    r.kernel = "copy(float*)";
    r.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    r.block = {256, 1, 1};
    r.warp_instructions = work.counts.warp_instructions;
    r.global_load_bytes = r.global_store_bytes = static_cast<std::uint64_t>(4 * n);
    r.resident_warps = 8 * std::min<std::uint64_t>(work.blocks, work.blocks_at_once);
    r.cost_us = {.memory = 1e6 * cost.memory_s, .all = 1e6 * cost.seconds()};
    r.work = work;
    return r;
}

/// Of `n` floats by as many blocks of 256 as that takes.
LaunchRecord usual(double n) {
    return copy_of(n, n / 256);
}

CountedCall call(std::vector<LaunchRecord> launches) {
    return {std::move(launches), {}};
}

double all_us(const CountedCall& call) {
    double sum = 0;
    for (const LaunchRecord& launch : call.launches) sum += launch.cost_us.all;
    return sum;
}

OperationRecord copy(double us) {
    OperationRecord copy;
    copy.engine = "copy_to_device";
    copy.begin_us = 100;
    copy.end_us = copy.begin_us + us;
    return copy;
}

}  // namespace

TEST_CASE("growth: what grows with the data takes what it would with all of them") {
    const CountedCall grown =
        with_full_data(call({usual(kGrowth.small)}), call({usual(kGrowth.larger)}), kGrowth);
    const LaunchRecord full = usual(kGrowth.full);
    REQUIRE(grown.launches.size() == 1);
    const LaunchRecord& launch = grown.launches[0];
    CHECK_THAT(launch.cost_us.all, WithinRel(full.cost_us.all, 1e-3));
    CHECK_THAT(launch.cost_us.memory, WithinRel(full.cost_us.memory, 1e-3));
    CHECK(launch.blocks() == full.blocks());
    CHECK(launch.warp_instructions == full.warp_instructions);
    CHECK(launch.global_load_bytes == full.global_load_bytes);
}

TEST_CASE("growth: what falls while the data grow does not go on falling") {
    LaunchRecord small = usual(kGrowth.small), larger = usual(kGrowth.larger);
    small.work->counts.warp_instructions = 30 * larger.work->counts.warp_instructions;
    small.warp_instructions = small.work->counts.warp_instructions;
    small.work->counts.folded = larger.work->counts.folded =
        larger.work->counts.warp_instructions / 4;
    const CountedCall grown = with_full_data(call({small}), call({larger}), kGrowth);
    CHECK(grown.launches[0].warp_instructions == larger.warp_instructions);
    CHECK(grown.launches[0].cost_us.all < 2 * usual(kGrowth.full).cost_us.all);
}

TEST_CASE("growth: a few blocks that loop stay few, and what they add up at the end stays too") {
    const LaunchRecord last = copy_of(132, 1);
    const CountedCall grown = with_full_data(call({copy_of(kGrowth.small, 132), last}),
                                             call({copy_of(kGrowth.larger, 132), last}), kGrowth);
    REQUIRE(grown.launches.size() == 2);
    CHECK(grown.launches[0].blocks() == 132);
    CHECK_THAT(grown.launches[0].cost_us.all,
               WithinRel(copy_of(kGrowth.full, 132).cost_us.all, 1e-3));
    CHECK_THAT(grown.launches[1].cost_us.all, WithinRel(last.cost_us.all, 1e-3));
}

TEST_CASE("growth: more blocks fill the GPU where there were too few") {
    // 36 blocks of 8 x 8 results a thread, as of a small product: 132 multiprocessors wait.
    const auto tiles = [](double n) { return copy_of(n, n / (1 << 20) * 36); };
    const CountedCall grown =
        with_full_data(call({tiles(kGrowth.small)}), call({tiles(kGrowth.larger)}), kGrowth);
    CHECK_THAT(all_us(grown), WithinRel(tiles(kGrowth.full).cost_us.all, 1e-3));
    CHECK(all_us(grown) < 16 * tiles(kGrowth.larger).cost_us.all);  // not 32 times
    CHECK(grown.launches[0].resident_warps == 8 * 1056);
    const CountedCall scaled = scaled_to_full_data(call({tiles(kGrowth.larger)}), kGrowth);
    CHECK_THAT(all_us(scaled), WithinRel(32 * tiles(kGrowth.larger).cost_us.all, 1e-9));
}

TEST_CASE("growth: a thread for each row, and a limit on the grid that is nearly reached") {
    const auto blocks = [](double small, double larger) {
        const CountedCall grown = with_full_data(call({copy_of(kGrowth.small, small)}),
                                                 call({copy_of(kGrowth.larger, larger)}), kGrowth);
        return static_cast<double>(grown.launches[0].blocks());
    };
    CHECK_THAT(blocks(1000, 1414), WithinRel(1414 * std::sqrt(32), 1e-3));
    CHECK_THAT(blocks(1025, 1056), WithinRel(1056, 0.2));
    CHECK_THAT(blocks(1000, 2000), WithinRel(64'000., 1e-3));
    CHECK_THAT(blocks(1000, 2400), WithinRel(32 * 2400., 1e-3));  // not by more than the data
    CHECK_THAT(blocks(1000, 900), WithinRel(900., 1e-3));
    CHECK(blocks(1 << 26, 1 << 27) == 0xffff'ffff);  // 2^32 would be none
}

TEST_CASE("growth: of a tree with one launch more, those of a few elements take as long") {
    const auto tree = [](double n) {
        std::vector<LaunchRecord> launches;
        for (; n >= 256; n /= 2) launches.push_back(usual(n));
        return call(std::move(launches));
    };
    const CountedCall grown = with_full_data(tree(kGrowth.small), tree(kGrowth.larger), kGrowth);
    const double wanted_us = all_us(tree(kGrowth.full));
    // The times are scaled, those of launches that do not fill the GPU among them: 1.37.
    CHECK(all_us(grown) > 0.75 * wanted_us);
    CHECK(all_us(grown) < 1.5 * wanted_us);
    CHECK_THAT(grown.launches.back().cost_us.all, WithinRel(usual(256).cost_us.all, 1e-3));
    // One that reads little but takes long is scaled, as are thousands of small ones.
    LaunchRecord slow = copy_of(132, 1);
    slow.cost_us.all = 50;
    CHECK(all_us(with_full_data(call({}), call({usual(kGrowth.larger), slow}), kGrowth)) > 32 * 50);
    const std::vector<LaunchRecord> many(1000, copy_of(132, 1));
    CHECK_THAT(all_us(with_full_data(call({}), call(many), kGrowth)),
               WithinRel(32 * 1000 * many[0].cost_us.all, 0.05));
}

TEST_CASE("growth: a launch for each piece of a fixed size becomes more in proportion") {
    const auto pieces = [](double n) {
        return call(
            std::vector<LaunchRecord>(static_cast<std::size_t>(n / (1 << 16)), usual(1 << 16)));
    };
    const CountedCall grown =
        with_full_data(pieces(kGrowth.small), pieces(kGrowth.larger), kGrowth);
    double launches = 0;
    for (const LaunchRecord& launch : grown.launches) launches += double(launch.merged);
    CHECK(launches == kGrowth.full / (1 << 16));
    CHECK_THAT(all_us(grown), WithinRel(all_us(pieces(kGrowth.full)), 1e-3));
}

TEST_CASE("growth: without waiting the longest of the other parts is what a launch takes") {
    LaunchRecord waits = usual(kGrowth.larger);
    waits.cost_us = {.issue = 3, .memory = 7, .latency = 90, .all = 91};
    const CountedCall busy = without_waiting(call({waits}));
    CHECK(busy.launches[0].cost_us.all == 7);
    CHECK(busy.launches[0].cost_us.latency == 0);
}

TEST_CASE("growth: launches beyond the first thousand have no work of their own") {
    LaunchRecord small, larger;
    small.merged = 24;
    small.cost_us.all = 48;
    larger.merged = 1048;
    larger.cost_us.all = 2096;
    const CountedCall grown = with_full_data(call({small}), call({larger}), kGrowth);
    CHECK_THAT(grown.launches[0].cost_us.all, WithinRel(48 + 63 * 2048., 1e-9));
    CHECK(grown.launches[0].merged == 24 + 63 * 1024);
}

TEST_CASE("growth: copies grow with their bytes, but for their start") {
    const auto with = [](std::vector<OperationRecord> copies) {
        OperationRecord kernel = copy(7);
        kernel.engine = "kernels";
        copies.push_back(kernel);
        return CountedCall{{}, std::move(copies)};
    };
    const CountedCall grown =
        with_full_data(with({copy(18), copy(9)}), with({copy(28), copy(9)}), kGrowth);
    REQUIRE(grown.operations.size() == 2);  // kernels are reported as launches
    CHECK_THAT(grown.operations[0].duration_us(), WithinRel(8 + 64 * 10., 1e-9));
    CHECK_THAT(grown.operations[1].duration_us(), WithinRel(9., 1e-9));
    const CountedCall other = with_full_data(with({copy(18)}), with({copy(28), copy(5)}), kGrowth);
    CHECK_THAT(other.operations[0].duration_us(), WithinRel(8 + 32 * 20., 1e-9));
    CHECK_THAT(other.operations[1].duration_us(), WithinRel(5., 1e-9));
}

TEST_CASE("growth: allocating grows as it did between the two calls") {
    const DataGrowth growth{1000, 2000, 10'000};
    CountedCall small, larger;
    small.allocating_us = larger.allocating_us = 80;
    CHECK(with_full_data(small, larger, growth).allocating_us == 80);
    CHECK(scaled_to_full_data(larger, growth).allocating_us == 80);
    larger.allocating_us = 90;
    CHECK(with_full_data(small, larger, growth).allocating_us == 170);
}

TEST_CASE("growth: a speed test with the same data on both kinds of GPU is as it was counted") {
    const DataGrowth same{.small = 2500, .larger = 5000, .full = 5000};
    const CountedCall larger = call({usual(5000)});
    const CountedCall grown = with_full_data(call({usual(2500)}), larger, same);
    CHECK_THAT(all_us(grown), WithinRel(all_us(larger), 1e-9));
    CHECK(grown.launches[0].grid == larger.launches[0].grid);
}

TEST_CASE("speed: two halves side by side take what the whole takes") {
    const auto at = [](int stream, double begin_us, double end_us) {
        OperationRecord kernel;
        kernel.engine = "kernels";
        kernel.device_stream = stream;
        kernel.begin_us = begin_us;
        kernel.end_us = end_us;
        return kernel;
    };
    const double n = 1 << 20;
    // Blocks that stay: as many as the GPU holds, or half of them each.
    const LaunchRecord whole = copy_of(n, 1056), half = copy_of(n / 2, 528);
    const auto us = [&](const std::vector<OperationRecord>& operations,
                        const std::vector<LaunchRecord>& launches) {
        return all_us(call(joined_where_side_by_side(launches, operations)));
    };
    const auto beside = {at(7, 0, 10), at(8, 1, 11)};
    CHECK_THAT(us(beside, {half, half}), WithinRel(us({at(7, 0, 10)}, {whole}), 0.001));
    const auto joined = joined_where_side_by_side({half, half}, beside);
    REQUIRE(joined.size() == 1);
    CHECK(joined[0].merged == 2);
    CHECK(joined[0].blocks() == 1056);
    CHECK(joined[0].global_load_bytes == whole.global_load_bytes);
    // One after the other, in one stream, or each filling the GPU: both count.
    const double apart = 2 * us({at(7, 0, 10)}, {half});
    CHECK(us({at(7, 0, 10), at(8, 10, 20)}, {half, half}) == apart);
    CHECK(us({at(7, 0, 10), at(7, 1, 11)}, {half, half}) == apart);
    CHECK(us(beside, {whole, whole}) == 2 * us({at(7, 0, 10)}, {whole}));
    // Which operation is which launch's is not known.
    CHECK(us({at(7, 0, 10)}, {half, half}) == apart);
    // Three, of which the first two have room.
    CHECK(joined_where_side_by_side({half, half, half}, {at(7, 0, 10), at(8, 1, 11), at(9, 1, 11)})
              .size() == 2);
}

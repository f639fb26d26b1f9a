// Messages about modelled calls: their speed, and the reason. How the parts are modelled is tested
// in cost_test.cpp, against times measured on an H200.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "check/speed/speed_judges.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;

namespace {

/// A vector add of floats by blocks of 256, with the parts of its modelled time.
LaunchRecord plain() {
    LaunchRecord r;
    r.grid = {4096, 1, 1};
    r.block = {256, 1, 1};
    r.resident_warps = 8448;
    r.warp_instructions = 720896;
    r.thread_instructions = 32 * r.warp_instructions;
    r.global_load_requests = 65536;
    r.global_load_sectors = 262144;
    r.global_load_bytes = 32 * r.global_load_sectors;
    r.global_store_requests = 32768;
    r.global_store_sectors = 131072;
    r.global_store_bytes = 32 * r.global_store_sectors;
    r.cost_us = {.issue = 21, .l1 = 12, .l2 = 24, .memory = 90, .latency = 45, .blocks = 75};
    r.cost_us.all = 102;
    return r;
}

LaunchRecord with(double LaunchRecord::Cost::*part, double us, LaunchRecord r = plain()) {
    r.cost_us.*part = us;
    r.cost_us.all = std::max(r.cost_us.all, us);
    return r;
}

CountedCall call(std::vector<LaunchRecord> launches) {
    return {std::move(launches), {}};
}

std::string cause_of(const LaunchRecord& submission, const LaunchRecord& reference = plain()) {
    const CallComparison comparison = compare_calls(call({submission}), call({reference}));
    return comparison.cause() == nullptr ? "" : comparison.cause()->advice;
}

int line_of_cause(const LaunchRecord& submission) {
    const CallComparison comparison = compare_calls(call({submission}), call({plain()}));
    return comparison.cause() == nullptr ? 0 : comparison.cause()->hot.line;
}

}  // namespace

TEST_CASE("speed by counts: the same call is as fast, and nothing is a cause") {
    const CallComparison same = compare_calls(call({plain()}), call({plain()}));
    CHECK_THAT(same.ratio, WithinRel(1.0, 1e-9));
    CHECK(same.cause() == nullptr);
    CHECK_FALSE(same.parts.empty());
}

TEST_CASE("speed by counts: the longest part that takes more is the cause, in its own words") {
    LaunchRecord scattered = with(&LaunchRecord::Cost::l1, 720);
    scattered.global_load_sectors *= 8;
    scattered.global_store_sectors *= 8;
    CHECK_THAT(cause_of(scattered), ContainsSubstring("32.0 sectors of 32 bytes per request") &&
                                        ContainsSubstring("coalescing"));
    LaunchRecord stores = with(&LaunchRecord::Cost::l2, 720);
    stores.global_store_sectors *= 8;
    CHECK_THAT(cause_of(stores), ContainsSubstring("coalescing"));
    LaunchRecord again = with(&LaunchRecord::Cost::l2, 720);
    again.global_store_requests *= 64;
    again.global_store_sectors *= 64;
    again.global_store_bytes *= 64;
    CHECK_THAT(cause_of(again), ContainsSubstring("stored again and again"));
    LaunchRecord lost = with(&LaunchRecord::Cost::l2, 720);
    lost.global_load_requests *= 8;
    lost.global_load_sectors *= 8;
    lost.global_load_bytes *= 8;
    CHECK_THAT(cause_of(lost), ContainsSubstring("from the L2 cache again and again"));
    LaunchRecord reread = with(&LaunchRecord::Cost::l1, 720);
    reread.global_load_requests *= 64;
    CHECK_THAT(cause_of(reread), ContainsSubstring("again and again: keep them in registers"));

    LaunchRecord in_local = with(&LaunchRecord::Cost::l1, 720);
    in_local.local_sectors = 4 * in_local.global_load_sectors;
    in_local.most_local = {"a.cu", 7, 1};
    in_local.most_sectors = {"a.cu", 9, 1};
    CHECK_THAT(cause_of(in_local), ContainsSubstring("local memory"));
    CHECK(line_of_cause(in_local) == 7);
    LaunchRecord shared = with(&LaunchRecord::Cost::l1, 720);
    shared.shared_requests = shared.shared_wavefronts = 8 * shared.global_load_sectors;
    shared.most_wavefronts = {"a.cu", 8, 1};
    shared.most_sectors = {"a.cu", 9, 1};
    CHECK_THAT(cause_of(shared), ContainsSubstring("Shared memory is asked for more"));
    CHECK(line_of_cause(shared) == 8);

    LaunchRecord one_block = with(&LaunchRecord::Cost::latency, 60000);
    one_block.resident_warps = 8;
    CHECK_THAT(cause_of(one_block), ContainsSubstring("Too few threads work at the same time") &&
                                        ContainsSubstring("8 warps are there at once"));
    CHECK_THAT(cause_of(with(&LaunchRecord::Cost::latency, 600)),
               ContainsSubstring("Threads wait most of the time"));
    LaunchRecord alone = with(&LaunchRecord::Cost::latency, 600);
    alone.thread_instructions = alone.warp_instructions;
    CHECK_THAT(cause_of(alone), ContainsSubstring("One thread does the work of many: on average 1 "
                                                  "of a warp's 32 works"));
    LaunchRecord small = with(&LaunchRecord::Cost::blocks, 600);
    small.grid = {32768, 1, 1};
    small.block = {32, 1, 1};
    CHECK_THAT(cause_of(small), ContainsSubstring("so many small blocks") ||
                                    ContainsSubstring("So many small blocks"));
    LaunchRecord wide = with(&LaunchRecord::Cost::blocks, 600);
    wide.grid = {plain().grid[0] * plain().block[0], 1, 1};  // a block for each element
    wide.block = {256, 1, 1};
    CHECK_THAT(cause_of(wide), ContainsSubstring("times as many threads as the reference's") &&
                                   !ContainsSubstring("small blocks"));
    LaunchRecord atomics = with(&LaunchRecord::Cost::atomics, 54000);
    atomics.hottest_visits = 1 << 20;
    CHECK_THAT(cause_of(atomics), ContainsSubstring("1049k atomic operations hit one address"));
}

TEST_CASE("speed by counts: the line that has most of the cause is known") {
    const auto line_of = [](const LaunchRecord& submission) {
        const CallComparison comparison = compare_calls(call({submission}), call({plain()}));
        return comparison.cause() == nullptr ? -1 : comparison.cause()->hot.line;
    };
    LaunchRecord lines = plain();
    lines.most_instructions = {"a.cu", 7, 100};
    lines.most_sectors = {"a.cu", 8, 200};
    lines.most_wavefronts = {"a.cu", 9, 300};
    LaunchRecord scattered = with(&LaunchRecord::Cost::l1, 720, lines);
    scattered.global_load_sectors *= 8;
    CHECK(line_of(scattered) == 8);
    LaunchRecord conflicts = with(&LaunchRecord::Cost::l1, 720, lines);
    conflicts.shared_requests = 1 << 20;
    conflicts.shared_wavefronts = 20 << 20;
    CHECK(line_of(conflicts) == 9);
    CHECK(line_of(with(&LaunchRecord::Cost::issue, 600, lines)) == 7);
    CHECK(line_of(with(&LaunchRecord::Cost::blocks, 600, lines)) == 0);  // no line has them
}

TEST_CASE("speed by counts: many launches are named where they make the GPU wait") {
    LaunchRecord one = with(&LaunchRecord::Cost::latency, 1200);
    const auto said = [&] {
        const CallComparison comparison =
            compare_calls(call(std::vector<LaunchRecord>(64, one)), call({plain()}));
        return comparison.cause()->advice;
    };
    CHECK_THAT(said(), ContainsSubstring("64 launches, one after the other, and each reads"));
    one.resident_warps = 24;
    CHECK_THAT(said(), ContainsSubstring("each so small that most of the GPU is idle"));
}

TEST_CASE("speed by counts: bank conflicts, and shared memory without them") {
    LaunchRecord tiled = plain();
    tiled.shared_requests = tiled.shared_wavefronts = 1 << 20;
    LaunchRecord conflicts = with(&LaunchRecord::Cost::l1, 1200, tiled);
    conflicts.shared_wavefronts = 20 << 20;
    CHECK_THAT(cause_of(conflicts, tiled),
               ContainsSubstring("Bank conflicts") && ContainsSubstring("20.0 passes on average"));
    CHECK_THAT(cause_of(with(&LaunchRecord::Cost::l1, 1200, tiled), tiled),
               ContainsSubstring("let each thread do more"));
}

TEST_CASE("speed by counts: divergence, lanes without threads, and plain more work") {
    LaunchRecord diverges = with(&LaunchRecord::Cost::issue, 600);
    diverges.thread_instructions /= 4;
    CHECK_THAT(cause_of(diverges), ContainsSubstring("Divergence: on average 8 of a warp's 32"));
    LaunchRecord tiny = with(&LaunchRecord::Cost::issue, 600);
    tiny.thread_instructions /= 32;
    tiny.block = {1, 1, 1};
    CHECK_THAT(cause_of(tiny), ContainsSubstring("Blocks of 1 thread leave most lanes"));
    LaunchRecord more = with(&LaunchRecord::Cost::issue, 600);
    more.warp_instructions *= 20;
    more.thread_instructions *= 20;
    CHECK_THAT(cause_of(more), ContainsSubstring("Many more instructions"));
    CHECK_THAT(cause_of(with(&LaunchRecord::Cost::issue, 600)),
               ContainsSubstring("Instructions of a slow kind"));
}

TEST_CASE("speed by counts: a few launches cost nothing, one for each element does") {
    const auto split = [](unsigned parts) {
        std::vector<LaunchRecord> launches(parts, plain());
        for (LaunchRecord& launch : launches) {
            launch.grid[0] = std::max(1u, launch.grid[0] / parts);
            LaunchRecord::Cost& c = launch.cost_us;
            for (double* part : {&c.issue, &c.l1, &c.l2, &c.memory, &c.latency, &c.blocks, &c.all})
                *part /= parts;
        }
        return compare_calls(call(launches), call({plain()}));
    };
    // The reference takes 102 us: 8 launches are issued meanwhile.
    CHECK(split(8).ratio > 0.9);
    const CallComparison many = split(1024);
    CHECK(many.ratio < 0.1);
    REQUIRE(many.cause() != nullptr);
    CHECK(many.cause()->name == "launches");
    // One record may stand for many.
    LaunchRecord merged = plain();
    merged.merged = 5000;
    CHECK(compare_calls(call({merged}), call({plain()})).ratio < 0.1);
}

TEST_CASE("speed by counts: copies count, and slow ones are the cause") {
    const auto with_copies = [](double us) {
        CountedCall copies = call({plain()});
        for (const char* engine : {"copy_to_device", "copy_to_host"}) {
            OperationRecord copy;
            copy.engine = engine;
            copy.end_us = us;
            copies.operations.push_back(copy);
        }
        return copies;
    };
    const CallComparison pageable = compare_calls(with_copies(700), with_copies(300));
    CHECK(pageable.ratio < 0.5);
    REQUIRE(pageable.cause() != nullptr);
    CHECK_THAT(pageable.cause()->advice, ContainsSubstring("Copies take longer than needed"));
    CHECK(compare_calls(with_copies(300), with_copies(300)).cause() == nullptr);
}

TEST_CASE("speed by counts: allocating comes on top of what the kernels take") {
    CountedCall submission = call({plain()});
    submission.allocating_us = 102;  // as long as the kernel
    const CallComparison comparison = compare_calls(submission, call({plain()}));
    CHECK_THAT(comparison.ratio, WithinRel(0.5, 1e-9));
    REQUIRE(comparison.cause() != nullptr);
    CHECK_THAT(comparison.cause()->advice, ContainsSubstring("Allocating and freeing memory"));
}

TEST_CASE("speed by counts: the start of a copy passes beside kernels") {
    CountedCall plain_loop = call(std::vector(64, plain()));
    CountedCall with_copies = plain_loop;
    for (int i = 0; i < 64; ++i) {
        OperationRecord copy;
        copy.engine = "on_device";
        copy.end_us = 6.1;  // of a few bytes
        with_copies.operations.push_back(copy);
    }
    CHECK(compare_calls(with_copies, plain_loop).ratio > 0.6);
    // Where launches take the time, a copy after each doubles it.
    for (CountedCall* each : {&plain_loop, &with_copies}) {
        for (LaunchRecord& launch : each->launches) launch.cost_us = {.issue = 0.1, .all = 0.1};
    }
    const CallComparison small = compare_calls(with_copies, plain_loop);
    CHECK(small.ratio < 0.7);
    REQUIRE(small.cause() != nullptr);
    CHECK(small.cause()->count == "64 launches, 64 copies");
}

TEST_CASE("speed by counts: nothing launched is not fast") {
    CHECK(compare_calls({}, call({plain()})).ratio == 0);
}

TEST_CASE("speed by counts: a small copy costs little, a large one much") {
    // 12 bytes of constants: 3.5 us.
    const auto with_copy = [](double us) {
        CountedCall copies = call({plain()});
        OperationRecord copy;
        copy.engine = "copy_to_device";
        copy.end_us = us;
        copies.operations.push_back(copy);
        return copies;
    };
    CHECK(compare_calls(with_copy(3.5), call({plain()})).ratio > 0.95);
    CHECK(compare_calls(with_copy(1600), call({plain()})).ratio < 0.1);
}

TEST_CASE("speed by counts: a GPU that idles is not called short of cache") {
    LaunchRecord few = with(&LaunchRecord::Cost::l1, 1200);
    few.shared_requests = few.shared_wavefronts = 1'000'000;
    few.resident_warps = 544;
    LaunchRecord reference = plain();
    reference.shared_requests = reference.shared_wavefronts = 1'000'000;
    CHECK_THAT(cause_of(few, reference), ContainsSubstring("544 warps are there at once"));
    few.shared_wavefronts *= 20;  // that is more than too few threads
    CHECK_THAT(cause_of(few, reference), ContainsSubstring("Bank conflicts"));
}

// The counts of vector-add variants whose speed on an H200 is known.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "check/race_judges.h"

using namespace lab;

namespace {

constexpr std::uint64_t kElements = 1 << 20, kMultiprocessors = 132;

struct Variant {
    std::uint64_t blocks, threads;
    std::uint64_t elements_a_request = 32;  ///< that a warp's one access covers
    std::uint64_t sectors_a_request = 4;
};

std::vector<LaunchRecord> launch(const Variant& v) {
    LaunchRecord record;
    record.grid = {static_cast<std::uint32_t>(v.blocks), 1, 1};
    record.block = {static_cast<std::uint32_t>(v.threads), 1, 1};
    const std::uint64_t warps = (v.threads + 31) / 32;
    const std::uint64_t blocks_resident =
        std::min(v.blocks, kMultiprocessors * std::min<std::uint64_t>(32, 64 / warps));
    record.resident_warps = blocks_resident * warps;
    const std::uint64_t requests = kElements / v.elements_a_request;
    record.global_load_requests = 2 * requests;
    record.global_store_requests = requests;
    record.global_load_sectors = 2 * requests * v.sectors_a_request;
    record.global_store_sectors = requests * v.sectors_a_request;
    record.warp_instructions = 15 * requests;
    return {record};
}

/// The first count that is out of bounds; empty: the race is passed.
std::string stopped_by(const std::vector<LaunchRecord>& submission, double threshold = 0.45) {
    const auto reference = launch({kElements / 256, 256});
    for (const CountComparison& c : compare_counts(submission, reference, threshold)) {
        if (!c.ok()) return c.name;
    }
    return "";
}

}  // namespace

TEST_CASE("race on counts: what is fast enough on an H200 passes") {
    CHECK(stopped_by(launch({kElements / 256, 256})).empty());
    CHECK(stopped_by(launch({kElements / 128, 128})).empty());            // 0.74
    CHECK(stopped_by(launch({kElements / 1024, 1024})).empty());          // 0.86
    CHECK(stopped_by(launch({kElements / 1024, 256, 128, 16})).empty());  // float4: 1.28
    CHECK(stopped_by(launch({kMultiprocessors * 8, 256})).empty());  // grid-stride, GPU filled once
}

TEST_CASE("race on counts: what is too slow on an H200 fails, for its own reason") {
    CHECK(stopped_by(launch({kElements / 64, 64})) == "blocks");                        // 0.37
    CHECK(stopped_by(launch({kElements / 32, 32})) == "blocks");                        // 0.19
    CHECK(stopped_by(launch({kElements / 256 / 16, 256, 32, 32})) == "sectors moved");  // 0.27
    CHECK(stopped_by(launch({1, 1024})) == "bytes in flight");                          // 0.003
    CHECK(stopped_by(launch({1, 1, 1, 1})) == "bytes in flight");
    CHECK(stopped_by({}) == "bytes in flight");
}

TEST_CASE("race on counts: many launches are too many") {
    std::vector<LaunchRecord> many;
    for (int i = 0; i < 8; ++i) many.push_back(launch({kElements / 256, 256}).front());
    for (LaunchRecord& record : many) {
        record.grid[0] /= 8;
        record.global_load_sectors /= 8;
        record.global_store_sectors /= 8;
        record.global_load_requests /= 8;
        record.global_store_requests /= 8;
    }
    CHECK(stopped_by(many) == "launches");
}

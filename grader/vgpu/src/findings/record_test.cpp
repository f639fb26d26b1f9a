// Records of findings: what one process writes another reads, and nothing is made of bad ones.
#include "vgpu/record.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace vgpu;
using nlohmann::json;

namespace {

const Allocation kArray{0x1000, 400, "cudaMalloc #3"};

/// One of each kind of cause, with all its fields set.
std::vector<Cause> all_causes() {
    using namespace cause;
    const Group group{Group::Doing::at_barrier, 7, {{0, 2}, {5, 5}}};
    return {std::monostate(),
            Endless{50, true, {group}, kArray, FailingSwap{1, 2}, 3, 4},
            Stuck{true, Dim3{1, 2, 3}, {group}},
            StuckGrid{1, 2, 3, {group}, {group}, kArray},
            OtherBarrier{{4, 5, 6}, 8},
            Returned{{7, 8, 9}, 10},
            WrongMask{3, 0xff},
            AbsentLane{4, 5, true},
            PartialWarp{6},
            Missing{"add.cc.u32"},
            Trap{Trap::Why::wrong_parameters, 0x2000, "add(int, int)"},
            Assertion{{"a.cu", 5}, "f()", "i < n"},
            BadPointer{BadPointer::Why::host_variable, "table"},
            NotHandedOut{5, std::pair<std::uint64_t, std::uint64_t>{6, 7}},
            NotPermitted{{true, false, true}, true},
            OutsideSurface{64, 2, 1},
            StackOverflow{},
            UnfencedFlag{},
            PartlyWritten{3, 8},
            OverlappingCopy{},
            Unordered{Unordered::Between::host, true, true},
            Freed{},
            MoreLeaks{{kArray, kArray}},
            LaunchError{"cudaErrorInvalidConfiguration", "0 blocks"},
            WaitsForHost{kArray}};
}

Finding full(Cause cause) {
    Finding finding;
    finding.check = Check::race;
    finding.kernel = "add(float*)";
    finding.where = {"a.cu", 17};
    finding.block = {3, 2, 1};
    finding.thread = {31, 4, 5};
    finding.space = Space::shared;
    finding.is_write = true;
    finding.access_bytes = 16;
    finding.address = 0x1190;
    finding.nearest = Nearest{kArray, -8};
    finding.actor = Actor{"kernel f()", 2, StreamName{3, 4, true}, "main()"};
    finding.other = Other{{"b.cu", 5}, {6, 7, 8}, {9, 10, 11}, true, {"cudaFree", 0, {}, ""}};
    finding.is_out_of_scope = finding.tries_swaps = true;
    finding.occurrences = 12;
    finding.cause = std::move(cause);
    return finding;
}

}  // namespace

TEST_CASE("finding record: what is written is read again, whatever the cause") {
    const auto causes = all_causes();
    REQUIRE(causes.size() == std::variant_size_v<Cause>);
    for (std::size_t i = 0; i < causes.size(); ++i) {
        INFO(i);
        REQUIRE(causes[i].index() == i);
        const json record = record_of(full(causes[i]));
        const auto read = finding_of(json::parse(record.dump()));
        REQUIRE(read);
        CHECK(read->cause.index() == i);
        CHECK(record_of(*read) == record);
        CHECK(describe(*read) == describe(full(causes[i])));
    }
    const json bare = record_of(Finding());
    CHECK(record_of(finding_of(bare).value()) == bare);
}

TEST_CASE("finding record: nothing is made of one that lacks a field or has another type") {
    for (const Cause& cause : all_causes()) {
        const json record = record_of(full(cause));
        for (const auto& [key, value] : record.items()) {
            INFO(key);
            json changed = record;
            changed.erase(key);
            CHECK_FALSE(finding_of(changed));
            changed[key] = value.is_string() ? json(5) : json("text");
            CHECK_FALSE(finding_of(changed));
        }
        if (record["cause"].is_null()) continue;
        for (const auto& [key, value] : record["cause"].items()) {
            INFO(key);
            json changed = record;
            changed["cause"].erase(key);
            CHECK_FALSE(finding_of(changed));
        }
    }
    CHECK_FALSE(finding_of(json()));
    CHECK_FALSE(finding_of(json::array({1, 2})));
    CHECK_FALSE(finding_of(json::parse("{", nullptr, false)));
}

TEST_CASE("finding record: a number that no enumeration has is refused") {
    json record = record_of(full(cause::Trap{}));
    record["cause"]["why"] = 77;
    CHECK_FALSE(finding_of(record));
    record = record_of(full(cause::BadPointer{}));
    record["cause"]["why"] = -1;
    CHECK_FALSE(finding_of(record));
    record = record_of(full(cause::Unordered{}));
    record["cause"]["between"] = 3;
    CHECK_FALSE(finding_of(record));
}

TEST_CASE("finding record: failed calls, with a reason or with what did not fit") {
    const FailedCall reason{"cudaMalloc", "cudaErrorMemoryAllocation", "asked for 1 TiB"};
    const FailedCall overrun{"cudaMemcpy", "cudaErrorInvalidValue", "",
                             Overrun{"copying", 91, 10, kArray}};
    for (const FailedCall& call : {reason, overrun}) {
        const auto read = failed_call_of(json::parse(record_of(call).dump()));
        REQUIRE(read);
        CHECK(json(record_of(*read)) == json(record_of(call)));
    }
    CHECK(describe(overrun) ==
          "copying 91 bytes from byte 10 of cudaMalloc #3, which has 400 bytes");
    CHECK_FALSE(failed_call_of(json{{"function", "f"}}));
    CHECK_FALSE(failed_call_of(json{{"function", 1}, {"error", "e"}, {"detail", ""}}));
}

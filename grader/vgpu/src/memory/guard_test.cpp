#include "memory/guard.h"

#include <catch2/catch_test_macros.hpp>

#include "vgpu/describe.h"

using namespace vgpu;

namespace {

constexpr Address kBase = 0x2000'0000'0100;
constexpr Permissions kReads{true, false, false}, kWrites{false, true, false},
    kAtomics{false, false, true}, kNothing{false, false, false};

struct Guarded : Guard {
    Guarded() : Guard({kBase, 1000, "cudaMalloc #1"}) {}
    bool allows(std::uint64_t at, std::uint64_t bytes, Permissions needed = kReads) const {
        return !objection(kBase + at, bytes, needed);
    }
    std::string why(std::uint64_t at, std::uint64_t bytes, Permissions needed = kReads) const {
        Finding finding;
        finding.cause = objection(kBase + at, bytes, needed).value_or(std::monostate());
        return describe_cause(finding);
    }
};

}  // namespace

TEST_CASE("guard: of a pool, only what was handed out may be touched") {
    Guarded guard;
    CHECK(guard.is_idle());
    CHECK(guard.allows(0, 1000));
    REQUIRE(guard.open_pool(kBase + 100, 200));
    CHECK_FALSE(guard.is_idle());
    CHECK(guard.allows(99, 1));
    CHECK(guard.allows(300, 4));
    CHECK(guard.why(100, 4) ==
          "byte 100 belongs to no part that the program has handed out (nvtxMemRegionsRegister)");
    REQUIRE(guard.hand_out(kBase + 116, 63));
    CHECK(guard.allows(116, 63));
    CHECK(guard.why(176, 4) ==
          "byte 179 belongs to no part that the program has handed out "
          "(nvtxMemRegionsRegister); the nearest has bytes 116 to 178");
    CHECK_FALSE(guard.allows(115, 1));
    REQUIRE(guard.resize(kBase + 116, 64));
    CHECK(guard.allows(176, 4));
    REQUIRE(guard.take_back(kBase + 116));
    CHECK_FALSE(guard.allows(116, 1));
    REQUIRE(guard.close_pool(kBase + 100));
    CHECK(guard.allows(0, 1000));
    CHECK(guard.is_idle());
}

TEST_CASE("guard: an emptied pool is still one") {
    Guarded guard;
    REQUIRE(guard.open_pool(kBase, 500));
    REQUIRE(guard.open_pool(kBase + 500, 500));
    REQUIRE(guard.hand_out(kBase, 10));
    REQUIRE(guard.hand_out(kBase + 500, 10));
    REQUIRE(guard.empty_pool(kBase));
    CHECK_FALSE(guard.allows(0, 1));
    CHECK(guard.allows(500, 1));
    guard.empty_pools();
    CHECK_FALSE(guard.allows(500, 1));
}

TEST_CASE("guard: the nearest part is named, on either side") {
    Guarded guard;
    REQUIRE(guard.open_pool(kBase, 1000));
    REQUIRE(guard.hand_out(kBase, 100));
    REQUIRE(guard.hand_out(kBase + 200, 100));
    CHECK(guard.why(149, 1).ends_with("the nearest has bytes 0 to 99"));
    CHECK(guard.why(151, 1).ends_with("the nearest has bytes 200 to 299"));
}

TEST_CASE("guard: what cannot be is refused") {
    Guarded guard;
    CHECK_FALSE(guard.open_pool(kBase, 0));
    CHECK_FALSE(guard.open_pool(kBase, 1001));
    CHECK_FALSE(guard.open_pool(kBase + 1, ~std::uint64_t{0}));
    CHECK_FALSE(guard.open_pool(kBase - 1, 10));
    CHECK_FALSE(guard.open_pool(kBase + 1000, 1));
    CHECK_FALSE(guard.hand_out(kBase, 10));
    CHECK_FALSE(guard.close_pool(kBase));
    REQUIRE(guard.open_pool(kBase, 100));
    CHECK_FALSE(guard.open_pool(kBase, 10));
    CHECK_FALSE(guard.open_pool(kBase + 99, 10));
    CHECK_FALSE(guard.hand_out(kBase + 90, 11));
    CHECK_FALSE(guard.hand_out(kBase, 0));
    CHECK_FALSE(guard.hand_out(kBase + 1, ~std::uint64_t{0}));
    REQUIRE(guard.hand_out(kBase + 10, 10));
    REQUIRE(guard.hand_out(kBase + 20, 10));
    CHECK_FALSE(guard.hand_out(kBase + 5, 6));
    CHECK_FALSE(guard.hand_out(kBase + 19, 1));
    CHECK_FALSE(guard.resize(kBase + 10, 11));
    CHECK_FALSE(guard.resize(kBase + 11, 5));
    CHECK_FALSE(guard.resize(kBase + 20, 81));
    CHECK(guard.resize(kBase + 20, 80));
    CHECK_FALSE(guard.take_back(kBase + 11));
    CHECK_FALSE(guard.permit(kBase + 11, kNothing));
}

TEST_CASE("guard: permissions, of all and of a part") {
    Guarded guard;
    REQUIRE(guard.permit(kBase, kReads));
    CHECK(guard.allows(4, 4));
    CHECK(guard.why(4, 4, kWrites) ==
          "the program allows only reading there (nvtxMemPermissionsAssign)");
    CHECK_FALSE(guard.allows(4, 4, kAtomics));
    REQUIRE(guard.permit(kBase, {true, true, false}));
    CHECK(guard.allows(4, 4, kWrites));
    CHECK(guard.why(4, 4, kAtomics) ==
          "the program allows only reading and writing there, no atomic operations "
          "(nvtxMemPermissionsAssign)");
    REQUIRE(guard.permit(kBase, kNothing));
    CHECK(guard.why(4, 4) == "the program allows nothing there (nvtxMemPermissionsAssign)");
    REQUIRE(guard.open_pool(kBase + 100, 100));
    REQUIRE(guard.hand_out(kBase + 100, 10));
    REQUIRE(guard.permit(kBase + 100, kReads));
    CHECK(guard.allows(100, 10));
    CHECK_FALSE(guard.allows(0, 10));
    guard.permit_all();
    CHECK(guard.allows(0, 10, kAtomics));
    CHECK(guard.allows(100, 10, kWrites));
}

// Hazards with footprints made by hand: what conflicts, what is remembered, what is let go.
#include "runtime/hazards.h"

#include <catch2/catch_test_macros.hpp>

using namespace vgpu;

namespace {

constexpr Address kBase = kWindowBegin;

struct Desk {
    model::Timeline timeline{0};
    PageGuard pages;
    Hazards hazards{pages};

    Desk() {
        for (model::StreamId id = 1; id <= 3; ++id) {
            timeline.create(id, model::StreamKind::non_blocking);
        }
    }
    /// Puts an operation into a stream; the names of those that it conflicts with.
    std::vector<std::string> run(model::StreamId stream, const std::string& what,
                                 std::vector<Footprint> touched) {
        Operation operation;
        operation.stamp = timeline.run(stream, {});
        operation.actor = {what};
        operation.copies_to_host = what.ends_with(" to the host");
        operation.touched = std::move(touched);
        std::vector<std::string> names;
        for (const auto& conflict : hazards.check(operation, timeline)) {
            names.push_back(conflict.earlier.actor.what);
            last = conflict;
        }
        hazards.remember(operation);
        return names;
    }
    Hazards::Conflict last;
};

Footprint reads(Address begin, Address end) {
    return {kBase + begin, kBase + end, true, false};
}
Footprint writes(Address begin, Address end) {
    return {kBase + begin, kBase + end, false, true};
}

using Whats = std::vector<std::string>;

}  // namespace

TEST_CASE("hazards: a word in common, and at least one of the two writes it") {
    Desk desk;
    CHECK(desk.run(1, "a", {reads(0, 100), writes(200, 300)}) == Whats{});
    CHECK(desk.run(2, "reads the same", {reads(0, 100)}) == Whats{});
    CHECK(desk.run(2, "beside", {writes(100, 200), writes(300, 400)}) == Whats{});
    CHECK(desk.run(2, "one word", {reads(120, 130), reads(296, 300)}) == Whats{"a"});
    CHECK(desk.last.begin == kBase + 296);
    CHECK(desk.last.end == kBase + 300);
    CHECK(desk.last.earlier_writes);
    CHECK(!desk.last.later_writes);
    CHECK(desk.run(2, "overwrites", {writes(0, 4)}) == Whats{"a"});
    CHECK(desk.last.later_writes);
}

TEST_CASE("hazards: one of each pair of names, the last of each stream") {
    Desk desk;
    desk.run(1, "a", {writes(0, 100)});
    desk.run(1, "b", {reads(0, 100), writes(100, 104)});
    desk.run(3, "c", {reads(0, 100)});
    CHECK(desk.run(2, "d", {writes(0, 100)}) == Whats{"c", "b"});
    CHECK(desk.run(2, "d", {writes(0, 100)}) == Whats{});
    CHECK(desk.run(2, "e", {writes(0, 50)}) == Whats{"c", "b"});
    CHECK(desk.run(1, "e", {writes(0, 50)}) == Whats{"e"});
}

TEST_CASE("hazards: what the host has waited for is forgotten, and what touches the same again") {
    Desk desk;
    for (int i = 0; i < 100; ++i) desk.run(1, "kernel", {writes(0, 100)});
    CHECK(desk.hazards.remembered() == 1);
    desk.run(2, "other", {reads(500, 600)});
    desk.timeline.host_waits_for_stream(1);
    desk.hazards.forget_ordered(desk.timeline);
    CHECK(desk.hazards.remembered() == 1);
    CHECK(desk.run(3, "third", {writes(0, 100)}) == Whats{});
    CHECK(desk.run(3, "fourth", {writes(500, 504)}) == Whats{"other"});
}

TEST_CASE("hazards: atomics get along with atomics, not with plain accesses") {
    Desk desk;
    Footprint atomic = writes(0, 4);
    atomic.is_read = atomic.is_strong = true;
    CHECK(desk.run(1, "a", {atomic}) == Whats{});
    CHECK(desk.run(2, "b", {atomic}) == Whats{});
    CHECK(desk.run(3, "reads", {reads(0, 4)}) == Whats{"b", "a"});
    // A kernel that sets flags for the host is trusted with the host's memory.
    desk.pages.watch(kBase, desk.pages.page_bytes());
    desk.run(1, "sets a flag", {writes(4, desk.pages.page_bytes()), atomic});
    CHECK(!desk.pages.has_changes());
}

TEST_CASE("hazards: freed memory is forgotten with its users") {
    Desk desk;
    desk.run(1, "a", {writes(0, 100), writes(200, 300)});
    desk.hazards.forget_memory(kBase, kBase + 100);
    CHECK(desk.run(2, "b", {writes(0, 100)}) == Whats{});
    CHECK(desk.run(2, "c", {writes(200, 204)}) == Whats{"a"});
}

TEST_CASE("hazards: however many there are, memory is bounded") {
    Desk desk;
    for (Address i = 0; i < Hazards::kMostRemembered + 100; ++i) {
        Operation operation;
        operation.stamp = desk.timeline.run(1, {});
        operation.touched.push_back(writes(8 * i, 8 * i + 4));
        desk.hazards.remember(std::move(operation));
    }
    CHECK(desk.hazards.remembered() == Hazards::kMostRemembered);
}

TEST_CASE("hazards: operations of many parts are forgotten sooner") {
    // Every other word, as a strided kernel leaves it; each a little elsewhere.
    constexpr std::size_t kParts = 1 << 18, kFit = Hazards::kMostParts / kParts;
    Desk desk;
    for (std::size_t i = 0; i < kFit + 5; ++i) {
        std::vector<Footprint> touched;
        for (std::size_t k = 0; k < kParts; ++k)
            touched.push_back(reads(8 * (i + k), 8 * (i + k) + 4));
        Operation operation;
        operation.stamp = desk.timeline.run(1, {});
        operation.actor = {"strided"};
        operation.touched = std::move(touched);
        desk.hazards.remember(std::move(operation));
    }
    CHECK(desk.hazards.remembered() == kFit);
}

TEST_CASE("hazards: the number of reported pairs is limited, whatever names a program makes up") {
    Desk desk;
    std::size_t told = 0;
    desk.run(1, "a", {writes(0, 4)});
    for (std::size_t i = 0; i < Hazards::kMostReported + 10; ++i)
        told += desk.run(2, std::to_string(i), {writes(0, 4)}).size();
    CHECK(told == Hazards::kMostReported);
}

TEST_CASE("hazards: the host's accesses, precisely, once an operation") {
    Desk desk;
    const Address page = desk.pages.page_bytes();
    desk.pages.watch(kBase, 2 * page);
    desk.run(1, "copy out", {writes(0, page)});
    desk.run(2, "copy in", {reads(page, 2 * page)});
    CHECK(desk.pages.take_changes(10).size() == 2);
    CHECK(!desk.hazards.host_access(kBase + page, false));  // both read; the page is open now
    CHECK(desk.pages.take_changes(10).size() == 1);
    const auto found = desk.hazards.host_access(kBase + 8, false);
    REQUIRE(found);
    CHECK(found->actor.what == "copy out");
    CHECK(desk.pages.take_changes(10).size() == 1);
    CHECK(!desk.hazards.host_access(kBase + 8, false));
    desk.timeline.host_waits_for_all();
    desk.hazards.forget_ordered(desk.timeline);
    CHECK(!desk.pages.has_changes());
}

TEST_CASE("hazards: a host function opens what its stream has done") {
    Desk desk;
    const Address page = desk.pages.page_bytes();
    desk.pages.watch(kBase, 2 * page);
    desk.run(1, "a", {writes(0, page)});
    desk.run(2, "b", {writes(page, 2 * page)});
    desk.pages.take_changes(10);
    desk.timeline.run(1, {});
    desk.hazards.let_go(1, desk.timeline);
    const auto changes = desk.pages.take_changes(10);
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].begin == kBase);
    CHECK(changes[0].access == wire::PageAccess::all);
    CHECK(desk.run(3, "c", {writes(0, 4)}) == Whats{"a"});  // still no order for other streams
}

TEST_CASE("hazards: a host function may tell the host, which then copies") {
    Desk desk;
    desk.run(1, "a", {writes(0, 4)});
    desk.run(2, "b", {writes(8, 12)});
    desk.timeline.run(1, {});
    desk.hazards.let_go(1, desk.timeline);
    // Nobody has said anything of b.
    CHECK(desk.run(3, "cudaMemcpyAsync to the host", {reads(0, 12)}) == Whats{"b"});
    // What comes behind the function is not told of.
    desk.run(1, "d", {writes(16, 20)});
    CHECK(desk.run(3, "cudaMemcpy to the host", {reads(16, 20)}) == Whats{"d"});
}

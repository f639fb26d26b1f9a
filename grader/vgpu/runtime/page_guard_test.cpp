// Which pages are closed: those that an operation covers as a whole, as long as one does.
#include "runtime/page_guard.h"

#include <catch2/catch_test_macros.hpp>

using namespace vgpu;
using wire::PageAccess;

namespace {

constexpr Address kBase = kWindowBegin;

struct Change {
    std::uint64_t begin, end;  // pages
    PageAccess access;
    friend bool operator==(const Change&, const Change&) = default;
};

struct Desk : PageGuard {
    std::vector<Change> changes(std::size_t most = 100) {
        std::vector<Change> in_pages;
        for (const auto& c : take_changes(most)) {
            in_pages.push_back(
                {(c.begin - kBase) / page_bytes(), (c.end - kBase) / page_bytes(), c.access});
        }
        return in_pages;
    }
    Footprint part(double begin_pages, double end_pages, bool is_written) const {
        const auto at = [&](double pages) {
            return kBase + static_cast<Address>(pages * static_cast<double>(page_bytes()));
        };
        return {at(begin_pages), at(end_pages), !is_written, is_written};
    }
};

using Changes = std::vector<Change>;

}  // namespace

TEST_CASE("page guard: whole pages only; the last one ends with its memory") {
    Desk desk;
    desk.watch(kBase, 4 * desk.page_bytes() + 100);
    desk.add({desk.part(0.5, 2.5, true)});
    CHECK(desk.changes() == Changes{{1, 2, PageAccess::none}});
    desk.add({{kBase + 4 * desk.page_bytes(), kBase + 4 * desk.page_bytes() + 100, true, false}});
    CHECK(desk.changes() == Changes{{4, 5, PageAccess::read}});
    desk.add({{kBase + 4 * desk.page_bytes(), kBase + 4 * desk.page_bytes() + 99, false, true}});
    CHECK(desk.changes() == Changes{});
    desk.remove({desk.part(0.5, 2.5, true)});
    CHECK(desk.changes() == Changes{{1, 2, PageAccess::all}});
}

TEST_CASE("page guard: parts without a gap cover pages together") {
    Desk desk;
    desk.watch(kBase, 8 * desk.page_bytes());
    desk.add({desk.part(0, 0.5, false), desk.part(0.5, 2, true), desk.part(3, 3.5, true),
              desk.part(3.75, 4, true)});
    CHECK(desk.changes() == Changes{{1, 2, PageAccess::none}, {0, 1, PageAccess::read}});
}

TEST_CASE("page guard: closed as long as one operation needs it") {
    Desk desk;
    desk.watch(kBase, 8 * desk.page_bytes());
    const std::vector<Footprint> writer{desk.part(0, 4, true)}, reader{desk.part(2, 6, false)};
    desk.add(writer);
    desk.add(reader);
    CHECK(desk.changes() == Changes{{0, 4, PageAccess::none}, {4, 6, PageAccess::read}});
    desk.remove(writer);
    CHECK(desk.changes() == Changes{{0, 2, PageAccess::all}, {2, 4, PageAccess::read}});
    desk.add(writer);
    desk.remove(writer);
    CHECK(desk.changes() == Changes{});
    CHECK(!desk.has_changes());
    desk.remove(reader);
    CHECK(desk.changes(1) == Changes{{2, 6, PageAccess::all}});
}

TEST_CASE("page guard: a few changes at a time, and none of memory that is gone") {
    Desk desk;
    desk.watch(kBase, 8 * desk.page_bytes());
    desk.add({desk.part(0, 1, true)});
    desk.add({desk.part(2, 3, true)});
    CHECK(desk.changes(1) == Changes{{0, 1, PageAccess::none}});
    CHECK(desk.has_changes());
    CHECK(desk.changes(1) == Changes{{2, 3, PageAccess::none}});
    desk.add({desk.part(5, 6, true)});
    desk.unwatch(kBase);
    CHECK(desk.changes() == Changes{});
    desk.remove({desk.part(5, 6, true)});
    CHECK(!desk.has_changes());
}

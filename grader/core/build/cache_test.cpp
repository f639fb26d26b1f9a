#include "core/build/cache.h"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "base/files.h"

using namespace lab;

namespace {

struct TestCache {
    TemporaryFolder folder;
    Cache cache{folder.path() / "cache"};
    int made = 0;

    Cache::Entry get(const std::string& ingredients, std::size_t size_bytes = 1) {
        return cache.get(ingredients, [&](const fs::path& entry) {
            ++made;
            write_atomically(entry / "file", std::string(size_bytes, 'x'));
        });
    }
};

}  // namespace

TEST_CASE("cache: the same ingredients are made once, others anew") {
    TestCache test;
    const auto first = test.get("a");
    CHECK_FALSE(first.was_there);
    const auto again = test.get("a");
    CHECK(again.was_there);
    CHECK(again.folder == first.folder);
    CHECK(read_file(again.folder / "file") == "x");
    CHECK(test.get("b").folder != first.folder);
    CHECK(test.made == 2);
}

TEST_CASE("cache: what fails leaves nothing behind") {
    TestCache test;
    CHECK_THROWS_AS(test.cache.get("a",
                                   [](const fs::path& entry) {
                                       write_atomically(entry / "half", "x");
                                       throw std::runtime_error("no");
                                   }),
                    std::runtime_error);
    CHECK_FALSE(test.get("a").was_there);
    CHECK(fs::is_empty(test.folder.path() / "cache/making"));
}

TEST_CASE("cache: an entry that another process made meanwhile is used") {
    TestCache test;
    const auto outer = test.cache.get("a", [&](const fs::path& entry) {
        test.get("a");
        write_atomically(entry / "file", "too late");
    });
    CHECK(read_file(outer.folder / "file") == "x");
}

TEST_CASE("cache: pruning keeps what was used last") {
    TestCache test;
    for (const char* key : {"old", "middle", "new"}) test.get(key, 100);
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(test.get("old").folder, now - std::chrono::hours(2));
    fs::last_write_time(test.get("middle").folder, now - std::chrono::hours(1));
    fs::last_write_time(test.get("new").folder, now - std::chrono::hours(3));
    test.get("new");  // a hit counts as use
    test.cache.prune(200);
    test.made = 0;
    CHECK(test.get("new").was_there);
    CHECK(test.get("middle").was_there);
    CHECK_FALSE(test.get("old").was_there);
}

#include "author/promises.h"

#include <catch2/catch_test_macros.hpp>

#include "base/files.h"

using namespace lab;

TEST_CASE("author: empty bodies return whatever is zero") {
    CHECK(empty_bodies({{"f", "void f(int* x)"}, {"g", "float g(int n)"}}, "a.h") ==
          "#include \"a.h\"\nvoid f(int* x) {}\nfloat g(int n) { return {}; }\n");
}

TEST_CASE("author: a kept promise is known until what it depends on changes") {
    const TemporaryFolder folder;
    KeptPromises kept(folder.path() / "kept", "tools 1\n");
    CHECK_FALSE(kept.has("a is rejected\n1234"));
    kept.add("a is rejected\n1234");
    kept.add("b is rejected\n1234");
    CHECK(kept.has("a is rejected\n1234"));
    CHECK_FALSE(kept.has("a is rejected\n1235"));
    CHECK_FALSE(KeptPromises(folder.path() / "kept", "tools 2\n").has("a is rejected\n1234"));
    // Those that nobody asks for any more go.
    KeptPromises later(folder.path() / "kept", "tools 1\n");
    CHECK(later.has("a is rejected\n1234"));
    later.prune();
    CHECK(later.has("a is rejected\n1234"));
    CHECK_FALSE(later.has("b is rejected\n1234"));
}

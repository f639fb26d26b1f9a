// Parts of a release. Whole ones are made in grader/tests/package_test.cpp; .ci/run uses one.
#include "author/package.h"

#include <catch2/catch_test_macros.hpp>

#include "base/files.h"

using namespace lab;

TEST_CASE("package: a table loses its rows with links to files that are not there") {
    const TemporaryFolder folder;
    write_atomically(folder.path() / "docs/there.md", "");
    const std::string markdown =
        "See [this](docs/gone.md).\n"
        "| page | what |\n"
        "|---|---|\n"
        "| [there](docs/there.md#part) | stays |\n"
        "| [gone](docs/gone.md) | goes |\n"
        "| [both](docs/there.md), [gone](labs/02/README.md) | goes |\n"
        "| [web](https://example.org/x) and [here](#part) | stays |\n";
    CHECK(without_dead_rows(markdown, folder.path()) ==
          "See [this](docs/gone.md).\n"
          "| page | what |\n"
          "|---|---|\n"
          "| [there](docs/there.md#part) | stays |\n"
          "| [web](https://example.org/x) and [here](#part) | stays |\n");
}

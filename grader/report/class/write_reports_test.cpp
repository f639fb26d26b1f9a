// To look at the pages of the test's class:
//
//     LAB_WRITE_REPORT=FOLDER build/dev/bin/test-lab_report_class "reports: *"
#include "report/class/write_reports.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "report/class/test_class.h"

using namespace lab;

TEST_CASE("reports: every file of a class is written, and has no harm in it") {
    const TestClass one;
    Project project;
    project.root = LAB_TEST_ROOT;
    const TemporaryFolder temporary;
    const char* wanted = std::getenv("LAB_WRITE_REPORT");
    const fs::path folder = wanted != nullptr ? fs::path(wanted) : temporary.path();
    write_reports(project, one.grades(), folder);

    std::size_t pages = 0, texts = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        CAPTURE(entry.path());
        if (entry.path().extension() == ".md") ++texts;
        if (entry.path().extension() != ".html") continue;
        ++pages;
        CHECK(harm_in(read_file(entry.path())) == "");
    }
    CHECK(pages == 24 * 2 + 1);
    CHECK(texts == 24 * 2);
    CHECK(fs::exists(folder / "gradebook.csv"));
    CHECK(fs::exists(folder / "gradebook-narrow.csv"));
    CHECK(fs::exists(folder / "feedback/lovelace/02-vector-add.html"));
    CHECK(!fs::exists(folder / "feedback/../../etc"));
}

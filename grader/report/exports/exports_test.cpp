#include "report/exports/exports.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"
#include "base/files.h"
#include "report/class/test_class.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

std::vector<std::string> files_below(const fs::path& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files.push_back(entry.path().lexically_relative(folder).string());
    std::ranges::sort(files);
    return files;
}

std::size_t count_ending(const std::vector<std::string>& files, const std::string& end) {
    return static_cast<std::size_t>(
        std::ranges::count_if(files, [&](const std::string& file) { return file.ends_with(end); }));
}

}  // namespace

TEST_CASE("exports: every format writes its files, and only below the folder") {
    const TestClass all;
    const TemporaryFolder place;
    const fs::path folder = place.path() / "exports";
    Project project;
    project.root = LAB_TEST_ROOT;
    for (const std::string& format : export_formats())
        write_exports(all.grades(), format, folder, {.project = &project});
    const auto files = files_below(place.path());
    CHECK(
        std::ranges::all_of(files, [](const auto& file) { return file.starts_with("exports/"); }));
    // 21 grades of lab 02 and 2 of lab 05 are not open; of JUnit there is one file a student.
    CHECK(count_ending(files, "/results.json") == 2 * 23);
    CHECK(count_ending(files, "/result.json") == 23);
    CHECK(count_ending(files, "/github_output.txt") == 23);
    CHECK(count_ending(files, "/output.txt") == 23);
    CHECK(count_ending(files, "/validation_results.json") == 23);
    CHECK(count_ending(files, ".xml") == 24);
    CHECK(count_ending(files, "/moodle-02-vector-add.csv") == 1);
    CHECK(count_ending(files, "/canvas.csv") == 1);
    CHECK(std::ranges::count(files, "exports/gradescope/lovelace/02-vector-add/results.json") == 1);
}

TEST_CASE("exports: submissions without a grade are counted, never 0 points") {
    const TestClass all;
    const TemporaryFolder folder;
    CHECK(write_exports(all.grades(), "gradescope", folder.path()) ==
          std::vector<std::string>{"2 of the submissions have no grade yet and are left out of the "
                                   "export. Export again when grading has ended."});
    CHECK_FALSE(fs::exists(folder.path() / "gradescope/lamport"));
    CHECK_FALSE(fs::exists(folder.path() / "gradescope/gray"));
}

TEST_CASE("exports: a gradebook of Canvas is read from its file") {
    const TestClass all;
    const TemporaryFolder folder;
    const fs::path exported = folder.path() / "gradebook.csv";
    write_atomically(exported, "SIS User ID,Lab 2 (1)\nlovelace,\n");
    write_exports(all.grades(), "canvas", folder.path(), {.canvas_template = exported});
    CHECK(read_file(folder.path() / "canvas.csv") == "SIS User ID,Lab 2 (1)\nlovelace,10\n");
    CHECK_THROWS_MATCHES(write_exports(all.grades(), "canvas", folder.path(),
                                       {.canvas_template = folder.path() / "none.csv"}),
                         Failure,
                         Message("Cannot read " + (folder.path() / "none.csv").string() +
                                 ". Is it the gradebook that Canvas exported?"));
}

TEST_CASE("exports: an unknown format is refused with those that there are") {
    const TestClass all;
    CHECK_THROWS_MATCHES(
        write_exports(all.grades(), "gradscope", "/nowhere"), Failure,
        Message(
            "There is no export format \"gradscope\". There are: gradescope, "
            "github-classroom, canvas, moodle, junit, prairielearn, autolab, submitty, sources."));
}

#include <catch2/catch_all.hpp>

#include "base/failure.h"
#include "batch/class_json.h"
#include "batch/intake/layout.h"
#include "batch/intake/times.h"

using namespace lab;

namespace {

SourceTree tree_of(const std::vector<std::string>& paths) {
    SourceTree tree;
    for (const std::string& path : paths) {
        SourceFile file;
        file.path = path;
        tree.files.push_back(file);
    }
    return tree;
}

/// "Moodle: 1815 Ada Lovelace vector_add.cu"
std::string owner_in(const SourceTree& tree, std::size_t file) {
    const Layout layout = layout_of(tree);
    const auto owners = layout.owners(tree.files[file]);
    if (owners.empty()) return layout.name + ": nobody";
    const Owner& owner = owners[0];
    return layout.name + ": " + owner.id + "|" + owner.name + "|" + owner.attempt + "|" +
           owner.rest;
}

}  // namespace

TEST_CASE("layouts: Moodle, as folders and as beginnings of file names") {
    const SourceTree tree =
        tree_of({"Ada Lovelace_1815_assignsubmission_file_/a/vector_add.cu",
                 "Eva_Maria B_16_assignsubmission_file_vector_add.cu", "roster.csv"});
    CHECK(owner_in(tree, 0) == "Moodle: 1815|Ada Lovelace||a/vector_add.cu");
    CHECK(owner_in(tree, 1) == "Moodle: 16|Eva_Maria B||vector_add.cu");
    CHECK(owner_in(tree, 2) == "Moodle: nobody");
}

TEST_CASE("layouts: Canvas, with late marks and resubmissions") {
    const SourceTree tree =
        tree_of({"lovelaceada_LATE_1815_20260_vector_add-12.cu", "bohreva_16_20261_vector_add.cu"});
    CHECK(owner_in(tree, 0) == "Canvas: 1815|lovelaceada|000000000012|vector_add.cu");
    CHECK(owner_in(tree, 1) == "Canvas: 16|bohreva||vector_add.cu");
}

TEST_CASE("layouts: Gradescope, with groups and times") {
    SourceTree tree = tree_of({"submission_7/vector_add.cu", "submission_metadata.yml"});
    tree.files[1].content = R"(---
submission_7:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1815'
    :email: ada@example.org
  - :name: Eva B
    :sid:
    :email: eva@example.org
  :created_at: 2026-11-20 12:00:00.123456789 +01:00
  :score: 0.0
)";
    CHECK(owner_in(tree, 0) ==
          "Gradescope: 1815|Ada Lovelace|2026-11-20 12:00:00.123456789 +01:00|vector_add.cu");
    const auto owners = layout_of(tree).owners(tree.files[0]);
    REQUIRE(owners.size() == 2);
    CHECK(owners[1].id == "eva@example.org");
    CHECK(owners[1].group == owners[0].group);
    CHECK(to_text(*owners[0].time) == "2026-11-20T11:00:00Z");
    tree.files[1].content = "submission_7: [";
    CHECK_THROWS_AS(layout_of(tree), Failure);
}

TEST_CASE("layouts: GitHub Classroom") {
    const SourceTree tree = tree_of({"week-3-ada-l/labs/02-vector-add/vector_add.cu",
                                     "week-3-eva/labs/02-vector-add/vector_add.cu"});
    CHECK(owner_in(tree, 0) == "GitHub Classroom: ada-l|||labs/02-vector-add/vector_add.cu");
    CHECK(owner_in(tree, 1) == "GitHub Classroom: eva|||labs/02-vector-add/vector_add.cu");
}

TEST_CASE("layouts: one folder a student, with attempts") {
    const SourceTree tree = tree_of({"ada/attempt-2/vector_add.cu", "ada/vector_add.cu", "x.csv"});
    CHECK(owner_in(tree, 0) == "one folder a student: ada||000000000002|vector_add.cu");
    CHECK(owner_in(tree, 1) == "one folder a student: ada|||vector_add.cu");
    CHECK(owner_in(tree, 2) == "one folder a student: nobody");
}

TEST_CASE("layouts: a folder around everything in an archive is no student") {
    const auto first_after = [](const std::vector<std::string>& paths) {
        SourceTree tree = tree_of(paths);
        tree.is_archive = true;
        strip_common_folder(tree);
        return tree.files[0].path;
    };
    CHECK(first_after({"week3/ada/vector_add.cu", "week3/eva/vector_add.cu"}) ==
          "ada/vector_add.cu");
    CHECK(first_after({"week3/ada/vector_add.cu", "week3/roster.csv"}) == "ada/vector_add.cu");
    CHECK(first_after({"ada/vector_add.cu", "eva/vector_add.cu"}) == "ada/vector_add.cu");
    CHECK(first_after({"ada/labs/vector_add.cu"}) == "ada/labs/vector_add.cu");
    CHECK(first_after({"ada/vector_add.cu"}) == "ada/vector_add.cu");
}

TEST_CASE("layouts: times need an offset from UTC") {
    CHECK(to_text(*parse_date("2026-11-20T23:59:00+01:00")) == "2026-11-20T22:59:00Z");
    CHECK(to_text(*parse_date("2026-11-20 23:59 Z")) == "2026-11-20T23:59:00Z");
    CHECK(to_text(*parse_date("2026-11-20 23:59:30.5 -0700")) == "2026-11-21T06:59:30Z");
    for (const char* wrong : {"2026-11-20 23:59", "20.11.2026", "2026-02-30T00:00:00Z", ""})
        CHECK_FALSE(parse_date(wrong).has_value());
}

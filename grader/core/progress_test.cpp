#include "core/progress.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

constexpr const char* kSkeleton = "int x;\n";

/// Labs 01-one and 02-two, untouched.
struct Course {
    TemporaryFolder folder;
    Project project;

    Course() {
        project.root = folder.path();
        project.state = folder.path() / ".lab";
        for (const std::string topic : {"one", "two"}) {
            const std::string name = (topic == "one" ? "01-" : "02-") + topic;
            write_atomically(project.root / "labs" / name / "lab.toml",
                             "title = \"T\"\ntopic = \"" + topic +
                                 "\"\nminutes = 1\nneeds = []\nfirst_step = \"Begin.\"\n"
                                 "[[hint]]\ntask = 2\ntext = \"weak\"\n"
                                 "[[hint]]\ntask = 2\ntext = \"strong\"\n");
            write_atomically(
                project.root / "solutions" / name / (topic + ".cu"),
                std::string(kSkeleton) + "// BEGIN SOLUTION\nint y;\n// END SOLUTION\n");
            write_atomically(file(name), kSkeleton);
        }
    }
    Lab lab(const std::string& name) const { return read_lab(project, name); }
    fs::path file(const std::string& name) const {
        return project.root / "labs" / name / (name.substr(3) + ".cu");
    }
    void grade(const std::string& name, int earned) const {
        Grading grading;
        grading.lab = lab(name);
        grading.built = true;
        const std::string points = std::to_string(earned);
        grading.checked = read_checker_lines(
            R"({"type":"test","name":"a","task":2,"kind":"correctness","points":4,"earned":)" +
            points + R"(,"verdict":"pass","message":"","seconds":0})" + "\n{\"type\":\"end\"}\n");
        keep(project, grading);
    }
};

}  // namespace

TEST_CASE("progress: the lab last worked on is the one saved last of those that were changed") {
    const Course course;
    CHECK(last_worked_on(course.project) == "01-one");
    write_atomically(course.file("02-two"), "int mine;\n");
    write_atomically(course.file("01-one"), kSkeleton);  // saved later, but unchanged
    CHECK(last_worked_on(course.project) == "02-two");
    write_atomically(course.file("01-one"), "int mine;\n");
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(course.file("01-one"), now + std::chrono::seconds(5));
    CHECK(last_worked_on(course.project) == "01-one");
}

TEST_CASE("progress: next is the first lab without full marks") {
    const Course course;
    CHECK(next_lab(course.project) == "01-one");
    course.grade("01-one", 3);
    CHECK(next_lab(course.project) == "01-one");
    course.grade("01-one", 4);
    CHECK(next_lab(course.project) == "02-two");
    course.grade("01-one", 0);  // the best counts
    course.grade("02-two", 4);
    CHECK_FALSE(next_lab(course.project));
}

TEST_CASE("progress: hints come one by one, weakest first, then all again") {
    const Course course;
    const Lab lab = course.lab("01-one");
    CHECK(task_to_hint(course.project, lab) == 2);
    const NextHint first = next_hint(course.project, lab, 2);
    CHECK(first.texts == std::vector<std::string>{"weak"});
    CHECK(first.number == 1);
    CHECK(first.count == 2);
    CHECK(next_hint(course.project, lab, 2).texts == std::vector<std::string>{"strong"});
    const NextHint all = next_hint(course.project, lab, 2);
    CHECK(all.were_all_shown);
    CHECK(all.texts == std::vector<std::string>{"weak", "strong"});
    CHECK(next_hint(course.project, course.lab("02-two"), 2).number == 1);
    CHECK_THROWS_MATCHES(next_hint(course.project, lab, 7), Failure,
                         Message("Lab 01-one has no hints for task 7. Its tasks: 2."));
}

TEST_CASE("progress: a hints file that makes no sense starts again") {
    const Course course;
    write_atomically(course.project.state / "hints/01-one.json", "{\"2\": \"many\"");
    CHECK(next_hint(course.project, course.lab("01-one"), 2).number == 1);
}

TEST_CASE("progress: reset puts the skeleton back and keeps what was there") {
    const Course course;
    const Lab lab = course.lab("01-one");
    CHECK_FALSE(reset_lab(course.project, lab));

    for (const char* mine : {"int first;\n", "int second;\n"}) {
        write_atomically(course.file("01-one"), mine);
        CHECK_FALSE(is_untouched(course.project, lab));
        const auto backup = reset_lab(course.project, lab);
        REQUIRE(backup);
        CHECK(read_file(*backup) == mine);
        CHECK(backup->extension() == ".cu");
        CHECK(read_file(course.file("01-one")) == kSkeleton);
    }
    const auto backups = course.project.state / "backups/01-one";
    CHECK(std::distance(fs::directory_iterator(backups), {}) == 2);

    fs::remove(course.file("01-one"));
    CHECK_FALSE(reset_lab(course.project, lab));
    CHECK(is_untouched(course.project, lab));
}

TEST_CASE("progress: a reset is undone, twice exchanges, and nothing is lost") {
    const Course course;
    const Lab lab = course.lab("01-one");
    const auto now = [&] { return read_file(course.file("01-one")); };
    CHECK_THROWS_MATCHES(undo_reset(course.project, lab), Failure,
                         Message("There is nothing to undo: no reset of lab 01 has kept a version "
                                 "of labs/01-one/one.cu."));

    CHECK_FALSE(has_backup(course.project, lab));
    write_atomically(course.file("01-one"), "int first;\n");
    const auto backup = reset_lab(course.project, lab);
    CHECK(has_backup(course.project, lab));
    UndoneReset undone = undo_reset(course.project, lab);
    CHECK(undone.restored == backup);
    CHECK_FALSE(undone.kept);  // the skeleton can be had again
    CHECK(now() == "int first;\n");
    CHECK_THROWS_MATCHES(
        undo_reset(course.project, lab), Failure,
        Message("There is nothing to undo: labs/01-one/one.cu is what the last reset has kept. "
                "Older versions are in .lab/backups/01-one."));

    write_atomically(course.file("01-one"), "int second;\n");
    for (int i = 0; i < 3; ++i) {
        undone = undo_reset(course.project, lab);
        REQUIRE(undone.kept);
        CHECK(read_file(*undone.kept) == "int second;\n");
        CHECK(now() == "int first;\n");
        undone = undo_reset(course.project, lab);
        REQUIRE(undone.kept);
        CHECK(read_file(*undone.kept) == "int first;\n");
        CHECK(now() == "int second;\n");
    }
    fs::remove(course.file("01-one"));
    CHECK_FALSE(undo_reset(course.project, lab).kept);
    CHECK(now() == "int first;\n");
}

TEST_CASE("progress: a warm-up is next only to those without points") {
    const Course course;
    const fs::path toml = course.project.root / "labs/01-one/lab.toml";
    write_atomically(toml, "warm_up = true\n" + read_file(toml));
    CHECK(next_lab(course.project) == "01-one");
    course.grade("02-two", 0);
    CHECK(next_lab(course.project) == "01-one");
    course.grade("02-two", 3);
    CHECK(next_lab(course.project) == "02-two");
    course.grade("01-one", 3);  // begun is begun
    CHECK(next_lab(course.project) == "01-one");
    course.grade("01-one", 4);
    course.grade("02-two", 4);
    CHECK_FALSE(next_lab(course.project));
}

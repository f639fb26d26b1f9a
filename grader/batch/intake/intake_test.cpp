#include "batch/intake/intake.h"

#include <ctime>

#include <catch2/catch_all.hpp>

#include "base/failure.h"
#include "batch/class_json.h"
#include "batch/intake/test_support.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

Project project() {
    Project one;
    one.root = LAB_TEST_ROOT;
    return one;
}

struct Handed {
    TemporaryFolder in, store;
    IntakeRequest request;
    explicit Handed(const Files& files, std::vector<std::string> labs = {"02-vector-add"}) {
        write_files(in.path(), files);
        request.folder_or_archive = in.path();
        request.labs = std::move(labs);
        request.store = store.path();
    }
    Class take() { return take_in(project(), request); }
};

/// Of the attempts, a line each: "ada 02-vector-add: x" with the file's content, or the problem.
std::string lines_of(const Class& all) {
    std::string text;
    for (const Attempt& attempt : all.attempts)
        text += attempt.student + " " + attempt.lab + ": " +
                (attempt.problem.empty() ? read_file(attempt.file) : attempt.problem) + "\n";
    return text;
}

std::string notes_of_class(const Class& all) {
    std::string text;
    for (const std::string& note : all.notes) text += note + "\n";
    return text;
}

}  // namespace

TEST_CASE("intake: a class of one lab; what is missing or no text is a problem of its author's") {
    Handed handed({{"ada/vector_add.cu", "int a;"},
                   {"ada/notes.txt", ""},
                   {"bob/solution.cu", "int b;"},
                   {"eva/readme.txt", ""},
                   {"ida/vector_add.cu", "  \n"},
                   {"kay/vector_add.cu", std::string("M\0", 2)},
                   {"kim/vector_add.cu", "M\xFC"},
                   {"lea/vector_add.cu", std::string(2u << 20, ' ')}});
    const Class all = handed.take();
    CHECK(all.students.size() == 7);
    CHECK(all.students[0].id == "ada");
    const std::string lines = lines_of(all);
    CHECK_THAT(lines, ContainsSubstring("ada 02-vector-add: int a;") &&
                          ContainsSubstring("bob 02-vector-add: int b;") &&
                          ContainsSubstring("eva 02-vector-add: No vector_add.cu was handed in, "
                                            "but: readme.txt.") &&
                          ContainsSubstring("ida 02-vector-add: vector_add.cu is empty") &&
                          ContainsSubstring("kay 02-vector-add: vector_add.cu:1: byte 1") &&
                          ContainsSubstring("kim 02-vector-add: M\xC3\xBC") &&
                          ContainsSubstring("lea 02-vector-add: vector_add.cu is larger"));
    CHECK_THAT(notes_of_class(all),
               ContainsSubstring("bob handed in solution.cu instead") &&
                   ContainsSubstring("kim's vector_add.cu is in Windows-1252; graded after"));
    CHECK(all.attempts[0].extras == std::vector<std::string>{"notes.txt"});
    CHECK(all.attempts[0].file.filename() == "vector_add.cu");
    CHECK(all.attempts[0].from == "ada/vector_add.cu");
}

TEST_CASE("intake: several labs, attempts, and two files of one name") {
    Handed handed({{"ada/attempt-1/vector_add.cu", "one"},
                   {"ada/attempt-2/vector_add.cu", "two"},
                   {"ada/attempt-10/vector_add.cu", "ten"},
                   {"eva/labs/02-vector-add/vector_add.cu", "course's"},
                   {"eva/vector_add.cu", "other"},
                   {"eva/labs/04-julia-set/julia_set.cu", "julia"}},
                  {});
    const Class all = handed.take();
    CHECK(lines_of(all) ==
          "ada 02-vector-add: one\nada 02-vector-add: two\nada 02-vector-add: ten\n"
          "eva 02-vector-add: course's\neva 04-julia-set: julia\n");
    CHECK_THAT(notes_of_class(all), ContainsSubstring("2 files named vector_add.cu"));
}

TEST_CASE("intake: roster, rules and times") {
    Handed handed({{"lovelace/vector_add.cu", "a"},
                   {"mallory/vector_add.cu", "m"},
                   {"roster.csv", "id,name,username\n7,Ada,lovelace\n8,Eva,eva\n"},
                   {"class.toml",
                    "[due]\n02 = 2026-11-20T12:00:00Z\n[[extension]]\nstudent = "
                    "\"eva\"\nlab = \"02\"\ndue = 2026-11-21T12:00:00Z\n[[group]]\n"
                    "name = \"t\"\nstudents = [\"lovelace\", \"eva\"]\n"},
                   {"times.csv", "student,time\nlovelace,2026-11-20T13:00:00+01:00\n"}});
    const Class all = handed.take();
    REQUIRE(all.students.size() == 3);
    CHECK(all.students[0].name == "Ada");
    CHECK(all.students[1].group == "t");
    CHECK(all.attempts[0].student == "7");
    CHECK(to_text(*all.attempts[0].submitted) == "2026-11-20T12:00:00Z");
    CHECK(all.policy.extensions.contains("8"));
    CHECK_THAT(notes_of_class(all), ContainsSubstring("The roster has no \"mallory\""));
    write_files(handed.in.path(), {{"times.csv", "student,time\nlovelace,yesterday\n"}});
    CHECK_THROWS_MATCHES(handed.take(), Failure,
                         MessageMatches(ContainsSubstring("times.csv:2: \"yesterday\"")));
}

TEST_CASE("intake: ids that are no names of files, and a later intake that overwrites nothing") {
    const TemporaryFolder folder, store;
    write_archive(folder.path() / "week.zip", {{"../x/vector_add.cu", "evil"},
                                               {"a b\xC3\xBC/vector_add.cu", "one"},
                                               {"a b_/vector_add.cu", "two"}});
    IntakeRequest request;
    request.folder_or_archive = folder.path() / "week.zip";
    request.store = store.path();
    const Class first = take_in(project(), request);
    REQUIRE(first.attempts.size() == 2);
    CHECK(first.attempts[0].file != first.attempts[1].file);
    for (const Attempt& attempt : first.attempts)
        CHECK(attempt.file.string().starts_with(store.path().string()));
    write_archive(folder.path() / "week.zip", {{"a b_/vector_add.cu", "three"}, {"c/x.cu", ""}});
    take_in(project(), request);
    CHECK(read_file(first.attempts[0].file) == "two");
}

TEST_CASE("intake: nothing that is a student's") {
    Handed handed(Files{{"vector_add.cu", "x"}});
    CHECK_THROWS_MATCHES(handed.take(), Failure,
                         MessageMatches(ContainsSubstring("one folder or archive a student")));
}

TEST_CASE("intake: 300 students take well under two seconds of a core") {
    Files files;
    for (int i = 0; i < 300; ++i)
        files["student" + std::to_string(i) + "/vector_add.cu"] = std::string(5000, 'x');
    Handed handed(files);
    const std::clock_t begin = std::clock();  // of the processor: others may need it, too
    CHECK(handed.take().attempts.size() == 300);
    CHECK(std::clock() - begin < 2 * CLOCKS_PER_SEC);
}

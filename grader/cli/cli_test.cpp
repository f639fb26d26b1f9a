// Tests the commands as a student meets them: the real program in its own small course.
// grader/tests covers grading.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "base/files.h"
#include "base/process.h"

using namespace lab;

namespace {

constexpr const char* kSkeleton = "// TODO(1/1): Add.\nint x;\n";

struct Course {
    TemporaryFolder folder;
    fs::path root = fs::canonical(folder.path());

    Course() {
        fs::create_directories(root / "grader");
        write_atomically(root / "build/CMakeCache.txt",
                         "CMAKE_HOME_DIRECTORY:INTERNAL=" + root.string() + "\n");
        add("01-first", "First", "");
        add("02-second-lab", "Second", "\"01-first\"");
    }
    void add(const std::string& name, const std::string& title, const std::string& needs) const {
        std::string topic = name.substr(3);
        for (char& c : topic) c = c == '-' ? '_' : c;
        write_atomically(root / "labs" / name / "lab.toml",
                         "title = \"" + title + "\"\ntopic = \"" + topic +
                             "\"\nminutes = 40\nneeds = [" + needs +
                             "]\nfirst_step = \"Open it.\"\n[[hint]]\ntask = 1\ntext = \"weak\"\n"
                             "[[hint]]\ntask = 1\ntext = \"strong\"\n");
        write_atomically(root / "labs" / name / (topic + ".cu"), kSkeleton);
        write_atomically(root / "solutions" / name / (topic + ".cu"),
                         std::string(kSkeleton) + "// BEGIN SOLUTION\nint y;\n// END SOLUTION\n");
    }
    /// A record of an earlier grading.
    void points(const std::string& name, int points, int max_points) const {
        write_atomically(root / ".lab/standing" / (name + ".json"),
                         nlohmann::json{{"schema", 2},
                                        {"lab", name},
                                        {"best_points", points},
                                        {"points", points},
                                        {"max_points", max_points},
                                        {"time", "2026-01-31T12:00:00Z"},
                                        {"device", "vgpu"}}
                             .dump());
    }
    Finished lab(std::vector<std::string> arguments) const {
        Command command;
        command.argv = std::move(arguments);
        command.argv.insert(command.argv.begin(), LAB_TEST_BINARY);
        command.environment = {"LAB_ROOT=" + root.string(),
                               "LAB_BUILD=" + (root / "build").string(),
                               "LAB_STATE=" + (root / ".lab").string()};
        command.working_folder = root;
        return run(command);
    }
    void check(const std::vector<std::string>& arguments, int exit_code, const std::string& out,
               const std::string& err = "") const {
        const Finished finished = lab(arguments);
        CHECK(finished.out == out);
        CHECK(finished.err == err);
        CHECK(finished.exit_code == exit_code);
    }
};

}  // namespace

TEST_CASE("cli: list, next and show of a course that nobody has begun") {
    const Course course;
    course.check(
        {"list"}, 0,
        "lab            title   minutes  points\n"
        "01-first       First        40       -\n"
        "02-second-lab  Second       40       -\n"
        "\nYour best points so far. ./lab show LAB says more, ./lab next what comes next.\n");
    course.check({"next"}, 0,
                 "Lab 01: First, about 40 minutes\n\nOpen it.\nThen:  ./lab grade 01\n");
    course.check({"show", "second"}, 0,
                 "Lab 02: Second, about 40 minutes\n\n"
                 "  handout   labs/02-second-lab/README.md\n"
                 "  contract  labs/02-second-lab/second_lab.h\n"
                 "  you edit  labs/02-second-lab/second_lab.cu\n"
                 "  before    01-first\n\nOpen it.\n\n"
                 "  ./lab grade 02    ./lab hint 02    ./lab reset 02\n");
}

TEST_CASE("cli: one broken lab does not hide the others") {
    const Course course;
    write_atomically(course.root / "labs/01-first/lab.toml", "title = \"First\"\n");
    course.check(
        {"list"}, 5,
        "lab            title   minutes  points\n"
        "01-first       labs/01-first/lab.toml:1:1: \"topic\" is missing. Write, for "
        "example: topic = \"vector_add\"\n"
        "02-second-lab  Second       40       -\n"
        "\nYour best points so far. ./lab show LAB says more, ./lab next what comes next.\n");
    CHECK(course.lab({"show", "02"}).exit_code == 0);
}

TEST_CASE("cli: hints one at a time, then all again") {
    const Course course;
    course.check({"hint", "1"}, 0,
                 "Lab 01, task 1: hint 1 of 2\n\nweak\n\nNext hint:  ./lab hint 01 --task 1\n");
    course.check({"hint", "1", "1"}, 0, "Lab 01, task 1: hint 2 of 2\n\nstrong\n");
    course.check({"hint", "1"}, 0,
                 "Lab 01, task 1: you have seen all hints. The 2 again:\n\nweak\n\nstrong\n");
    course.check({"hint", "1", "--task", "1"}, 0,
                 "Lab 01, task 1: you have seen all hints. The 2 again:\n\nweak\n\nstrong\n");
    course.check({"hint", "1", "5"}, 2, "",
                 "Lab 01-first has no hints for task 5. Its tasks: 1.\n");
}

TEST_CASE("cli: reset says where the old file is") {
    const Course course;
    const fs::path file = course.root / "labs/01-first/first.cu";
    course.check({"reset", "1"}, 0,
                 "labs/01-first/first.cu is as it was handed out; there was nothing to keep.\n");
    write_atomically(file, "int mine;\n");
    const Finished reset = course.lab({"reset", "1", "--json"});
    const auto line = nlohmann::json::parse(reset.out);
    CHECK(read_file(line.at("backup").get<std::string>()) == "int mine;\n");
    CHECK(read_file(file) == kSkeleton);
}

TEST_CASE("cli: reset --undo brings the file back, and says so when there is nothing") {
    const Course course;
    const fs::path file = course.root / "labs/01-first/first.cu";
    course.check({"reset", "1", "--undo"}, 2, "",
                 "There is nothing to undo: no reset of lab 01 has kept a version of "
                 "labs/01-first/first.cu.\n");
    write_atomically(file, "int mine;\n");
    const std::string reset = course.lab({"reset", "1"}).out;
    CHECK(reset.ends_with(" To have it back:\n    ./lab reset 01 --undo\n"));
    course.check({"reset", "1", "--undo"}, 0,
                 "labs/01-first/first.cu is your version from before the reset again.\n");
    CHECK(read_file(file) == "int mine;\n");
    write_atomically(file, "int later;\n");
    const Finished undone = course.lab({"reset", "1", "--undo", "--json"});
    const auto line = nlohmann::json::parse(undone.out);
    CHECK(line.at("type") == "reset_undone");
    CHECK(read_file(line.at("backup").get<std::string>()) == "int later;\n");
    CHECK(read_file(line.at("restored").get<std::string>()) == "int mine;\n");
    CHECK(read_file(file) == "int mine;\n");
}

TEST_CASE("cli: without a command, where I am and the one next thing to do") {
    const Course course;
    course.check({}, 0,
                 "CUDA Labs: 0 of 2 labs done, 0 points\n\n"
                 "  01 02\n  .. ..\n\n"
                 "Lab 01  First, about 40 minutes\nOpen it.\n\n"
                 "Next:  ./lab watch 01\n\n"
                 "Stuck: ./lab hint 01   All labs: ./lab list   Help: ./lab --help\n");
    course.points("01-first", 4, 4);
    write_atomically(course.root / "labs/01-first/first.cu", "int done;\n");
    CHECK(course.lab({}).out.find("Next:  ./lab watch 02\n"
                                  "       ./lab review 01   lab 01's reference beside yours\n\n") !=
          std::string::npos);
    course.points("02-second-lab", 1, 4);
    write_atomically(course.root / "labs/02-second-lab/second_lab.cu", "int mine;\n");
    course.check({}, 0,
                 "CUDA Labs: 1 of 2 labs done, 5 points\n\n"
                 "  01 02\n  ## #.\n\n"
                 "Lab 02  Second, 1 of 4 points so far, about 40 minutes\n"
                 "You have begun labs/02-second-lab/second_lab.cu. The handout is\n"
                 "labs/02-second-lab/README.md.\n\n"
                 "Next:  ./lab watch 02\n\n"
                 "Stuck: ./lab hint 02   All labs: ./lab list   Help: ./lab --help\n");
    course.points("02-second-lab", 4, 4);
    course.check({}, 0,
                 "CUDA Labs: 2 of 2 labs done, 8 points\n\n"
                 "  01 02\n  ## ##\n\n"
                 "You have full marks in every lab.\n\nNext:  ./lab list\n");
}

TEST_CASE("cli: without a command, a newcomer gets the warm-up as it is handed out") {
    const Course course;
    course.add("00-hello", "Hello", "");
    const fs::path toml = course.root / "labs/00-hello/lab.toml";
    write_atomically(toml, "warm_up = true\n" + read_file(toml));
    CHECK(course.lab({}).out.find("\nNext:  ./lab grade 00\n") != std::string::npos);
    course.points("01-first", 1, 4);  // who has points does not need it
    CHECK(course.lab({}).out.find("\nNext:  ./lab watch 01\n") != std::string::npos);
}

TEST_CASE("cli: a lab that begins with a whole program is graded first, with points or without") {
    const Course course;
    const fs::path toml = course.root / "labs/01-first/lab.toml";
    write_atomically(toml, "whole = true\n" + read_file(toml));
    CHECK(course.lab({}).out.find("\nNext:  ./lab grade 01\n") != std::string::npos);
    course.points("02-second-lab", 1, 4);
    CHECK(course.lab({}).out.find("\nNext:  ./lab grade 01\n") != std::string::npos);
}

TEST_CASE("cli: progress outlives the build folder, and a newer record is refused politely") {
    const Course course;
    course.points("01-first", 4, 4);
    fs::remove_all(course.root / "build");
    write_atomically(course.root / "build/CMakeCache.txt",
                     "CMAKE_HOME_DIRECTORY:INTERNAL=" + course.root.string() + "\n");
    CHECK(course.lab({}).out.starts_with("CUDA Labs: 1 of 2 labs done, 4 points\n"));
    const std::string file = (course.root / ".lab/standing/01-first.json").string();
    write_atomically(file, "{\"schema\":3}\n");
    const std::string message =
        "A newer CUDA Labs wrote your points in " + file +
        " (form 3, and this one knows 2). They stay as they are.\nUpdate this checkout, or start a "
        "record of its own with LAB_STATE=FOLDER.\n";
    course.check({}, 2, "", message);
    course.check({"next"}, 2, "", message);
    CHECK(read_file(file) == "{\"schema\":3}\n");
}

TEST_CASE("cli: dev skeleton compares, and writes") {
    const Course course;
    course.check({"dev", "skeleton"}, 0,
                 "labs/01-first/first.cu: same\nlabs/02-second-lab/second_lab.cu: same\n");
    write_atomically(course.root / "labs/01-first/first.cu", "// TODO(1/1): Add.\nint z;\n");
    course.check({"dev", "skeleton", "--check", "1"}, 1,
                 "labs/01-first/first.cu:2: differs from what solutions/01-first/first.cu cuts to\n"
                 "    expected  int x;\n    got       int z;\n"
                 "  If the solution is right:  ./lab dev skeleton --write 01\n");
    write_atomically(course.root / "labs/02-second-lab/second_lab.cu",
                     "// TODO(1/1): Add.\nint x;");
    course.check({"dev", "skeleton", "2"}, 1,
                 "labs/02-second-lab/second_lab.cu:2: differs from what "
                 "solutions/02-second-lab/second_lab.cu cuts to\n"
                 "    expected  int x;\n    got       int x;   (without a newline)\n"
                 "  If the solution is right:  ./lab dev skeleton --write 02\n");
    course.check({"dev", "skeleton", "--write", "1"}, 0, "labs/01-first/first.cu: written\n");
    course.check({"dev", "skeleton", "1"}, 0, "labs/01-first/first.cu: same\n");
}

TEST_CASE("cli: commands and options that do not exist") {
    const Course course;
    course.check(
        {"grad", "02"}, 2, "",
        "Unknown command \"grad\". Did you mean \"grade\"?\nThe commands: list, show, next, "
        "grade, watch, picture, bench, hint, reset, step, profile, review, verify, doctor, vgpu, "
        "nvcc, book, batch, "
        "chunk, mark, report, dev, completion, test. Each has --help.\n");
    course.check(
        {"dev", "chek"}, 2, "",
        "Unknown command \"dev chek\". Did you mean \"check\"?\nThe commands: new, skeleton, "
        "check, mistake, mutate, calibrate, bench, bench-vgpu, compare-vgpu, compare-model, "
        "compare-races, package. Each has --help.\n");
    course.check({"grade", "02", "--sed", "3"}, 2, "",
                 "There is no option --sed. Did you mean \"--seed\"?\nSee ./lab grade --help.\n");
    course.check({"dev", "check", "--sed"}, 2, "",
                 "There is no option --sed.\nSee ./lab dev check --help.\n");
    course.check({"list", "all"}, 2, "", "Too many arguments: all.\nSee ./lab list --help.\n");
    course.check(
        {"grade", "02", "--device", "tpu"}, 2, "",
        "There is no device \"tpu\". Did you mean \"gpu\"? The devices: auto, gpu, vgpu.\n");
}

TEST_CASE("cli: failures are one line with --json, and words on stderr all the same") {
    const Course course;
    course.check({"grade", "7", "--json"}, 2,
                 "{\"type\":\"error\",\"schema\":1,\"exit_code\":2,\"reason\":\"\",\"message\":"
                 "\"There is no lab \\\"7\\\".\\nThe labs: 01-first, 02-second-lab\"}\n",
                 "There is no lab \"7\".\nThe labs: 01-first, 02-second-lab\n");
}

TEST_CASE("cli: help names every command that exists, and no other") {
    const Course course;
    const std::string help = course.lab({"--help"}).out;
    for (const char* command :
         {"list",  "show",  "next",    "grade",  "watch",  "picture", "bench",      "hint",
          "reset", "step",  "profile", "review", "verify", "doctor",  "vgpu",       "nvcc",
          "book",  "batch", "chunk",   "mark",   "report", "dev",     "completion", "test"})
        CHECK(std::regex_search(help, std::regex("\\b" + std::string(command) + "\\b")));
    // On one screen.
    CHECK(std::ranges::count(help, '\n') <= 24);
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
    CHECK(course.lab({"grade", "--help"}).exit_code == 0);
}

// Tests the commands as a student meets them: the real program in its own small course.
// grader/tests covers grading.

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

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
        "grade, picture, bench, hint, reset, verify, doctor, vgpu, nvcc, book, batch, chunk, "
        "mark, report, dev, test. Each has --help.\n");
    course.check({"watch"}, 2, "", "\"watch\" is planned, and not there yet.\n");
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
    for (const char* command : {"list", "show", "next", "grade", "picture", "bench", "hint",
                                "reset", "doctor", "batch", "report", "dev"})
        CHECK(help.find(std::string("  ") + command + " ") != std::string::npos);
    for (const char* planned : {"watch"})
        CHECK(help.find(std::string("  ") + planned + " ") == std::string::npos);
    CHECK(course.lab({}).out == help);
    CHECK(course.lab({}).exit_code == 0);
    CHECK(course.lab({"grade", "--help"}).exit_code == 0);
}

// Tests `lab dev new` in a scratch copy of the course: the new lab keeps its promises before anyone
// has changed a line, and its picture and its benchmark are drawn.

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "grading.h"

using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

class ScratchCourse {
public:
    ScratchCourse() : root_(fs::temp_directory_path() / ("lab-new-" + std::to_string(getpid()))) {
        const fs::path from = LAB_TEST_ROOT;
        fs::create_directories(root_ / "labs");
        fs::copy(from / "grader", root_ / "grader", fs::copy_options::recursive);
        fs::copy(from / "labs/01-thread-indexing", root_ / "labs/01-thread-indexing",
                 fs::copy_options::recursive);
        fs::copy_file(from / "grader/tests/new_lab/CMakeLists.txt", root_ / "CMakeLists.txt");
        fs::copy_file(from / ".clang-format", root_ / ".clang-format");
    }
    ~ScratchCourse() {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }
    ScratchCourse(const ScratchCourse&) = delete;
    ScratchCourse& operator=(const ScratchCourse&) = delete;

    /// Runs a shell command in the course; said() has its output.
    int run(const std::string& command) {
        const fs::path printed = root_ / "printed";
        const std::string whole = "cd '" + root_.string() + "' && export LAB_ROOT='" +
                                  root_.string() + "' LAB_BUILD='" +
                                  (root_ / "build/dev").string() + "' && (" + command + ") >'" +
                                  printed.string() + "' 2>&1 </dev/null";
        const int status = std::system(whole.c_str());
        std::ostringstream text;
        text << std::ifstream(printed).rdbuf();
        said_ = text.str();
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    int lab(const std::string& arguments) {
        return run(std::string("'") + LAB_TEST_BINARY + "' " + arguments);
    }
    const std::string& said() const { return said_; }
    bool has(const std::string& file) const { return fs::exists(root_ / file); }

private:
    fs::path root_;
    std::string said_;
};

}  // namespace

TEST_CASE("new lab: the template keeps its promises as it is") {
    ScratchCourse course;
    const int configured = course.run(LAB_TEST_CONFIGURE " -S . -B build/dev");
    INFO(course.said());
    REQUIRE(configured == 0);

    const int made = course.lab("dev new 77-scratch-topic 'Scratch topic'");
    INFO(course.said());
    REQUIRE(made == 0);
    CHECK_THAT(course.said(), ContainsSubstring("add_lab(77-scratch-topic)"));
    CHECK(course.lab("dev new 77-other 'Other'") == 2);
    CHECK_THAT(course.said(), ContainsSubstring("There is a lab 77 already: 77-scratch-topic."));

    // A student's own attempts may lie in the lab's folder, but are not part of the checker.
    CHECK(course.run("echo '#error not for the checker' >labs/77-scratch-topic/attempt.cpp") == 0);
    CHECK(course.lab("dev check 77 --device vgpu") == 0);
    CHECK_THAT(course.said(), ContainsSubstring(" promises kept, 0 broken"));
    INFO(course.said());
    CHECK_THAT(course.said(), ContainsSubstring("no-tail-guard.cu is rejected as it says"));
    CHECK(course.lab("dev check 77 --device vgpu --times 2 --only no-tail-guard") == 0);
    CHECK_THAT(course.said(), ContainsSubstring("is rejected as it says 2 of 2 times") &&
                                  ContainsSubstring("1 promises kept, 0 broken"));
    CHECK(course.lab("dev check 77 --device vgpu --all --json --only full >races.jsonl") == 0);
    CHECK(course.lab("dev compare-races races.jsonl races.jsonl") == 0);
    CHECK_THAT(course.said(), ContainsSubstring("scratch_topic.cu") &&
                                  ContainsSubstring("1.000      1.000") &&
                                  ContainsSubstring(" 0 with another verdict"));
    CHECK(course.lab("dev check 77 --device vgpu --only nonsense") == 2);
    CHECK_THAT(course.said(), ContainsSubstring("No promise has \"nonsense\" in its words."));
    // What is broken is also named below the count, where one looks after half an hour.
    CHECK(course.run("cd solutions/77-scratch-topic && mkdir -p also-right && "
                     "cp wrong/no-tail-guard.cu also-right/unguarded.cu") == 0);
    CHECK(course.lab("dev check 77 --device vgpu --only unguarded") == 1);
    CHECK_THAT(course.said(),
               ContainsSubstring("1 broken, on ") &&
                   ContainsSubstring(
                       "\n  77-scratch-topic: solutions/77-scratch-topic/also-right/unguarded.cu"));
    CHECK(course.run("rm solutions/77-scratch-topic/also-right/unguarded.cu") == 0);

    const std::string solution = " --file solutions/77-scratch-topic/scratch_topic.cu";
    const std::string recorded = "data/measurements/virtual-gpu/77-scratch-topic.csv";
    // Hides gnuplot: the numbers are still kept.
    course.run(
        "mkdir none && printf '#!/bin/sh\nexit 127\n' >none/gnuplot && chmod +x none/gnuplot");
    CHECK(course.run("PATH=$PWD/none:$PATH '" LAB_TEST_BINARY "' bench 77 --device vgpu --record" +
                     solution) == 0);
    CHECK_THAT(course.said(), ContainsSubstring("Bandwidth against the number of elements."));
    CHECK_THAT(course.said(), ContainsSubstring("because gnuplot is not installed"));
    CHECK(course.has(recorded));

    if (std::system("gnuplot --version >/dev/null 2>&1") != 0) return;
    CHECK(course.lab("picture 77 --device vgpu" + solution) == 0);
    CHECK(course.has("build/pictures/77-scratch-topic/elements.png"));
    CHECK(course.lab("bench 77 --device vgpu --record" + solution) == 0);
    CHECK_THAT(course.said(), ContainsSubstring("bandwidth: gb_per_s, modelled for NVIDIA H200"));
    CHECK(course.has("build/bench/77-scratch-topic/bandwidth.svg"));
    CHECK(course.run("head -n 3 " + recorded) == 0);
    CHECK_THAT(course.said(),
               ContainsSubstring("# modelled for NVIDIA H200\n"
                                 "lab,version,n,time_ms,rate,unit,limit,ratio,rounds,commit,date\n"
                                 "77-scratch-topic/bandwidth,student,4096,") &&
                   ContainsSubstring(",gb_per_s,") && ContainsSubstring(",unknown,20"));
}

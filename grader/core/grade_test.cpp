// Tests core's answer to every end of a checker, with a script in its place.

#include "core/grade.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;
using Catch::Matchers::MessageMatches;

namespace {

struct Fake {
    TemporaryFolder folder;
    Project project;
    Grading about;
    Runners runners{"/r/submission", "/r/reference", "/r/baseline", "/cache/vector_add.cu"};

    Fake() {
        project.build = folder.path();
        about.lab.name = "02-vector-add";
        about.submission.shown = "my add.cu";
        about.seed = "42";
    }
    Checked run(const std::string& script) const {
        const fs::path grader = project.binary("grader-02-vector-add");
        write_atomically(grader, "#!/bin/sh\n" + script);
        fs::permissions(grader, fs::perms::owner_all);
        return run_checker(project, about, runners);
    }
};

constexpr const char* kEnd = R"(echo '{"type":"end","reason":"","message":""}' >&3
)";

}  // namespace

TEST_CASE("grade: the checker gets all it needs") {
    Fake fake;
    fake.about.only_tests = "every element";
    fake.about.speed_tests = {"the first race", "the second"};
    const std::string arguments = (fake.folder.path() / "arguments").string();
    fake.run("for a; do echo \"$a\"; done >" + arguments + "\n" + kEnd);
    CHECK(read_file(arguments) ==
          "--submission\n/r/submission\n--reference\n/r/reference\n"
          "--device\nvgpu\n--seed\n42\n--results\n3\n--total-limit-s\n60\n--call-limit-s\n10\n"
          "--source\nmy add.cu=/cache/vector_add.cu\n--baseline\n/r/baseline\n--vgpu-device\n" +
              (fake.project.build / "bin/vgpu-device").string() +
              "\n--vgpu-warp-instructions\n200000000\n--test\nevery element\n"
              "--no-races\n--but-race\nthe first race\n--but-race\nthe second\n");
}

TEST_CASE("grade: without a baseline none is named") {
    Fake fake;
    fake.runners.baseline.clear();
    const std::string arguments = (fake.folder.path() / "arguments").string();
    fake.run("for a; do echo \"$a\"; done >" + arguments + "\n" + kEnd);
    CHECK_THAT(read_file(arguments), !ContainsSubstring("baseline"));
}

TEST_CASE("grade: what the checker prints does not count, what it writes to its descriptor does") {
    const Checked checked = Fake().run(std::string("echo '{\"type\":\"test\"}'\n") + kEnd);
    CHECK(checked.tests.empty());
    CHECK(checked.lines.size() == 1);
}

TEST_CASE("grade: a checker that dies is our fault, in its own words") {
    const auto check = [](const std::string& script, const std::string& words) {
        INFO(script);
        CHECK_THROWS_MATCHES(
            Fake().run(script), Failure,
            MessageMatches(ContainsSubstring(words) &&
                           ContainsSubstring("This is a fault of the grader, not of your file.")));
    };
    check("echo it broke >&2; exit 3", "ended with code 3 and said:\nit broke");
    check("echo nonsense >&3", "The checker wrote a result that cannot be read");
    check("exit 0", "The checker stopped before it had graded everything.");
}

TEST_CASE("grade: a checker that is ended from outside is nobody's fault, whatever it wrote") {
    const auto check = [](const std::string& signal, const std::string& words) {
        for (const std::string& before : {std::string(), std::string(kEnd)}) {
            INFO(signal << " after \"" << before << "\"");
            CHECK_THROWS_MATCHES(
                Fake().run(before + "kill -" + signal + " $$\n"), Interrupted,
                Message("The checker was ended from outside (signal " + words +
                        "): by an operator, or because the machine ran out of memory."));
        }
    };
    check("KILL", "9, Killed");
    check("TERM", "15, Terminated");
    check("INT", "2, Interrupt");
    check("HUP", "1, Hangup");
}

TEST_CASE("grade: what is reported as ended from outside, and a crash, are to be tried again") {
    CHECK_THROWS_MATCHES(
        Fake().run("echo '{\"type\":\"end\",\"reason\":\"infra\",\"message\":\"It was.\"}' >&3\n"),
        Interrupted, Message("It was."));
    CHECK_THROWS_MATCHES(
        Fake().run("kill -SEGV $$"), Interrupted,
        MessageMatches(ContainsSubstring("This is a fault of the grader, not of your file.") &&
                       ContainsSubstring("ended with code 139 and said nothing.")));
}

TEST_CASE("grade: a checker that fails after its results has not graded") {
    CHECK_THROWS_MATCHES(Fake().run(std::string(kEnd) + "exit 5\n"), Failure,
                         MessageMatches(ContainsSubstring("The checker failed.") &&
                                        ContainsSubstring("ended with code 5 and said nothing.")));
}

TEST_CASE("grade: a checker that hangs is stopped from outside") {
    Fake fake;
    // Ten times that and the grace for the checker's own limit: 10 s.
    fake.about.lab.limits.total_s = -59;
    CHECK_THROWS_MATCHES(
        fake.run("sleep 100"), Failure,
        MessageMatches(ContainsSubstring("The checker did not keep its own limit of -59 s.")));
}

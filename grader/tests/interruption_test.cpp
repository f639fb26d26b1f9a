// Tests that an interrupted grading prints nothing that looks like a verdict.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

namespace {

void require_interrupted(const Grading& grading, int signal, const std::string& note) {
    INFO(grading.text);
    CHECK(grading.exit_code == 128 + signal);
    CHECK_THAT(grading.text, ContainsSubstring("interrupted: " + note + "\n"));
    CHECK(grading.line("error").value("exit_code", 0) == 128 + signal);
    CHECK(grading.tests().empty());
    CHECK(grading.line("total").is_null());
}

std::string stopped_after(double seconds, int signal) {
    return "timeout --preserve-status -s " + std::to_string(signal) + " " + std::to_string(seconds);
}

}  // namespace

TEST_CASE("interruption: in a call that hangs, or before it, there is no total") {
    const std::string file = LAB_TEST_ROOT "/solutions/09-streams/wrong/hangs.cu";
    // nvcc takes a second or two, and the call ten.
    const double seconds = GENERATE(0.5, 6.0);
    require_interrupted(run_lab({"grade", "09", "--file", file, "--device", "vgpu", "--json"}, {},
                                stopped_after(seconds, SIGTERM)),
                        SIGTERM, "nothing was graded");
}

TEST_CASE("interruption: while it waits for what another builds, by each signal") {
    const int lock = open(LAB_TEST_BUILD "/lab.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    REQUIRE(lock >= 0);
    REQUIRE(flock(lock, LOCK_EX) == 0);
    const std::string file = LAB_TEST_ROOT "/solutions/02-vector-add/vector_add.cu";
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        require_interrupted(run_lab({"grade", "02", "--file", file, "--device", "vgpu", "--json"},
                                    {}, stopped_after(1, signal)),
                            signal, "nothing was graded");
    }
    require_interrupted(
        run_lab({"bench", "02", "--file", file, "--device", "vgpu", "--json", "--format", "text"},
                {}, stopped_after(1, SIGTERM)),
        SIGTERM, "nothing was measured");
    close(lock);
}

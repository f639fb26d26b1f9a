// End to end: LAB_SANDBOX=off grades the user's own code as a plain child process, says so
// everywhere, and a submission cannot ask for it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "tests/hostile.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
namespace fs = std::filesystem;

namespace {

constexpr const char* kOff = "env LAB_SANDBOX=off";

fs::path written(const std::string& name, const std::string& source) {
    const fs::path file = scratch_folder() / name;
    std::ofstream(file, std::ios::binary) << source;
    return file;
}

Grading graded_without(const fs::path& file, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"grade",       "02",       "--file",
                                          file.string(), "--device", "vgpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_lab(arguments, {}, kOff);
}

}  // namespace

TEST_CASE("no sandbox: full marks, marked in the result, on the screen and by doctor") {
    const fs::path file =
        written("own.cu", repository_file("solutions/02-vector-add/vector_add.cu"));
    const fs::path evidence = scratch_folder() / "own-evidence";
    const Grading grading = graded_without(file, {"--json", "--evidence", evidence.string()});
    INFO(grading.text);
    CHECK(grading.exit_code == 0);
    CHECK(grading.line("start").at("isolation") == "none");
    CHECK(grading.line("start").at("isolation_note") ==
          "LAB_SANDBOX=off is set, which is for your own code only");

    // The same text again: its object is there, so this is quick.
    const Grading shown = graded_without(file, {});
    CHECK_THAT(shown.text, ContainsSubstring("virtual GPU, without a sandbox\n"));
    CHECK_THAT(shown.text, ContainsSubstring("Graded without a sandbox: LAB_SANDBOX=off is set"));

    const Grading doctor = run_lab({"doctor"}, {}, kOff);
    CHECK_THAT(doctor.text, ContainsSubstring("note  sandbox        none: submissions are graded "
                                              "without a sandbox\n"));

    const Grading replayed = run_lab({"verify", evidence.string()});  // in a sandbox
    CHECK_THAT(replayed.text, ContainsSubstring("the replay is the same"));
    CHECK(replayed.exit_code == 0);
    const Grading also_without = run_lab({"verify", evidence.string()}, {}, kOff);
    CHECK_THAT(also_without.text, ContainsSubstring("the replay is the same"));
}

TEST_CASE("no sandbox: limits still end a call that never returns, and what it started") {
    const fs::path pid_file = scratch_folder() / "started";
    const fs::path file = written(
        "endless.cu",
        with_host("    if (fork() == 0) {\n        setsid();\n        FILE* out = fopen(\"" +
                      pid_file.string() +
                      "\", \"w\");\n"
                      "        fprintf(out, \"%d\", (int)getpid());\n        fclose(out);\n"
                      "        for (;;) pause();\n    }\n"
                      "    for (volatile int i = 0;; i = i + 1) {}",
                  "#include <unistd.h>"));
    const Grading grading = graded_without(file, {"--json", "--test", "there and back"});
    INFO(grading.text);
    CHECK(grading.exit_code == 1);
    CHECK_THAT(said_of_host(grading), ContainsSubstring("did not finish within 10 s"));
    int pid = 0;
    std::ifstream(pid_file) >> pid;
    REQUIRE(pid > 0);
    CHECK_FALSE(fs::exists("/proc/" + std::to_string(pid)));
}

TEST_CASE("no sandbox: results that were made in a sandbox are not replayed without one") {
    const fs::path evidence = scratch_folder() / "others-evidence";
    const Grading graded = grade(std::string(kHonestLauncher) + kHonestHost,
                                 {"02", {"--evidence", evidence.string()}});
    REQUIRE(graded.line("start").at("isolation") != "none");
    const Grading replayed = run_lab({"verify", evidence.string()}, {}, kOff);
    CHECK(replayed.exit_code == 2);
    CHECK_THAT(
        replayed.text,
        ContainsSubstring("was graded in a sandbox, and LAB_SANDBOX=off is for your own code "
                          "only.\nReplay it in one, too: unset LAB_SANDBOX\n"));
}

TEST_CASE("no sandbox: another value than off is wrong usage") {
    const fs::path file = written("own.cu", std::string(kHonestLauncher) + kHonestHost);
    const Grading grading =
        run_lab({"grade", "02", "--file", file.string()}, {}, "env LAB_SANDBOX=no");
    CHECK(grading.exit_code == 2);
    CHECK_THAT(grading.text,  // after "Building the grader", where that was necessary
               EndsWith("LAB_SANDBOX=no is not known. The only value is off: no sandbox, for your "
                        "own code only. With a sandbox: unset LAB_SANDBOX\n"));
}

TEST_CASE("no sandbox: a submission cannot ask for it") {
    const Grading grading =
        grade(with_host("    setenv(\"LAB_SANDBOX\", \"off\", 1);\n"
                        "    if (fork() == 0) _exit(0);\n    printf(\"started\");",
                        "#include <unistd.h>\n"
                        "// LAB_SANDBOX=off\n"
                        "static const int asked = setenv(\"LAB_SANDBOX\", \"off\", 1);\n"));
    CHECK(grading.line("start").at("isolation") != "none");
    require_host_earns_nothing(grading);
    CHECK(kinds_of_flags(grading).front() == "forbidden_call");
    CHECK_THAT(grading.text, !ContainsSubstring("\"output\":\"started"));
}

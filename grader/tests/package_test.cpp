// Whole releases: what is in them, what is not, and what starts the grader elsewhere. That one
// works on a bare machine is tried by .ci/run.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

std::string text_of_file(const fs::path& file) {
    std::ostringstream all;
    all << std::ifstream(file, std::ios::binary).rdbuf();
    return all.str();
}

fs::path packaged(const std::string& name, std::vector<std::string> more) {
    const fs::path out = scratch_folder() / name;
    more.insert(more.begin(), {"dev", "package", out.string()});
    const Grading made = run_lab(more);
    INFO(made.text);
    REQUIRE(made.exit_code == 0);
    return out;
}

int shell(const std::string& command) {
    return std::system((command + " >/dev/null 2>&1").c_str());
}

void require_student_release(const fs::path& root, const std::set<std::string>& labs) {
    INFO(root);
    CHECK(!fs::exists(root / "solutions"));
    CHECK(!fs::exists(root / "data"));
    CHECK(!fs::exists(root / "docs/instructor-guide.md"));
    std::set<std::string> there, prebuilt;
    for (const auto& entry : fs::directory_iterator(root / "labs"))
        if (fs::exists(entry.path() / "lab.toml")) there.insert(entry.path().filename());
    for (const auto& entry : fs::directory_iterator(root / "prebuilt"))
        prebuilt.insert(entry.path().filename());
    CHECK(there == labs);
    CHECK(prebuilt == labs);
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        INFO(entry.path());
        CHECK(!entry.path().stem().string().ends_with("_test"));
        CHECK(entry.path().filename() != "mistakes.toml");
    }
}

}  // namespace

TEST_CASE("package: a release for students has the labs asked for, and no solutions") {
    const fs::path out = packaged("labs.tar.gz", {"--lab", "01", "--lab", "02"});
    REQUIRE(shell("cd '" + scratch_folder().string() + "' && tar xf labs.tar.gz") == 0);
    require_student_release(scratch_folder() / "labs", {"01-thread-indexing", "02-vector-add"});
    // The book has the figures of all labs, and its programs.
    const fs::path book = scratch_folder() / "labs/docs/book";
    CHECK(fs::exists(book / "figures/07-reduction-atomic-lost.svg"));
    CHECK(fs::exists(book / "programs/hello.cu"));
    CHECK_THAT(text_of_file(book / "atomics.md"),
               ContainsSubstring("](figures/07-reduction-atomic-lost.svg)") &&
                   !ContainsSubstring("](../../labs/07"));
    const Grading again = run_lab({"dev", "package", out.string(), "--lab", "01"});
    INFO(again.text);
    CHECK(again.exit_code == 2);
    CHECK_THAT(again.text, ContainsSubstring("exists already"));
}

TEST_CASE("package: an autograder for Gradescope is a release and the two scripts that start it") {
    const fs::path out = packaged("gradescope", {"--lab", "01", "--for", "gradescope"});
    require_student_release(out / "cuda-labs", {"01-thread-indexing"});
    for (const char* script : {"setup.sh", "run_autograder"}) {
        INFO(script);
        CHECK(shell("test -x '" + (out / script).string() + "'") == 0);
        CHECK(shell("sh -n '" + (out / script).string() + "'") == 0);
        const std::string text = text_of_file(out / script);
        CHECK_THAT(text, ContainsSubstring("01-thread-indexing"));
        CHECK_THAT(text, !ContainsSubstring("LAB_"));
    }
    const Grading several = run_lab({"dev", "package", (scratch_folder() / "several").string(),
                                     "--lab", "01", "--lab", "02", "--for", "gradescope"});
    CHECK(several.exit_code == 2);
    CHECK_THAT(several.text, ContainsSubstring("one lab"));
}

TEST_CASE("package: a template for GitHub Classroom reports each lab's points") {
    const fs::path out =
        packaged("classroom", {"--lab", "01", "--lab", "02", "--for", "github-classroom"});
    require_student_release(out, {"01-thread-indexing", "02-vector-add"});
    const std::string workflow = text_of_file(out / ".github/workflows/classroom.yml");
    CHECK_THAT(workflow,
               ContainsSubstring(" --lab 01-thread-indexing --lab 02-vector-add\n") &&
                   ContainsSubstring("LAB01_RESULTS: ${{ steps.lab01.outputs.result }}\n") &&
                   ContainsSubstring("LAB02_RESULTS: ${{ steps.lab02.outputs.result }}\n") &&
                   ContainsSubstring("runners: lab01,lab02\n") && !ContainsSubstring("LAB_"));
    const Grading nobody =
        run_lab({"dev", "package", (scratch_folder() / "nobody").string(), "--for", "nobody"});
    CHECK(nobody.exit_code == 2);
    CHECK_THAT(nobody.text, ContainsSubstring("students, gradescope, github-classroom"));
}

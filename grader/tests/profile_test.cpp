// Tests `lab profile` and `lab review`, end to end on the virtual GPU.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

fs::path file_with(const std::string& source) {
    static int number = 0;
    const fs::path folder = scratch_folder() / "profile" / std::to_string(++number);
    fs::create_directories(folder);
    const fs::path file = folder / "mine.cu";
    std::ofstream(file) << source;
    return file;
}

}  // namespace

TEST_CASE("profile: a lab's slow function, with the speed test's data, its mistake first") {
    // 16 elements in a row for each thread
    const fs::path file =
        file_with(repository_file("solutions/02-vector-add/wrong/sixteen-consecutive.cu"));
    const Grading run = run_lab({"profile", "02", "--file", file.string()});
    INFO(run.text);
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.text, ContainsSubstring("Lab 02  launch_vector_add(n = ") &&
                             ContainsSubstring("modelled for an NVIDIA H200") &&
                             ContainsSubstring("1. Uncoalesced Global Accesses  (mine.cu:") &&
                             ContainsSubstring("moves 32.0 sectors of 32 bytes") &&
                             ContainsSubstring("Other functions: vector_add\n"));
}

TEST_CASE("profile: what cannot be profiled says why") {
    const Grading untouched = run_lab({"profile", "02"});
    CHECK(untouched.exit_code == 2);
    CHECK_THAT(untouched.text,
               ContainsSubstring("haven't changed") && ContainsSubstring("nothing to profile"));
    const fs::path good = file_with(repository_file("solutions/02-vector-add/vector_add.cu"));
    const Grading unknown = run_lab({"profile", "02", "matmul", "--file", good.string()});
    CHECK(unknown.exit_code == 2);
    CHECK_THAT(unknown.text, ContainsSubstring("There are: "));
    CHECK(run_lab({"profile", "./no-such-program"}).exit_code == 2);
    CHECK(run_lab({"profile", "02", "--gpu", "t4"}).exit_code == 2);
}

TEST_CASE("review: after full marks, both programs on a page; before, the verdict") {
    const fs::path good = file_with(repository_file("solutions/02-vector-add/vector_add.cu"));
    const fs::path page = good.parent_path() / "review.html";
    const Grading run =
        run_lab({"review", "02", "--file", good.string(), "--out", page.string(), "--json"});
    INFO(run.text);
    CHECK(run.exit_code == 0);
    CHECK(run.line("review").at("file") == page.string());
    CHECK_FALSE(run.line("review").at("surprise").get<std::string>().empty());
    std::ostringstream html;
    html << std::ifstream(page).rdbuf();
    CHECK_THAT(html.str(), ContainsSubstring("Both programs, with what each line costs") &&
                               ContainsSubstring("What comes next: lab 03"));
    CHECK_THAT(html.str(), ContainsSubstring("<tr class='much'>"));  // lines have their costs
    // In the student's program as here, not in the reference.
    const std::string theirs = html.str().substr(html.str().find("<h3>the reference</h3>"));
    CHECK_THAT(theirs, ContainsSubstring("cudaMalloc") && !ContainsSubstring("BEGIN SOLUTION"));

    const Grading early = run_lab({"review", "02"});
    CHECK(early.exit_code == 1);
    CHECK_THAT(early.text, ContainsSubstring("comes with full marks"));
}

// End to end: results are replayed from their evidence alone, and what was changed is found.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
    std::ostringstream all;
    all << std::ifstream(file, std::ios::binary).rdbuf();
    return all.str();
}

/// Grades a file of the repository and keeps the evidence in a new folder.
fs::path evidence_of(const std::string& file, Command command = {}) {
    static int number = 0;
    const fs::path folder = scratch_folder() / ("evidence-" + std::to_string(++number));
    command.more.insert(command.more.end(), {"--evidence", folder.string()});
    const Grading grading = grade(repository_file(file), command);
    INFO(grading.text);
    REQUIRE(grading.exit_code <= 1);
    return folder;
}

fs::path result_in(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".jsonl") return entry.path();
    FAIL("no result in " << folder);
    return {};
}

void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
    std::string text = text_of(file);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("verify: a replay is the same, elsewhere and without nvcc, for right and wrong alike") {
    if (on_gpu()) SKIP("only the virtual GPU's results can be replayed");
    const std::string file =
        GENERATE("solutions/02-vector-add/vector_add.cu", "labs/02-vector-add/vector_add.cu");
    const fs::path kept = evidence_of(file);
    const fs::path elsewhere = scratch_folder() / "elsewhere";
    fs::remove_all(elsewhere);
    fs::rename(kept, elsewhere);
    setenv("LAB_NVCC", "/no/such/nvcc", 1);
    const Grading verified = run_lab({"verify", elsewhere.string(), "--json"});
    unsetenv("LAB_NVCC");
    INFO(verified.text);
    CHECK(verified.exit_code == 0);
    const auto line = verified.line("verified");
    CHECK(line.at("same") == true);
    CHECK(line.at("same_grader") == true);
    CHECK(line.at("lab") == "02-vector-add");
}

TEST_CASE("verify: points, seeds and another grader are noticed") {
    if (on_gpu()) SKIP("only the virtual GPU's results can be replayed");
    const fs::path folder = evidence_of("labs/02-vector-add/vector_add.cu");
    const fs::path result = result_in(folder);
    const std::string honest = text_of(result);

    replace_in(result, "\"verdict\":\"fail\"", "\"verdict\":\"pass\"");
    const Grading changed = run_lab({"verify", result.string()});
    INFO(changed.text);
    CHECK(changed.exit_code == 1);
    CHECK_THAT(changed.text, ContainsSubstring("the replay differs") &&
                                 ContainsSubstring("verdict\n    recorded  \"pass\"\n"
                                                   "    replayed  \"fail\""));

    std::ofstream(result, std::ios::binary) << honest;
    replace_in(result, "\"grader\":\"", "\"grader\":\"0");
    const Grading other = run_lab({"verify", result.string()});
    INFO(other.text);
    CHECK(other.exit_code == 0);
    CHECK_THAT(other.text, ContainsSubstring("another version of the grader made it"));
}

TEST_CASE("verify: a seed of the speed tests that is not the result's gives other counts") {
    if (on_gpu()) SKIP("only the virtual GPU's results can be replayed");
    const fs::path folder = evidence_of("solutions/02-vector-add/vector_add.cu");
    const fs::path result = result_in(folder);
    replace_in(result, "\"speed_seed\":\"", "\"speed_seed\":\"1");
    const Grading verified = run_lab({"verify", result.string()});
    INFO(verified.text);
    CHECK(verified.exit_code == 1);
    CHECK_THAT(verified.text, ContainsSubstring("race/"));
}

// Grades a piece of CUDA source end to end, as `./lab grade` does, and returns the report.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lab::e2e {

struct Grading {
    int exit_code = -1;
    std::vector<nlohmann::json> lines;  ///< what --json printed, one object a line
    std::string text;                   ///< everything printed, stdout and stderr together

    /// The test lines whose names begin with "FUNCTION:".
    std::vector<nlohmann::json> tests_of(std::string_view function) const;
    /// All test lines.
    std::vector<nlohmann::json> tests() const;
    /// The last line of that type ("end", "build", "grading"); null when there is none.
    nlohmann::json line(std::string_view type) const;
    double points() const;
};

struct Command {
    std::string lab = "02";
    std::vector<std::string> more = {};  ///< further arguments of `lab grade`
};

/// Writes `source` to a new file and runs `lab grade LAB --file FILE --json` on the virtual GPU, or
/// on the device that LAB_TEST_DEVICE names.
Grading grade(std::string_view source, const Command& = {});

/// LAB_TEST_DEVICE asks for a real GPU.
bool on_gpu();

/// Runs `lab ARGUMENTS...` from `directory` (default: a fresh temporary one), started by the words
/// of `starter` ("timeout 5"), if any.
Grading run_lab(const std::vector<std::string>& arguments, const std::string& directory = {},
                const std::string& starter = {});

/// A new folder for this test program, removed when it ends.
const std::filesystem::path& scratch_folder();

/// Reads a file of the repository, by its path from the root.
std::string repository_file(std::string_view path);

}  // namespace lab::e2e

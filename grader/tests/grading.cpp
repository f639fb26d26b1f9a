// Runs the real `lab` program in its own state folder, so that tests never touch a user's progress.

#include "grading.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lab::e2e {
namespace {

namespace fs = std::filesystem;

std::string shell_word(std::string_view word) {
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string slurp(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

}  // namespace

const fs::path& scratch_folder() {
    struct Scratch {
        fs::path path;
        Scratch() {
            std::string pattern = (fs::temp_directory_path() / "lab-e2e-XXXXXX").string();
            if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
            path = pattern;
        }
        ~Scratch() {
            std::error_code ignored;
            fs::remove_all(path, ignored);
        }
    };
    static const Scratch folder;
    return folder.path;
}

bool on_gpu() {
    const char* device = std::getenv("LAB_TEST_DEVICE");
    return device != nullptr && std::string_view(device) == "gpu";
}

Grading run_lab(const std::vector<std::string>& arguments, const std::string& directory,
                const std::string& starter) {
    const fs::path out = scratch_folder() / "out", err = scratch_folder() / "err";
    std::string command =
        "cd " + shell_word(directory.empty() ? scratch_folder().string() : directory) +
        " && LAB_ROOT=" + shell_word(LAB_TEST_ROOT) + " LAB_BUILD=" + shell_word(LAB_TEST_BUILD) +
        " LAB_STATE=" + shell_word((scratch_folder() / "state").string()) + " " + starter + " " +
        shell_word(LAB_TEST_BINARY);
    for (const auto& argument : arguments) command += " " + shell_word(argument);
    command += " >" + shell_word(out.string()) + " 2>" + shell_word(err.string()) + " </dev/null";

    Grading grading;
    const int status = std::system(command.c_str());
    grading.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const std::string printed = slurp(out);
    grading.text = printed + slurp(err);
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
        if (auto json = nlohmann::json::parse(line, nullptr, false); json.is_object())
            grading.lines.push_back(std::move(json));
    }
    return grading;
}

Grading grade(std::string_view source, const Command& command) {
    static int number = 0;
    const fs::path file = scratch_folder() / ("submission-" + std::to_string(++number) + ".cu");
    std::ofstream(file, std::ios::binary) << source;
    std::vector<std::string> arguments = {"grade",       command.lab, "--file",
                                          file.string(), "--device",  on_gpu() ? "gpu" : "vgpu",
                                          "--json"};
    arguments.insert(arguments.end(), command.more.begin(), command.more.end());
    return run_lab(arguments);
}

std::string repository_file(std::string_view path) {
    return slurp(fs::path(LAB_TEST_ROOT) / path);
}

std::vector<nlohmann::json> Grading::tests() const {
    return tests_of("");
}

std::vector<nlohmann::json> Grading::tests_of(std::string_view function) const {
    const std::string prefix = function.empty() ? "" : std::string(function) + ":";
    std::vector<nlohmann::json> found;
    for (const auto& line : lines) {
        if (line.value("type", "") == "test" && line.value("name", "").starts_with(prefix))
            found.push_back(line);
    }
    return found;
}

nlohmann::json Grading::line(std::string_view type) const {
    nlohmann::json found;
    for (const auto& line : lines) {
        if (line.value("type", "") == type) found = line;
    }
    return found;
}

double Grading::points() const {
    double sum = 0;
    for (const auto& test : tests()) sum += test.value("earned", 0.0);
    return sum;
}

}  // namespace lab::e2e

#include "author/new_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "author/replaced.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/course/lab.h"
#include "core/course/skeleton.h"

namespace lab {
namespace {

void require_good_name(const std::string& name) {
    static const std::regex good("[0-9]{2}-[a-z][a-z0-9]*(-[a-z0-9]+)*");
    if (std::regex_match(name, good) && !name.starts_with("00")) return;
    throw usage_failure(
        fmt::format("\"{}\" is no name for a lab. Two digits, then small letters and digits with "
                    "hyphens between words, for example: 11-occupancy",
                    name));
}

/// A TOML string cannot hold them, and a title does not need them.
void require_good_title(const std::string& title) {
    const bool good = !title.empty() && std::all_of(title.begin(), title.end(), [](char c) {
        return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= ' ';
    });
    if (!good)
        throw usage_failure("The title is a few words without quotes, for example: \"Occupancy\"");
}

void require_free(const Project& project, const NewLab& made) {
    for (const std::string& other : list_labs(project)) {
        if (other.substr(0, 2) == made.number)
            throw usage_failure(fmt::format("There is a lab {} already: {}.", made.number, other));
        if (other.substr(3) == made.name.substr(3))
            throw usage_failure(fmt::format("There is a lab of that topic already: {}.", other));
    }
    for (const char* folder : {"labs", "solutions"})
        if (fs::exists(project.root / folder / made.name))
            throw usage_failure(
                fmt::format("{}/{} is there already. Move it away first.", folder, made.name));
}

/// In the quotes of lab.toml: the lab before the new one; nothing for the first.
std::string lab_before(const Project& project, const std::string& name) {
    std::string before;
    for (const std::string& other : list_labs(project))
        if (other < name) before = "\"" + other + "\"";
    return before;
}

/// The destination of a file of the template.
fs::path destination(const fs::path& file, const NewLab& made) {
    const fs::path lab = fs::path("labs") / made.name;
    const fs::path solutions = fs::path("solutions") / made.name;
    if (file == "handout.md") return lab / "README.md";
    if (file == "contract.h") return lab / (made.topic + ".h");
    if (file == "solution.cu") return solutions / (made.topic + ".cu");
    const fs::path first = *file.begin();
    const bool of_lab =
        first == "grader" || first == "lab.toml" || first == "review.toml" || first == "figures";
    return (of_lab ? lab : solutions) / file;
}

/// Longer names break lines elsewhere. Where clang-format is missing, CI says so later.
void format(const Project& project, const std::vector<fs::path>& files) {
    if (!fs::exists(project.root / ".clang-format")) return;
    Command command;
    command.argv = {"clang-format", "-i"};
    for (const fs::path& file : files)
        if (file.extension() == ".cu" || file.extension() == ".cpp" || file.extension() == ".h")
            command.argv.push_back(file.string());
    command.working_folder = project.root;
    run(command);
}

}  // namespace

std::string with_lab_added(std::string_view cmake_lists, const std::string& name) {
    const std::string call = "add_lab(";
    std::vector<std::string> lines;
    std::istringstream text{std::string(cmake_lists)};
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    const auto is_call = [&](const std::string& line) { return line.starts_with(call); };
    const auto first = std::find_if(lines.begin(), lines.end(), is_call);
    if (first == lines.end())
        throw own_fault("CMakeLists.txt has no line that begins with \"add_lab(\".");
    auto place = first;
    for (auto line = first; line != lines.end(); ++line)
        if (is_call(*line) && line->substr(call.size()) < name) place = line + 1;
    lines.insert(place, call + name + ")");
    std::string result;
    for (const std::string& line : lines) result += line + "\n";
    return result;
}

NewLab make_lab(const Project& project, const std::string& name, const std::string& title) {
    require_good_name(name);
    require_good_title(title);
    NewLab made{name, name.substr(0, 2), name.substr(3), {}};
    std::replace(made.topic.begin(), made.topic.end(), '-', '_');
    require_free(project, made);

    const Replacements replacements = {{"NEW_NAME", name},
                                       {"NEW_NUMBER", made.number},
                                       {"NEW_TOPIC", made.topic},
                                       {"NEW_TITLE", title},
                                       {"NEW_NEEDS", lab_before(project, name)}};
    const std::string cmake_lists =
        with_lab_added(read_file(project.root / "CMakeLists.txt"), name);
    const fs::path templates = project.root / "grader/author/templates/lab";
    for (const auto& entry : fs::recursive_directory_iterator(templates)) {
        const fs::path file = fs::relative(entry.path(), templates);
        if (!entry.is_regular_file() || file == "README.md") continue;
        made.files.push_back(destination(file, made));
        write_atomically(project.root / made.files.back(),
                         replaced(read_file(entry.path()), replacements));
    }
    format(project, made.files);
    const Lab lab = read_lab(project, name);
    write_atomically(project.root / lab.file(), skeleton_of(project, lab));
    made.files.push_back(lab.file());
    write_atomically(project.root / "CMakeLists.txt", cmake_lists);
    std::sort(made.files.begin(), made.files.end());
    return made;
}

}  // namespace lab

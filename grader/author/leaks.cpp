#include "author/leaks.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "base/files.h"
#include "core/course/skeleton.h"

namespace lab {
namespace {

/// Chosen: shorter lines, as `float sum = 0;`, are in any program.
constexpr std::size_t kDistinctive = 28;

void add(std::set<std::string>& lines, const std::set<std::string>& more) {
    lines.insert(more.begin(), more.end());
}

std::set<std::string> secret_lines(const Project& project) {
    std::set<std::string> lines;
    for (auto at = fs::recursive_directory_iterator(project.solutions());
         at != fs::recursive_directory_iterator(); ++at) {
        const std::string name = at->path().filename().string();
        if (name == "wrong" || name == "yardsticks") at.disable_recursion_pending();
        if (at->path().extension() == ".cu") add(lines, distinctive_lines(read_file(at->path())));
    }
    return lines;
}

std::set<std::string> given_lines(const Project& project) {
    std::set<std::string> lines;
    for (const std::string& name : list_labs(project)) {
        const Lab lab = read_lab(project, name);
        add(lines, distinctive_lines(skeleton_of(project, lab)));
        for (const fs::path& file : {lab.contract(), lab.folder() / "README.md"})
            add(lines, distinctive_lines(read_file_if_there(project.root / file).value_or("")));
    }
    return lines;
}

}  // namespace

std::set<std::string> distinctive_lines(std::string_view text) {
    std::set<std::string> lines;
    std::istringstream all{std::string(text)};
    for (std::string line; std::getline(all, line);) {
        line.resize(std::min(line.size(), line.find("//")));
        std::erase_if(line, [](unsigned char c) { return std::isspace(c) != 0; });
        if (line.size() >= kDistinctive) lines.insert(line);
    }
    return lines;
}

SolutionLines::SolutionLines(const Project& project)
    : SolutionLines(secret_lines(project), given_lines(project)) {}

SolutionLines::SolutionLines(std::set<std::string> secret, const std::set<std::string>& given)
    : lines_(std::move(secret)) {
    std::erase_if(lines_, [&](const std::string& line) { return given.contains(line); });
}

std::vector<std::string> SolutionLines::in(std::string_view text) const {
    std::vector<std::string> found;
    std::ranges::set_intersection(distinctive_lines(text), lines_, std::back_inserter(found));
    return found;
}

}  // namespace lab

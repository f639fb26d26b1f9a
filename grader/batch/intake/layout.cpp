#include "batch/intake/layout.h"

#include <algorithm>
#include <regex>
#include <set>

namespace lab {
namespace {

std::string first_part(const std::string& path) {
    return path.substr(0, path.find('/'));
}

std::string below_first(const std::string& path) {
    const auto slash = path.find('/');
    return slash == std::string::npos ? "" : path.substr(slash + 1);
}

/// "00000000000012" for "attempt-12": numbers as text in their order.
std::string attempt_of(const std::string& folder) {
    static const std::regex numbered("(attempt|submission|try|version|v)[-_ ]?([0-9]{1,9})",
                                     std::regex::icase);
    std::smatch match;
    if (!std::regex_match(folder, match, numbered)) return "";
    return std::string(12 - static_cast<std::size_t>(match[2].length()), '0') + match[2].str();
}

}  // namespace

std::optional<Layout> moodle_layout(const SourceTree& tree) {
    static const std::regex form("(.+)_([0-9]+)_assignsubmission_(file|onlinetext)(_(.*))?");
    const auto fits = [](const SourceFile& file) {
        return std::regex_match(first_part(file.path), form);
    };
    if (!std::ranges::any_of(tree.files, fits)) return std::nullopt;
    return Layout{"Moodle", [](const SourceFile& file) {
                      std::smatch match;
                      const std::string first = first_part(file.path);
                      std::vector<Owner> owners;
                      if (!std::regex_match(first, match, form)) return owners;
                      Owner owner;
                      owner.id = match[2];
                      owner.name = match[1];
                      owner.rest = first == file.path ? match[5].str() : below_first(file.path);
                      // Moodle writes the time of submission into the archive.
                      if (file.is_from_archive) owner.time = file.time;
                      owners.push_back(owner);
                      return owners;
                  }};
}

std::optional<Layout> canvas_layout(const SourceTree& tree) {
    // Flat: lovelaceada_LATE_1815_20260_vector_add-1.cu
    static const std::regex form("([^_/]+)_(LATE_)?([0-9]+)_([0-9]+)_(.+)");
    static const std::regex resubmitted("(.+)-([0-9]{1,3})(\\.[A-Za-z0-9]+)");
    std::size_t fitting = 0, others = 0;
    for (const SourceFile& file : tree.files)
        ++(std::regex_match(first_part(file.path), form) ? fitting : others);
    if (fitting == 0 || fitting <= others) return std::nullopt;
    return Layout{"Canvas", [](const SourceFile& file) {
                      std::smatch match;
                      std::vector<Owner> owners;
                      const std::string first = first_part(file.path);
                      if (!std::regex_match(first, match, form)) return owners;
                      Owner owner;
                      owner.id = match[3];
                      owner.name = match[1];
                      owner.rest = first == file.path ? match[5].str() : below_first(file.path);
                      std::smatch again;
                      const std::string rest = owner.rest;
                      if (std::regex_match(rest, again, resubmitted)) {
                          owner.rest = again[1].str() + again[3].str();
                          owner.attempt = attempt_of("v" + again[2].str());
                      }
                      owners.push_back(owner);
                      return owners;
                  }};
}

std::optional<Layout> github_layout(const SourceTree& tree) {
    // GitHub Classroom's assistant clones ASSIGNMENT-USER; all folders share the beginning.
    const auto has_git_marks = [](const SourceFile& file) {
        return file.path.find("/.github/") != std::string::npos ||
               file.path.find("/labs/") != std::string::npos;
    };
    std::set<std::string> folders;
    for (const SourceFile& file : tree.files)
        if (has_git_marks(file)) folders.insert(first_part(file.path));
    const bool has_roster = std::ranges::any_of(
        tree.files, [](const SourceFile& file) { return file.path == "classroom_roster.csv"; });
    if (folders.size() < 2 && !(has_roster && !folders.empty())) return std::nullopt;
    std::string common = *folders.begin();
    for (const std::string& folder : folders) {
        const auto differ = std::ranges::mismatch(common, folder);
        common.erase(differ.in1, common.end());
    }
    // Folders of one assignment; user names may share a beginning, too.
    const auto dash = common.rfind('-');
    if (folders.size() == 1 || dash == std::string::npos) return std::nullopt;
    const std::string prefix = common.substr(0, dash + 1);
    return Layout{"GitHub Classroom", [prefix](const SourceFile& file) {
                      std::vector<Owner> owners;
                      const std::string first = first_part(file.path);
                      if (first == file.path || !first.starts_with(prefix)) return owners;
                      Owner owner;
                      owner.id = first.substr(prefix.size());
                      owner.rest = below_first(file.path);
                      owners.push_back(owner);
                      return owners;
                  }};
}

Layout plain_layout() {
    return {"one folder a student", [](const SourceFile& file) {
                std::vector<Owner> owners;
                const std::string first = first_part(file.path);
                if (first == file.path) return owners;
                Owner owner;
                owner.id = first;
                owner.rest = below_first(file.path);
                owner.attempt = attempt_of(first_part(owner.rest));
                if (!owner.attempt.empty()) owner.rest = below_first(owner.rest);
                if (file.is_from_archive) owner.time = file.time;
                owners.push_back(owner);
                return owners;
            }};
}

Layout layout_of(const SourceTree& tree) {
    for (const auto layout : {gradescope_layout, moodle_layout, canvas_layout, github_layout})
        if (auto found = layout(tree)) return *found;
    return plain_layout();
}

void strip_common_folder(SourceTree& tree) {
    if (!tree.is_archive || tree.files.empty()) return;
    const std::string first = first_part(tree.files.front().path);
    std::set<std::string> folders;  // in it
    bool has_table = false;
    for (const SourceFile& file : tree.files) {
        const std::string rest = below_first(file.path);
        if (rest.empty() || first_part(file.path) != first) return;
        if (rest.find('/') != std::string::npos)
            folders.insert(first_part(rest));
        else
            has_table = has_table || rest.ends_with(".csv") || rest.ends_with(".yml");
    }
    // STUDENT/labs or CLASS/STUDENT? A class has several students, a table, or Canvas's names.
    if (folders.size() == 1 && !has_table) return;
    if (folders.empty() && tree.files.size() == 1) return;
    for (SourceFile& file : tree.files) file.path = below_first(file.path);
}

}  // namespace lab

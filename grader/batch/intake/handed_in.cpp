#include "batch/intake/handed_in.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab {
namespace {

std::string base_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Of several files of one name, the one on the course's own path, then the one least deep.
bool comes_first(const std::string& a, const std::string& b, const std::string& own_path) {
    const bool own_a = a.ends_with(own_path), own_b = b.ends_with(own_path);
    if (own_a != own_b) return own_a;
    const auto depth = [](const std::string& path) { return std::ranges::count(path, '/'); };
    return depth(a) != depth(b) ? depth(a) < depth(b) : a < b;
}

std::string list_of(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
        text += (i > 0 ? ", " : "") + names[i];
    return names.size() > kMost ? text + ", ..." : text;
}

}  // namespace

std::vector<FoundFile> files_of_labs(const HandedIn& handed_in, const std::vector<Lab>& labs) {
    std::vector<FoundFile> all;
    for (const Lab& lab : labs) {
        const std::string name = lab.topic + ".cu";
        FoundFile found{lab.name, nullptr, "", ""};
        std::string rest;
        int count = 0;
        for (std::size_t i = 0; i < handed_in.files.size(); ++i) {
            if (lower(base_name(handed_in.rests[i])) != name) continue;
            ++count;
            if (found.file != nullptr &&
                !comes_first(handed_in.rests[i], rest, lab.file().string()))
                continue;
            found.file = handed_in.files[i];
            rest = handed_in.rests[i];
        }
        if (count > 1)
            found.note = fmt::format("{} handed in {} files named {}; graded: {}",
                                     handed_in.owner.id, count, name, rest);
        if (found.file != nullptr) all.push_back(found);
    }
    if (!all.empty() || labs.size() != 1) return all;

    const std::string name = labs.front().topic + ".cu";
    std::vector<const SourceFile*> sources;
    for (const SourceFile* file : handed_in.files)
        if (lower(file->path).ends_with(".cu")) sources.push_back(file);
    FoundFile found{labs.front().name, nullptr, "", ""};
    if (sources.size() == 1) {
        found.file = sources.front();
        found.note = fmt::format("{} handed in {} instead of {}; it was graded.",
                                 handed_in.owner.id, base_name(found.file->path), name);
    } else {
        std::vector<std::string> names;
        for (const std::string& rest : handed_in.rests) names.push_back(base_name(rest));
        found.problem = names.empty()
                            ? fmt::format("No file was handed in; {} was expected.", name)
                            : fmt::format("No {} was handed in, but: {}.", name, list_of(names));
    }
    all.push_back(found);
    return all;
}

std::vector<std::string> extras_of(const HandedIn& handed_in, const std::vector<FoundFile>& found) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < handed_in.files.size(); ++i)
        if (std::ranges::find(found, handed_in.files[i], &FoundFile::file) == found.end())
            names.push_back(handed_in.rests[i]);
    return names;
}

}  // namespace lab

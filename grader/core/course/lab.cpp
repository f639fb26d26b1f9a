#include "core/course/lab.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/failure.h"
#include "base/nearest.h"

namespace lab {
namespace {

bool is_lab_name(std::string_view name) {
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    return name.size() > 3 && digit(name[0]) && digit(name[1]) && name[2] == '-';
}

/// Lower case, and "-" for "_", because people mix up names of folders and of files.
std::string plain(std::string_view word) {
    std::string result(word);
    for (char& c : result)
        c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

/// The part of a path that can name a lab: labs/02-vector-add/vector_add.cu and
/// ./labs/02-vector-add/ both mean 02-vector-add.
std::string from_path(const std::vector<std::string>& labs, std::string_view word) {
    if (word.find('/') == std::string_view::npos) return std::string(word);
    for (const fs::path& part : fs::path(word)) {
        if (std::find(labs.begin(), labs.end(), part.string()) != labs.end()) return part.string();
    }
    return std::string(word);
}

Failure unknown(const std::vector<std::string>& labs, std::string_view word) {
    std::vector<std::string> names;  // whole names first, so that they win among equals
    for (const std::string& lab : labs) names.push_back(lab);
    for (const std::string& lab : labs) names.push_back(lab.substr(3));
    std::string suggestion;
    if (auto near = nearest(plain(word), names)) {
        const auto whole = std::find_if(labs.begin(), labs.end(), [&](const std::string& lab) {
            return lab == *near || lab.substr(3) == *near;
        });
        suggestion = fmt::format(" Did you mean \"{}\"?", *whole);
    }
    return usage_failure(fmt::format("There is no lab \"{}\".{}\nThe labs: {}", word, suggestion,
                                     fmt::join(labs, ", ")));
}

}  // namespace

std::vector<std::string> list_labs(const Project& project) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(project.labs())) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() && is_lab_name(name)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string find_lab(const std::vector<std::string>& labs, std::string_view word) {
    const std::string wanted = plain(from_path(labs, word));
    int number = -1;
    const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    const bool is_number = error == std::errc() && end == wanted.data() + wanted.size();

    std::vector<std::string> parts;
    for (const std::string& lab : labs) {
        if (is_number) {
            if (std::stoi(lab.substr(0, 2)) == number) return lab;
            continue;
        }
        if (lab == wanted || lab.substr(3) == wanted) return lab;
        if (!wanted.empty() && lab.find(wanted) != std::string::npos) parts.push_back(lab);
    }
    if (parts.size() == 1) return parts.front();
    if (parts.empty()) throw unknown(labs, word);
    throw usage_failure(fmt::format("\"{}\" can mean several labs: {}. Write more of the name.",
                                    word, fmt::join(parts, ", ")));
}

std::vector<fs::path> Lab::bench_others() const {
    std::vector<fs::path> files;
    for (const std::string& other : bench_names)
        files.push_back(fs::path("solutions") / name / (other + ".cu"));
    return files;
}

}  // namespace lab

#include "verify/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/failure.h"

namespace lab {
namespace {

using nlohmann::json;

/// Of all lines; `seconds` of `total` is an object of times.
constexpr std::array kOfTheMachine = {"time", "seconds", "timings", "isolation", "isolation_note"};

/// A line without those.
json comparable(const std::string& line) {
    json object = json::parse(line, nullptr, false);
    if (!object.is_object()) throw own_fault(fmt::format("This is no line of a result:\n{}", line));
    for (const char* field : kOfTheMachine) object.erase(field);
    return object;
}

std::string name_of(const json& line) {
    const std::string type = line.value("type", "");
    return type == "test" ? "test " + line.value("name", "") : type;
}

/// What is printed of a field: a message may be long.
std::string shown(const json& value) {
    constexpr std::size_t kMost = 300;
    std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text.size() > kMost) text = text.substr(0, kMost) + "...";
    return text;
}

/// The parts that differ, by their paths.
void add_differences(const json& recorded, const json& replayed, const std::string& path,
                     const std::string& line, std::vector<ResultDifference>& into) {
    if (recorded == replayed) return;
    const auto deeper = [&](const auto& key) {
        return path + (path.empty() ? "" : "/") + fmt::format("{}", key);
    };
    if (recorded.is_object() && replayed.is_object()) {
        std::set<std::string> fields;
        for (const auto& [field, value] : recorded.items()) fields.insert(field);
        for (const auto& [field, value] : replayed.items()) fields.insert(field);
        for (const std::string& field : fields) {
            if (recorded.contains(field) && replayed.contains(field))
                add_differences(recorded[field], replayed[field], deeper(field), line, into);
            else
                into.push_back({line, deeper(field),
                                recorded.contains(field) ? shown(recorded[field]) : "",
                                replayed.contains(field) ? shown(replayed[field]) : ""});
        }
    } else if (recorded.is_array() && replayed.is_array() && recorded.size() == replayed.size()) {
        for (std::size_t i = 0; i < recorded.size(); ++i)
            add_differences(recorded[i], replayed[i], deeper(i), line, into);
    } else {
        into.push_back({line, path, shown(recorded), shown(replayed)});
    }
}

}  // namespace

std::vector<ResultDifference> result_differences(std::string_view recorded,
                                                 const std::vector<std::string>& replayed) {
    std::vector<json> before, after;
    std::istringstream lines{std::string(recorded)};
    for (std::string line; std::getline(lines, line);)
        if (json one = comparable(line); one.value("type", "") != "best")
            before.push_back(std::move(one));
    for (const std::string& line : replayed) after.push_back(comparable(line));

    std::vector<ResultDifference> all;
    for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
        if (i >= after.size()) {
            all.push_back({name_of(before[i]), "", shown(before[i]), ""});
        } else if (i >= before.size()) {
            all.push_back({name_of(after[i]), "", "", shown(after[i])});
        } else {
            add_differences(before[i], after[i], "", name_of(before[i]), all);
        }
    }
    return all;
}

}  // namespace lab

#include "check/output/tags.h"

#include <algorithm>
#include <charconv>

#include "check/output/grader_fault.h"

namespace lab {
namespace {

template <class T>
T number(const std::string& name, const std::string& tag, const std::string& text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) {
        throw GraderFault("test \"" + name + "\": tag [" + tag + "] needs a number");
    }
    return value;
}

}  // namespace

TestTags read_tags(const std::string& name, const std::vector<std::string>& tags) {
    TestTags result;
    result.name = name;
    bool hidden = false;
    for (const std::string& tag : tags) {
        const std::size_t colon = tag.find(':');
        const std::string key = tag.substr(0, colon);
        const std::string value = colon == std::string::npos ? "" : tag.substr(colon + 1);
        if (tag == "correctness" || tag == "speed" || tag == "robustness" || tag == "picture" ||
            tag == "bench") {
            result.kind = tag;
        } else if (tag == ".") {
            hidden = true;
        } else if (key == "task") {
            result.task = number<int>(name, tag, value);
        } else if (key == "points") {
            result.points = number<double>(name, tag, value);
        } else if (key == "id") {
            result.id = value;
        } else if (key == "needs") {
            result.needs.push_back(value);
        } else {
            throw GraderFault("test \"" + name + "\": unknown tag [" + tag + "]");
        }
    }
    if (hidden != draws(result))
        throw GraderFault("test \"" + name + "\": [picture] and [bench] cases, and no others, " +
                          "begin their tags with [.]");
    return result;
}

std::set<std::string> with_needed(const std::vector<TestTags>& tests, const std::string& part) {
    std::set<std::string> chosen;
    std::vector<const TestTags*> open;
    for (const TestTags& test : tests) {
        if (test.name.find(part) != std::string::npos) open.push_back(&test);
    }
    while (!open.empty()) {
        const TestTags& test = *open.back();
        open.pop_back();
        if (!chosen.insert(test.name).second) continue;
        for (const std::string& id : test.needs) {
            const auto needed = std::find_if(tests.begin(), tests.end(),
                                             [&](const TestTags& other) { return other.id == id; });
            if (needed == tests.end()) {
                throw GraderFault("test \"" + test.name + "\" needs \"" + id +
                                  "\", and no test has [id:" + id + "]");
            }
            open.push_back(&*needed);
        }
    }
    return chosen;
}

}  // namespace lab

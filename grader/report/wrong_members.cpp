#include "report/wrong_members.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace lab {
namespace {

using Members = std::vector<std::string>;

/// The members of "{block 0, thread 1}"; nothing of other texts.
Members members_of(const std::string& value) {
    if (value.size() < 2 || value.front() != '{' || value.back() != '}') return {};
    Members members;
    for (std::size_t begin = 1; begin < value.size();) {
        const std::size_t end = std::min(value.find(", ", begin), value.size() - 1);
        members.push_back(value.substr(begin, end - begin));
        begin = end + 2;
    }
    return members;
}

std::string written(const Members& members, const std::vector<bool>& kept) {
    std::string text;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (!kept[i] && i > 0 && !kept[i - 1]) continue;
        text += (text.empty() ? "{" : ", ") + (kept[i] ? members[i] : "...");
    }
    return text + "}";
}

}  // namespace

ValuesWindow with_wrong_members(ValuesWindow values, std::size_t widest) {
    bool is_wide = false;
    std::vector<bool> wrong;
    for (const ValuesWindow::Element& element : values.around) {
        is_wide = is_wide || display_width(element.expected) > widest ||
                  display_width(element.got) > widest;
        const Members expected = members_of(element.expected), got = members_of(element.got);
        if (wrong.empty()) wrong.resize(expected.size());
        if (expected.size() != wrong.size() || got.size() != wrong.size()) return values;
        for (std::size_t i = 0; i < wrong.size(); ++i) {
            const bool differs = element.state == ValuesWindow::State::wrong;
            wrong[i] = wrong[i] || (differs && expected[i] != got[i]);
        }
    }
    if (!is_wide || std::ranges::find(wrong, true) == wrong.end()) return values;
    for (ValuesWindow::Element& element : values.around) {
        element.expected = written(members_of(element.expected), wrong);
        element.got = written(members_of(element.got), wrong);
    }
    return values;
}

}  // namespace lab

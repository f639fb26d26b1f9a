#include "report/class/failure_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "base/visible.h"
#include "report/class/source_html.h"
#include "report/class/speed_html.h"
#include "report/values_text.h"

namespace lab {
namespace {

using Element = ValuesWindow::Element;
using State = ValuesWindow::State;

constexpr std::size_t kWidestValue = 40;

/// Bytes that nobody has written say nothing.
std::string got_text(const Element& element) {
    const bool has_value = element.state == State::right || element.state == State::wrong;
    return has_value ? cut_to_width(visible_word(element.got), kWidestValue) : "-";
}

std::string_view state_text(State state) {
    switch (state) {
        case State::right:
            return "";
        case State::wrong:
            return "wrong";
        case State::never_written:
            return "never written";
        case State::uninitialized:
            break;
    }
    return "device memory that nothing has written";
}

/// At most kMostElements, with the first wrong one and some before it.
std::vector<Element> shown_elements(const ValuesWindow& values) {
    constexpr std::ptrdiff_t kMostElements = 6, kBefore = 2;
    const auto& all = values.around;
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    const auto first = std::ranges::find(all, values.first_wrong, &Element::index) - all.begin();
    const auto end = std::min(count, std::max<std::ptrdiff_t>(0, first - kBefore) + kMostElements);
    return {all.begin() + std::max<std::ptrdiff_t>(0, end - kMostElements), all.begin() + end};
}

/// One below the other: however long values are, expected and got stand side by side. Wrong ones
/// have another colour, and a word.
Html values_html(const ValuesWindow& values) {
    Html rows(
        "<tr><th class='number'>index</th><th class='number'>expected</th>"
        "<th class='number'>got</th><th></th></tr>");
    for (const Element& one : shown_elements(values)) {
        const bool is_right = one.state == State::right;
        const Html index = element("td", text_html(std::to_string(one.index)));
        const Html expected =
            element("td", text_html(cut_to_width(visible_word(one.expected), kWidestValue)));
        const Html got = element("td", text_html(got_text(one)));
        rows += element(is_right ? "tr" : "tr class='wrong'",
                        index + expected + got + element("td", text_html(state_text(one.state))));
    }
    return element("div class='values scroll'", element("table", rows));
}

/// "In f(n = 257). Also for n = 1000, n = 2000 and 3 more."
Html where_html(const TestResult& test) {
    Html text;
    if (!test.call.empty())
        text += Html("In ") + element("code", text_html(visible_word(test.call))) + Html(". ");
    else if (!test.of_case.empty())
        text += Html("With ") + element("code", text_html(visible_word(test.of_case))) + Html(". ");
    constexpr std::size_t kMost = 4;
    const std::size_t shown = std::min(kMost, test.other_cases.size());
    for (std::size_t i = 0; i < shown; ++i)
        text += (i == 0 ? Html("Also for ") : Html("; ")) +
                element("code", text_html(visible_word(test.other_cases[i])));
    if (test.other_cases.size() > shown)
        text += text_html(fmt::format("; and {} more", test.other_cases.size() - shown));
    if (shown > 0) text += Html(".");
    return text.empty() ? text : element("p", text);
}

Html same_html(const std::vector<const TestResult*>& same) {
    if (same.empty()) return {};
    Html names;
    for (const TestResult* test : same)
        names += (names.empty() ? Html() : Html("; ")) + text_html(visible_word(test->name));
    return element("p", Html("Probably the same mistake: ") + names + Html("."));
}

/// Not repeated if it says no more than the headline.
Html message_html(const TestResult& test, bool is_open) {
    const bool says_more = visible(test.message) != visible(headline_of(test));
    if (test.message.empty() || !says_more) return {};
    const Html message = element("pre", text_html(test.message));
    if (is_open) return message;
    return element("details", Html("<summary>The whole message</summary>") + message);
}

}  // namespace

Html failure_html(const TestFailure& failure, const Grading& grading) {
    const TestResult& test = *failure.test;
    const std::string headline = headline_of(test);
    Html card = element("p class='soft'", text_html(visible_word(test.name))) +
                element("p class='headline'", text_html(headline));
    if (test.values) {
        // A headline that says it is not said twice.
        const std::string wrong = wrong_elements(*test.values) + ".";
        if (headline != wrong) card += element("p", text_html(wrong));
        card += values_html(*test.values);
    }
    const Html excerpt =
        excerpt_html(places_of(test), grading.submission.shown, grading.submission.text);
    card += excerpt;
    card += where_html(test);
    if (test.speed) card += speed_html(test, *test.speed);
    const bool shows_little = !test.values && excerpt.empty() && !test.speed;
    card += message_html(test, shows_little) + same_html(failure.same);
    if (!test.output.empty())
        card += element("details", Html("<summary>Your program's own output</summary>") +
                                       element("pre", text_html(test.output)));
    return element("section class='card bad'", card);
}

}  // namespace lab

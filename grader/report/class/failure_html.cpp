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

std::string got_text(const Element& element) {
    if (element.state == State::never_written) return "-";
    if (element.state == State::uninitialized) return "?";
    return cut_to_width(visible_word(element.got), kWidestValue);
}

/// Wrong elements are set in another colour, and marked below.
Html values_html(const ValuesWindow& values) {
    Html index(values.elements > 1 ? Html("<th>index</th>") : Html());
    Html expected("<th>expected</th>"), got("<th>got</th>"), marks("<th></th>");
    bool has_untouched = false, has_fresh = false;
    for (const Element& one : values.around) {
        const bool is_right = one.state == State::right;
        if (values.elements > 1) index += element("td", text_html(std::to_string(one.index)));
        expected +=
            element("td", text_html(cut_to_width(visible_word(one.expected), kWidestValue)));
        got += element(is_right ? "td" : "td class='wrong'", text_html(got_text(one)));
        marks += element("td", is_right ? Html() : Html("&#9650; wrong"));
        has_untouched = has_untouched || one.state == State::never_written;
        has_fresh = has_fresh || one.state == State::uninitialized;
    }
    Html rows = values.elements > 1 ? element("tr", index) : Html();
    rows += element("tr", expected) + element("tr", got) + element("tr", marks);
    Html html = element("div class='values scroll'", element("table", rows));
    if (has_untouched) html += Html("<p class='soft'>- : never written</p>");
    if (has_fresh) html += Html("<p class='soft'>? : device memory that nothing has written</p>");
    return html;
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

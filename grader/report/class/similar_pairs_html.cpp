#include "report/class/similar_pairs_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "base/visible.h"
#include "report/class/feedback.h"
#include "report/markup/number.h"

namespace lab {
namespace {

/// Of each lab: more is no list to read one by one (chosen); similarity.csv has all.
constexpr std::size_t kMostPairs = 30;

Html page_of(const LabGrade& grade) {
    const Student& student = grade.student;
    return link_to(feedback_path(student.id, grade.lab) + ".html",
                   name_html(cut_to_width(student.name.empty() ? student.id : student.name, 40)));
}

Html percent_cell(int percent) {
    return element("td class='number tight'", text_html(fmt::format("{} %", percent)));
}

Html row_of(const SimilarPair& pair) {
    const auto tokens = [](std::size_t count) {
        return element("td class='number tight'", text_html(std::to_string(count)));
    };
    return element("tr", element("td class='who'", page_of(*pair.a)) + percent_cell(pair.a_in_b) +
                             tokens(pair.a_tokens) + element("td class='who'", page_of(*pair.b)) +
                             percent_cell(pair.b_in_a) + tokens(pair.b_tokens));
}

Html pairs_of_lab(const LabSimilarity& lab) {
    const std::size_t notable = lab.notable(), shown = std::min(notable, kMostPairs);
    Html html = element("h3", text_html(fmt::format("{} ({})", visible_word(lab.lab), notable)));
    html += element("p class='soft'",
                    text_html(fmt::format("{} submissions compared. Half of their pairs have {} % "
                                          "or more in common.",
                                          lab.compared, short_number(lab.median_percent))));
    for (const std::string& note : lab.notes) html += element("p class='soft'", text_html(note));
    if (shown > 0) {
        Html rows(
            "<tr><th>one</th><th class='number'>also in the other</th>"
            "<th class='number'>tokens</th><th>other</th>"
            "<th class='number'>also in the one</th><th class='number'>tokens</th></tr>");
        for (std::size_t i = 0; i < shown; ++i) rows += row_of(lab.pairs[i]);
        html += element("div class='scroll'", element("table", rows));
    }
    if (notable > shown)
        html += element("p class='soft'",
                        text_html(fmt::format("{} more are in similarity.csv.", notable - shown)));
    return element("section class='card notice'", html);
}

}  // namespace

Html similar_pairs_html(const std::vector<LabSimilarity>& labs) {
    Html html;
    for (const LabSimilarity& lab : labs)
        if (lab.compared > 1 || !lab.notes.empty()) html += pairs_of_lab(lab);
    if (html.empty()) return html;
    const std::string words = fmt::format(
        "Pairs with {} % or more of their own code in common: names, numbers, comments and layout "
        "do not count, and the skeleton is left out. Similar is no proof. Short labs have few "
        "right solutions, and in some labs most pairs are alike: compare with what is usual there. "
        "Read both files, and talk to both students, before you decide anything.",
        kNotablePercent);
    return Html("<h2>Similar submissions</h2>") + element("p class='soft'", text_html(words)) +
           html;
}

}  // namespace lab

#include "review/review_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/quantity.h"
#include "profiler/numbers.h"
#include "profiler/sections.h"
#include "report/lines.h"
#include "report/markup/html.h"

namespace lab {
namespace {

/// `code` between backticks.
Html prose_html(std::string_view text) {
    Html html;
    bool is_code = false;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('`', begin), text.size());
        const Html piece = text_html(text.substr(begin, end - begin));
        html += is_code ? element("code", piece) : piece;
        is_code = !is_code;
        begin = end + 1;
    }
    return html;
}

Html paragraph(std::string_view text) {
    return element("p", prose_html(text));
}

Html value_html(const ComparedRow& row, double value) {
    return element("td class='number'",
                   text_html(row.is_time ? time_text(value) : count_text(value)));
}

Html row_html(const ComparedRow& row) {
    return element("tr", element("td", text_html(row.name)) + value_html(row, row.submission) +
                             value_html(row, row.reference));
}

/// A part of the time, as bars below each other.
Html part_html(const ComparedRow& part, double longest_s) {
    const double mine = 100 * profiles::ratio(part.submission, longest_s),
                 theirs = 100 * profiles::ratio(part.reference, longest_s);
    return element(
        "tr",
        element("td class='tight'", text_html(part.name)) +
            element("td", element("span class='bar'", positioned("good", 0, mine)) +
                              element("span class='bar'", positioned("other", 0, theirs))) +
            element("td class='number'", text_html(time_text(part.submission)) + Html("<br>") +
                                             text_html(time_text(part.reference))));
}

Html call_html(const ReviewedCall& call) {
    const Comparison& c = call.comparison;
    Html rows = element("tr", element("th", Html()) + element("th class='number'", Html("yours")) +
                                  element("th class='number'", Html("the reference")));
    rows += row_html({"time, modelled", c.submission_s, c.reference_s, true});
    if (call.submission_ms && call.reference_ms)
        rows += row_html(
            {"time, measured", 1e-3 * *call.submission_ms, 1e-3 * *call.reference_ms, true});
    for (const ComparedRow& row : c.counts) rows += row_html(row);
    double longest_s = 0;
    for (const ComparedRow& part : c.parts)
        longest_s = std::max({longest_s, part.submission, part.reference});
    Html parts;
    for (const ComparedRow& part : c.parts)
        if (part.submission > 0 || part.reference > 0) parts += part_html(part, longest_s);
    return element("div class='card'",
                   element("h3", element("code", text_html(call.call))) +
                       element("p class='headline'", text_html(c.why)) + element("table", rows) +
                       element("h3", Html("Where the time goes, each part alone: yours above, the "
                                          "reference below")) +
                       element("table", parts));
}

Html source_html(const ReviewedSource& source) {
    Html html = element("h3", text_html(source.name));
    if (!source.note.empty()) html += element("p class='soft'", text_html(source.note));
    if (source.text.empty()) return element("div", html);
    Html rows;
    int number = 0;
    for (const std::string& line : split_lines(source.text)) {
        const auto share = source.shares.find(++number);
        const bool is_shown = share != source.shares.end() && share->second >= 0.005;
        const Html cells =
            element("td", text_html(is_shown ? percent_text(share->second) : "")) +
            element("td", text_html(line.empty() ? " " : line));  // a row as high as others
        constexpr double kMuch = 0.15;
        rows += is_shown && share->second >= kMuch ? element("tr class='much'", cells)
                                                   : element("tr", cells);
    }
    return element("div", html + element("div class='source'", element("table", rows)));
}

Html question_html(const Question& question) {
    return element("div class='card'",
                   paragraph(question.ask) + paragraph(question.try_it) +
                       element("details", element("summary", Html("I have predicted and measured: "
                                                                  "the answer")) +
                                              paragraph(question.answer)));
}

Html next_html(const NextPicture& next) {
    if (next.title.empty()) return {};
    Html html = element("h2", Html("What comes next: ") + text_html(next.title));
    if (next.bytes.empty()) return html;
    const Html picture = next.is_png ? png_image(next.bytes, next.description)
                                     : svg_image(next.bytes, next.description);
    return html + element("div class='card'", element("figure", picture));
}

}  // namespace

std::map<int, double> line_shares(const std::vector<KernelProfile>& kernels,
                                  const std::string& file) {
    std::map<int, double> costs;
    double all = 0;
    for (const KernelProfile& kernel : kernels)
        for (const vgpu::LineCounts& line : kernel.all.lines) {
            const double cost = line_cost(line);
            all += cost;
            if (std::filesystem::path(line.where.file).filename() ==
                std::filesystem::path(file).filename())
                costs[line.where.line] += cost;
        }
    for (auto& [line, cost] : costs) cost = profiles::ratio(cost, all);
    return costs;
}

std::string review_page(const Review& review, const ReviewedSource& submission,
                        const ReviewedSource& reference, const NextPicture& next) {
    Html body =
        element("div class='top'",
                element("div", element("h1", text_html(review.title)) +
                                   element("p class='soft'",
                                           text_html("Times are modelled for " + review.gpu +
                                                     "; counts are exact for the PTX that ran."))));
    if (!review.surprise.empty())
        body += element("h2", Html("Did you expect that?")) +
                element("div class='card good'", paragraph(review.surprise));
    if (!review.calls.empty()) body += element("h2", Html("Yours beside the reference"));
    for (const ReviewedCall& call : review.calls) body += call_html(call);
    body += element("h2", review.calls.empty() ? Html("Both programs")
                                               : Html("Both programs, with what each line costs")) +
            element("div class='beside'", source_html(submission) + source_html(reference));
    if (!review.notes.notes.empty()) {
        body += element("h2", Html("Now that it works"));
        for (const std::string& note : review.notes.notes) body += paragraph(note);
    }
    if (!review.notes.questions.empty()) {
        body += element("h2", Html("Predict, then find out"));
        for (const Question& question : review.notes.questions) body += question_html(question);
    }
    return html_document(review.title, body + next_html(next));
}

}  // namespace lab

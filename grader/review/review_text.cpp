#include "review/review_text.h"

#include <fmt/format.h>

#include "base/visible.h"
#include "profiler/numbers.h"
#include "report/lines.h"

namespace lab {
namespace {

std::string value_text(const ComparedRow& row, double value) {
    return row.is_time ? profiles::time_text(value) : profiles::count_text(value);
}

std::string row_text(const std::string& name, const std::string& mine, const std::string& theirs) {
    return fmt::format("  {:<34}{:>16}{:>16}\n", name, mine, theirs);
}

std::string call_text(const ReviewedCall& call, const TextStyle& style) {
    const Comparison& c = call.comparison;
    std::string text = Painter(style)(Colour::strong, visible(call.call)) + "\n";
    text += row_text("", "yours", "the reference");
    text += row_text("time, modelled", profiles::time_text(c.submission_s),
                     profiles::time_text(c.reference_s));
    if (call.submission_ms && call.reference_ms)
        text += row_text("time, measured", profiles::time_text(1e-3 * *call.submission_ms),
                         profiles::time_text(1e-3 * *call.reference_ms));
    for (const ComparedRow& row : c.counts)
        text += row_text(row.name, value_text(row, row.submission), value_text(row, row.reference));
    return text + joined(prose_lines(c.why, kIndent, style.width));
}

std::string paragraph(std::string_view heading, const std::string& text, const TextStyle& style) {
    return Painter(style)(Colour::strong, heading) + "\n" +
           joined(prose_lines(visible(text), kIndent, style.width));
}

}  // namespace

std::string review_text(const Review& review, const TextStyle& style) {
    std::string text = Painter(style)(Colour::strong, visible(review.title)) + "\n";
    for (const ReviewedCall& call : review.calls) text += "\n" + call_text(call, style);
    if (!review.surprise.empty())
        text += "\n" + paragraph("Did you expect that?", review.surprise, style);
    for (const std::string& note : review.notes.notes)
        text += "\n" + joined(prose_lines(note, 0, style.width));
    for (const Question& question : review.notes.questions) {
        text += "\n" + paragraph("Predict, then find out", question.ask, style);
        text += joined(prose_lines(question.try_it, kIndent, style.width));
    }
    text += "\n" + joined(prose_lines(fmt::format("Answers, both programs side by side{}:  {}",
                                                  review.next_title.empty()
                                                      ? ""
                                                      : ", and a picture of what comes next (" +
                                                            review.next_title + ")",
                                                  review.page),
                                      0, style.width));
    return text;
}

}  // namespace lab

#include "review/review_text.h"

#include <fmt/format.h>

#include "base/quantity.h"
#include "base/visible.h"
#include "report/lines.h"

namespace lab {
namespace {

std::string call_text(const ReviewedCall& call, const TextStyle& style) {
    const Comparison& c = call.comparison;
    std::string text = Painter(style)(Colour::strong, visible(call.call)) + "\n";
    std::string times = fmt::format("{}, the reference {} (modelled)", time_text(c.submission_s),
                                    time_text(c.reference_s));
    if (call.submission_ms && call.reference_ms)
        times += fmt::format("; {} and {} measured", time_text(1e-3 * *call.submission_ms),
                             time_text(1e-3 * *call.reference_ms));
    return text + joined(prose_lines(times + ". " + c.why, kIndent, style.width));
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
    if (!review.notes.questions.empty()) {
        const Question& question = review.notes.questions.front();
        text += "\n" + paragraph("Predict, then find out", question.ask, style);
        text += joined(prose_lines(question.try_it, kIndent, style.width));
    }
    text += "\nThe answer, both programs side by side, what an expert would do next";
    if (!review.next_title.empty()) text += ",\nand a picture of what comes next";
    return text + ":\n  " + visible(review.page) + "\n";
}

}  // namespace lab

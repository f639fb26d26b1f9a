#include "report/class/speed_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/class/feedback.h"
#include "report/markup/number.h"

namespace lab {
namespace {

std::string ratio_text(double ratio) {
    return fmt::format("{:.2f}x", ratio);
}

const char* interval_classes(Verdict verdict) {
    if (verdict == Verdict::pass) return "interval good";
    return verdict == Verdict::fail ? "interval" : "interval notice";
}

/// From 0 to a little past the largest of ratio, threshold and 1 (as fast as the reference).
Html scale(const TestResult& test, const SpeedResult& speed) {
    const double end = 1.15 * std::max({1.0, speed.threshold, speed.high, speed.ratio});
    const auto at = [&](double ratio) { return 100 * ratio / end; };
    // Words at an edge would leave the card.
    const auto word_at = [&](double ratio) { return std::clamp(at(ratio), 5.0, 93.0); };
    Html marks = positioned("axis", 0, 100);
    marks += positioned("accepted", at(speed.threshold), 100 - at(speed.threshold));
    marks +=
        positioned(interval_classes(test.verdict), at(speed.low), at(speed.high) - at(speed.low));
    marks += positioned("limit", at(speed.threshold), 0);
    marks += positioned("word above", word_at(speed.ratio), 0,
                        text_html("yours " + ratio_text(speed.ratio)));
    marks += positioned("word below", word_at(speed.threshold), 0,
                        text_html("required " + ratio_text(speed.threshold)));
    constexpr double kRoomOfWords = 16;  // percent
    if (std::abs(at(1) - at(speed.threshold)) > kRoomOfWords)
        marks += positioned("word below", word_at(1), 0, text_html("reference 1x"));
    return element("div class='scale'", marks);
}

Html part_row(const SpeedPart& part, double longest) {
    const double all = std::max(longest, 1e-9);
    const Html bars =
        element("span class='bar'", positioned(part.is_cause ? "mine" : "other", 0,
                                               std::max(0.5, 100 * part.submission_us / all)));
    Html name = text_html(part.name);
    if (part.is_cause) name += Html(" ") + element("span class='badge bad'", Html("the cause"));
    return element(
        "tr", element("td", name) +
                  element("td class='number'", text_html(microseconds_text(part.submission_us))) +
                  element("td class='number'", text_html(microseconds_text(part.reference_us))) +
                  element("td", bars) + element("td", text_html(part.count)));
}

Html parts_table(const std::vector<SpeedPart>& parts) {
    double longest = 0;
    for (const SpeedPart& part : parts) longest = std::max(longest, part.submission_us);
    Html rows(
        "<tr><th>part</th><th class='number'>yours</th><th class='number'>reference</th>"
        "<th>yours, modelled</th><th>your count</th></tr>");
    for (const SpeedPart& part : parts) rows += part_row(part, longest);
    return element("div class='scroll'", element("table", rows));
}

std::string interval_text(const SpeedResult& speed) {
    std::string text = fmt::format("{} of the reference's speed", ratio_text(speed.ratio));
    if (speed.timed)
        text +=
            fmt::format(", 95 % interval {} to {}", ratio_text(speed.low), ratio_text(speed.high));
    text += fmt::format("; at least {} is required.", ratio_text(speed.threshold));
    if (speed.submission_ms > 0)
        text += fmt::format(" Medians: yours {}, the reference {}.",
                            microseconds_text(1000 * speed.submission_ms),
                            microseconds_text(1000 * speed.reference_ms));
    return text;
}

}  // namespace

Html speed_html(const TestResult& test, const SpeedResult& speed) {
    Html html = element("p", text_html(interval_text(speed))) + scale(test, speed);
    if (test.verdict == Verdict::inconclusive)
        html += element("p", Html("The measurement cannot tell. It costs no points."));
    if (!speed.parts.empty()) html += parts_table(speed.parts);
    Html why = text_html(judged_on_text(speed));
    for (const std::string& cause : speed.disturbed_by)
        why += Html(" ") + text_html(cause) + Html(".");
    return html + element("p class='soft'", why);
}

}  // namespace lab

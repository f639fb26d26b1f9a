// Draws bars and timelines: one line per row of the table.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plots/text_plot_parts.h"

namespace lab::text_plots {
namespace {

constexpr std::size_t kMostLabelColumns = 34;
constexpr std::size_t kValueColumns = 24;  // "1200, expected 1300"

/// A bar `eighths` of a character long; at least one eighth, so that every value above 0 shows.
std::string bar(double eighths, bool utf8) {
    const int count = static_cast<int>(std::ceil(eighths));
    std::string text;
    if (!utf8) return std::string(static_cast<std::size_t>((count + 4) / 8), '#');
    constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    for (int k = 0; k < count / 8; ++k) text += "█";
    return text + kParts[count % 8];
}

std::size_t widest_of(const std::vector<std::string>& texts) {
    std::size_t widest = 0;
    for (const std::string& text : texts) widest = std::max(widest, text.size());
    return std::min(widest, kMostLabelColumns);
}

}  // namespace

std::string draw_bars(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas) {
    recipe.at("label");
    std::vector<std::string> labels = texts_of(table, recipe.list("label"), ", ");
    const std::vector<double> values = numbers_of(table, recipe.at("value"));
    const bool compared = recipe.has("expected");
    const std::vector<double> expected =
        compared ? numbers_of(table, recipe.at("expected")) : std::vector<double>{};
    double most = 0;
    for (const double value : compared ? expected : values)
        if (std::isfinite(value)) most = std::max(most, value);
    const std::size_t widest = widest_of(labels);
    const std::size_t room = canvas.columns - std::min(canvas.columns - 20, widest + kValueColumns);
    std::string text = fmt::format("  {:{}}  {}{}\n", "", widest, plain_name(recipe.at("value")),
                                   compared ? "; where it differs, what is expected" : "");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_known = std::isfinite(values[i]);
        const double share = most > 0 && is_known ? std::clamp(values[i] / most, 0.0, 1.0) : 0;
        std::string line = bar(share * 8 * static_cast<double>(room), canvas.utf8);
        std::string number = is_known ? short_number(values[i]) : "nothing";
        if (compared && !(values[i] == expected[i]))
            number += ", expected " + short_number(expected[i]);
        const std::string first = labels[i].substr(0, labels[i].find(','));
        text +=
            fmt::format("  {:<{}.{}}  {}{}{}\n", labels[i], widest, widest,
                        coloured(line, colour_for(first), canvas), line.empty() ? "" : " ", number);
    }
    return text;
}

std::string draw_spans(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas) {
    const std::vector<std::string> rows = texts_of(table, {recipe.at("row")}, "");
    const std::vector<std::string> kinds = texts_of(table, {recipe.at("kind")}, "");
    const std::vector<double> from = numbers_of(table, recipe.at("from"));
    const std::vector<double> to = numbers_of(table, recipe.at("to"));
    std::vector<std::string> names, all_kinds;
    double last = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (std::ranges::find(names, rows[i]) == names.end()) names.push_back(rows[i]);
        if (std::ranges::find(all_kinds, kinds[i]) == all_kinds.end())
            all_kinds.push_back(kinds[i]);
        last = std::max(last, to[i]);
    }
    std::ranges::sort(names);  // the default stream is first, stream 10 after stream 1: few have it
    const std::vector<char> letters = letters_for(all_kinds);
    const std::size_t widest = widest_of(names);
    const std::size_t room = canvas.columns - widest - 5;
    const auto column = [&](double time) {
        const double share = last > 0 ? std::clamp(time / last, 0.0, 1.0) : 0;
        return static_cast<std::size_t>(share * static_cast<double>(room));
    };
    std::string text;
    for (const std::string& name : names) {
        std::string line(room, ' ');
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i] != name) continue;
            const auto kind = std::ranges::find(all_kinds, kinds[i]) - all_kinds.begin();
            const std::size_t begin = std::min(column(from[i]), room - 1);
            const std::size_t end = std::max(begin + 1, column(to[i]));
            std::fill(line.begin() + static_cast<std::ptrdiff_t>(begin),
                      line.begin() + static_cast<std::ptrdiff_t>(end),
                      letters[static_cast<std::size_t>(kind)]);
        }
        std::string shown;
        for (const char c : without_trailing(line)) {
            const auto kind = std::ranges::find(letters, c) - letters.begin();
            shown += c == ' '
                         ? std::string(" ")
                         : coloured(std::string(1, c),
                                    colour_for(all_kinds[static_cast<std::size_t>(kind)]), canvas);
        }
        text += fmt::format("  {:<{}} {}{}\n", name, widest, canvas.utf8 ? "│" : "|", shown);
    }
    const std::string unit = recipe.at("to").substr(recipe.at("to").find('_') + 1);
    const std::string end = short_number(last) + " " + unit;
    text += fmt::format("  {:<{}} {:<{}}{}\n  {:<{}} ", "", widest, " 0", room + 1 - end.size(),
                        end, "", widest);
    for (std::size_t k = 0; k < all_kinds.size(); ++k)
        text += fmt::format("  {} {}",
                            coloured(std::string(1, letters[k]), colour_for(all_kinds[k]), canvas),
                            plain_name(all_kinds[k]));
    return text + "\n";
}

}  // namespace lab::text_plots

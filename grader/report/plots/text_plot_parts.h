// Shares code between text_plot.h's drawings: recipes, columns as numbers, and lines of characters.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/plots/text_plot.h"

namespace lab::text_plots {

/// A parsed recipe.
struct Recipe {
    std::string text, kind;
    std::map<std::string, std::string> settings;

    bool has(const std::string& key) const { return settings.contains(key); }
    /// Throws Failure (our fault) if the setting is missing.
    std::string at(const std::string& key) const;
    /// The parts between commas; none when it is missing.
    std::vector<std::string> list(const std::string& key) const;
    /// Whether log= names this axis.
    bool is_log(std::string_view axis) const;
};

/// The place of a column. Throws Failure (our fault) when the table has none of this name.
std::size_t column_at(const CsvTable& table, const std::string& name);
/// A column as numbers; NaN for cells that are missing or not a number.
std::vector<double> numbers_of(const CsvTable& table, const std::string& name);
/// Cells of several columns joined, row by row.
std::vector<std::string> texts_of(const CsvTable& table, const std::vector<std::string>& names,
                                  std::string_view between);

/// "yours" for "student"; other names with blanks for underscores.
std::string plain_name(const std::string& column);
/// A number in at most four digits: "2^20", "0.25", "1e-07".
std::string short_number(double value, bool as_power_of_two = false);
/// A letter for each name, one of its own if possible.
std::vector<char> letters_for(const std::vector<std::string>& names);
/// The SGR number of a version's or series' colour.
int colour_for(const std::string& name);
/// `text` in a colour, if the canvas has colours; 0: unchanged.
std::string coloured(std::string_view text, int sgr, const TextCanvas& canvas);

/// Removes blanks at the end.
std::string without_trailing(std::string text);

std::string draw_lines(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas);
std::string draw_bars(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas);
std::string draw_spans(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas);
std::string draw_numbers(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas);
std::string draw_shades(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas);
std::string draw_marks(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas);

}  // namespace lab::text_plots

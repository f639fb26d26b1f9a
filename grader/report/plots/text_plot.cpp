#include "report/plots/text_plot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/failure.h"
#include "report/plots/text_plot_parts.h"

namespace lab {
namespace text_plots {

static std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
    return parts;
}

std::string Recipe::at(const std::string& key) const {
    const auto found = settings.find(key);
    if (found == settings.end())
        throw own_fault(fmt::format("The recipe \"{}\" of a drawing needs {}=...", text, key));
    return found->second;
}

std::vector<std::string> Recipe::list(const std::string& key) const {
    return has(key) ? parts_of(at(key)) : std::vector<std::string>{};
}

bool Recipe::is_log(std::string_view axis) const {
    return has("log") && at("log").find(axis) != std::string::npos;
}

static Recipe read_recipe(std::string_view text) {
    Recipe recipe;
    recipe.text = text;
    std::istringstream words(recipe.text);
    words >> recipe.kind;
    for (std::string word; words >> word;) {
        const std::size_t at = word.find('=');
        if (at == std::string::npos)
            throw own_fault(
                fmt::format("\"{}\" in the recipe \"{}\" has no value.", word, recipe.text));
        recipe.settings[word.substr(0, at)] = word.substr(at + 1);
    }
    return recipe;
}

std::size_t column_at(const CsvTable& table, const std::string& name) {
    const auto found = std::ranges::find(table.columns, name);
    if (found == table.columns.end())
        throw own_fault(fmt::format("A drawing needs the column \"{}\". The table has: {}.", name,
                                    fmt::join(table.columns, ", ")));
    return static_cast<std::size_t>(found - table.columns.begin());
}

std::vector<double> numbers_of(const CsvTable& table, const std::string& name) {
    const std::size_t column = column_at(table, name);
    std::vector<double> numbers;
    for (const auto& row : table.rows) {
        const std::string& cell = row[column];
        double value = std::numeric_limits<double>::quiet_NaN();
        std::from_chars(cell.data(), cell.data() + cell.size(), value);
        numbers.push_back(value);
    }
    return numbers;
}

std::vector<std::string> texts_of(const CsvTable& table, const std::vector<std::string>& names,
                                  std::string_view between) {
    std::vector<std::size_t> columns;
    for (const std::string& name : names) columns.push_back(column_at(table, name));
    std::vector<std::string> texts;
    for (const auto& row : table.rows) {
        std::vector<std::string_view> cells;
        for (const std::size_t column : columns)
            if (!row[column].empty()) cells.push_back(row[column]);
        texts.push_back(fmt::format("{}", fmt::join(cells, between)));
    }
    return texts;
}

std::string plain_name(const std::string& column) {
    if (column == "student") return "yours";
    std::string name = column;
    std::ranges::replace(name, '_', ' ');
    return name;
}

std::string short_number(double value, bool as_power_of_two) {
    const double exponent = std::log2(value);
    if (as_power_of_two && value >= 1024 && exponent == std::floor(exponent))
        return fmt::format("2^{:.0f}", exponent);
    if (std::abs(value) >= 1000 && std::abs(value) < 1e6) return fmt::format("{:.0f}", value);
    return fmt::format("{:.3g}", value);
}

std::vector<char> letters_for(const std::vector<std::string>& names) {
    std::vector<char> letters;
    for (const std::string& name : names) {
        const std::string candidates = name + "abcdefghijklmnopqrstuvwxyz0123456789";
        const auto is_free = [&](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 &&
                   std::ranges::find(letters, c) == letters.end();
        };
        const auto found = std::ranges::find_if(candidates, is_free);
        letters.push_back(found == candidates.end() ? '?' : *found);
    }
    return letters;
}

// The colours of style.gp, or the nearest of sixteen.
int colour_for(const std::string& name) {
    if (name == "student" || name == "kernels" || name == "1") return 33;
    if (name == "reference" || name == "expected" || name == "copy_to_device") return 34;
    if (name == "expert") return 32;
    if (name == "copy_to_host") return 36;
    if (name == "log") return 31;
    return 0;
}

std::string coloured(std::string_view text, int sgr, const TextCanvas& canvas) {
    if (!canvas.colour || sgr == 0) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", sgr, text);
}

std::string without_trailing(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

}  // namespace text_plots

std::string text_plot(const CsvTable& table, std::string_view recipe, const TextCanvas& canvas) {
    using namespace text_plots;
    const Recipe read = read_recipe(recipe);
    if (read.kind == "lines" || read.kind == "points") return draw_lines(table, read, canvas);
    if (read.kind == "bars") return draw_bars(table, read, canvas);
    if (read.kind == "spans") return draw_spans(table, read, canvas);
    if (read.kind == "numbers") return draw_numbers(table, read, canvas);
    if (read.kind == "shades") return draw_shades(table, read, canvas);
    if (read.kind == "marks") return draw_marks(table, read, canvas);
    throw own_fault(
        fmt::format("There is no drawing \"{}\". The kinds: lines, points, bars, spans, numbers, "
                    "shades, marks.",
                    read.kind));
}

}  // namespace lab

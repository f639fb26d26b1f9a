// Draws maps: values at their places, as numbers, as shades of grey, or as right and wrong.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "report/plots/text_plot_parts.h"

namespace lab::text_plots {
namespace {

constexpr std::size_t kMostRows = 20;             // a terminal of 24 lines shows it whole
constexpr std::string_view kRamp = " .:-=+*#%@";  // brighter on a dark screen
constexpr int kDarkestGrey = 232, kGreys = 24;    // of the 256 colours

/// A value for each place; NaN where the table has none.
struct Grid {
    std::size_t columns = 0, rows = 0;
    std::vector<double> values;
    double at(std::size_t x, std::size_t y) const { return values[y * columns + x]; }
};

std::size_t size_along(const std::vector<double>& places) {
    return places.empty()
               ? 0
               : static_cast<std::size_t>(std::lround(*std::ranges::max_element(places))) + 1;
}

/// The column `name`, placed by x= and y=.
Grid grid_of(const CsvTable& table, const Recipe& recipe, const std::vector<double>& values) {
    const std::vector<double> x = numbers_of(table, recipe.at("x"));
    const std::vector<double> y = numbers_of(table, recipe.at("y"));
    Grid grid{size_along(x), size_along(y), {}};
    grid.values.assign(grid.columns * grid.rows, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < values.size(); ++i)
        grid.values[static_cast<std::size_t>(y[i]) * grid.columns +
                    static_cast<std::size_t>(x[i])] = values[i];
    return grid;
}

struct Size {
    std::size_t columns, rows;
};

/// As large as fits, in characters that are twice as high as wide.
Size size_for(const Grid& grid, std::size_t room) {
    double columns = static_cast<double>(std::min(grid.columns, room));
    const double shape = static_cast<double>(grid.rows) / static_cast<double>(grid.columns) / 2;
    columns = std::min(columns, static_cast<double>(kMostRows) / shape);
    const auto whole = std::max<std::size_t>(1, static_cast<std::size_t>(columns));
    return {whole, std::max<std::size_t>(1, static_cast<std::size_t>(
                                                std::lround(static_cast<double>(whole) * shape)))};
}

/// Calls take(value) for all places that one of `size` characters stands for.
template <class Take>
void each_place(const Grid& grid, Size size, std::size_t x, std::size_t y, const Take& take) {
    const auto end = [](std::size_t cell, std::size_t cells, std::size_t places) {
        return std::max((cell + 1) * places / cells, cell * places / cells + 1);
    };
    for (std::size_t v = y * grid.rows / size.rows; v < end(y, size.rows, grid.rows); ++v)
        for (std::size_t u = x * grid.columns / size.columns;
             u < end(x, size.columns, grid.columns); ++u)
            take(grid.at(u, v));
}

double mean_at(const Grid& grid, Size size, std::size_t x, std::size_t y) {
    double sum = 0;
    int count = 0;
    each_place(grid, size, x, y, [&](double value) {
        if (!std::isfinite(value)) return;
        sum += value;
        ++count;
    });
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

/// From 0 for the least of the expected values to 1 for the greatest.
struct Scale {
    double low, high;
    explicit Scale(const std::vector<double>& values)
        : low(std::numeric_limits<double>::infinity()), high(-low) {
        for (const double value : values) {
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    int level(double value, int levels) const {
        const double share = high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0;
        return static_cast<int>(std::lround(share * (levels - 1)));
    }
};

/// One line of a heat map: characters from light to dense, or two greys in each character.
std::string shade_line(const Grid& grid, Size size, std::size_t y, const Scale& scale,
                       const TextCanvas& canvas) {
    std::string line;
    for (std::size_t x = 0; x < size.columns; ++x) {
        if (!canvas.utf8 || !canvas.colour) {
            const double value = mean_at(grid, size, x, y);
            line += std::isfinite(value) ? kRamp[static_cast<std::size_t>(
                                               scale.level(value, static_cast<int>(kRamp.size())))]
                                         : '?';
            continue;
        }
        const Size halves{size.columns, 2 * size.rows};
        const auto grey = [&](std::size_t half) {
            const double value = mean_at(grid, halves, x, 2 * y + half);
            return std::isfinite(value)
                       ? fmt::format("5;{}", kDarkestGrey + scale.level(value, kGreys))
                       : "5;52";  // dark red: never written
        };
        line += fmt::format("\x1b[38;{};48;{}m▀", grey(0), grey(1));
    }
    return canvas.utf8 && canvas.colour ? line + "\x1b[0m" : line;
}

/// The values of one panel of draw_numbers as text: "-" for what was never written.
std::vector<std::string> number_cells(const CsvTable& table,
                                      const std::vector<std::string>& columns) {
    std::vector<std::string> cells(table.rows.size());
    for (const std::string& column : columns) {
        const std::vector<double> values = numbers_of(table, column);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const double value = values[i];
            cells[i] += cells[i].empty() ? "" : ",";
            cells[i] += !(value >= 0) ? "-" : value > 999 ? ">" : fmt::format("{:g}", value);
        }
    }
    for (std::string& cell : cells)
        if (cell.find_first_not_of(",-") == std::string::npos) cell = "-";
    return cells;
}

struct Places {
    std::vector<std::size_t> x, y;
};

Places places_of(const CsvTable& table, const Recipe& recipe) {
    Places places;
    const auto whole = [](double value) { return static_cast<std::size_t>(std::lround(value)); };
    for (const double x : numbers_of(table, recipe.at("x"))) places.x.push_back(whole(x));
    if (recipe.has("wrap")) {
        const std::size_t wrap = std::stoul(recipe.at("wrap"));
        for (std::size_t& x : places.x) {
            places.y.push_back(x / wrap);
            x %= wrap;
        }
    } else {
        for (const double y : numbers_of(table, recipe.at("y"))) places.y.push_back(whole(y));
    }
    return places;
}

std::string panel_of_numbers(const std::vector<std::string>& cells, const Places& places,
                             const Recipe& recipe, const TextCanvas& canvas) {
    const std::size_t rows = *std::ranges::max_element(places.y) + 1;
    const std::size_t columns = *std::ranges::max_element(places.x) + 1;
    std::size_t width = 1;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    const std::string name = recipe.has("wrap") ? recipe.at("x") : recipe.at("y");
    const std::size_t margin = name.size() + 8;
    const std::size_t gap = margin + columns * (width + 1) <= canvas.columns || width > 1 ? 1 : 0;
    std::vector<std::vector<std::string>> grid(rows, std::vector<std::string>(columns));
    for (std::size_t i = 0; i < cells.size(); ++i) grid[places.y[i]][places.x[i]] = cells[i];
    std::string text;
    for (std::size_t y = 0; y < rows; ++y) {
        const std::size_t number = recipe.has("wrap") ? y * std::stoul(recipe.at("wrap")) : y;
        std::string line = fmt::format("  {:<{}}", fmt::format("{} {}", name, number), margin - 2);
        for (const std::string& cell : grid[y])
            line += fmt::format("{:>{}}{}", cell, width, gap == 1 ? " " : "");
        text += without_trailing(line) + "\n";
    }
    return text;
}

}  // namespace

std::string draw_numbers(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas) {
    recipe.at("value");
    const Places places = places_of(table, recipe);
    const std::vector<std::string> got = number_cells(table, recipe.list("value"));
    bool some_missing = std::ranges::find(got, "-") != got.end();
    std::string text;
    if (recipe.has("expected")) {
        const std::vector<std::string> expected = number_cells(table, recipe.list("expected"));
        text += "  expected\n" + panel_of_numbers(expected, places, recipe, canvas);
        std::size_t different = 0;
        for (std::size_t i = 0; i < got.size(); ++i) different += got[i] != expected[i] ? 1u : 0u;
        text += different == 0 ? std::string("\n  yours: all the same\n")
                               : fmt::format("\n  yours: {} of {} differ\n", different, got.size());
    }
    text += panel_of_numbers(got, places, recipe, canvas);
    return text + (some_missing ? "  -  nothing, or no such number\n" : "");
}

std::string draw_shades(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas) {
    recipe.at("value");
    const std::vector<std::string> columns = recipe.list("value");
    std::vector<Grid> grids;
    for (const std::string& column : columns) {
        std::vector<double> values = numbers_of(table, column);
        if (recipe.is_log("value"))
            for (double& value : values) value = std::log(value + 1);  // counts begin at 0
        grids.push_back(grid_of(table, recipe, values));
    }
    const auto expected = std::ranges::find(columns, "expected");
    const Scale scale(
        grids[expected == columns.end() ? 0 : static_cast<std::size_t>(expected - columns.begin())]
            .values);
    constexpr std::size_t kGap = 3;
    const std::size_t room = (canvas.columns - 2 - kGap * (grids.size() - 1)) / grids.size();
    const Size size = size_for(grids[0], room);
    std::string heading = " ", text;
    for (const std::string& column : columns)
        heading += fmt::format(" {:<{}}", plain_name(column), size.columns + kGap - 1);
    for (std::size_t y = 0; y < size.rows; ++y) {
        std::string line = "  ";
        for (std::size_t g = 0; g < grids.size(); ++g)
            line += (g > 0 ? std::string(kGap, ' ') : "") +
                    shade_line(grids[g], size, y, scale, canvas);
        text += without_trailing(line) + "\n";
    }
    const bool some_missing =
        text.find(canvas.colour && canvas.utf8 ? "5;52" : "?") != std::string::npos;
    return without_trailing(heading) + "\n" + text +
           (some_missing
                ? canvas.colour && canvas.utf8 ? "  red: never written\n" : "  ?  never written\n"
                : "");
}

std::string draw_marks(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas) {
    // From the least important to the most important.
    enum Mark { right, missing, wrong };
    constexpr std::array kLetters = {'.', '-', 'x'};
    const std::vector<double> got = numbers_of(table, recipe.at("value"));
    std::vector<double> low, high;
    if (recipe.has("expected")) {
        low = high = numbers_of(table, recipe.at("expected"));
        const std::vector<double> tolerance = recipe.has("tolerance")
                                                  ? numbers_of(table, recipe.at("tolerance"))
                                                  : std::vector<double>(low.size(), 0);
        for (std::size_t i = 0; i < low.size(); ++i) {
            low[i] -= tolerance[i];
            high[i] += tolerance[i];
        }
    } else {
        low = numbers_of(table, recipe.at("low"));
        high = numbers_of(table, recipe.at("high"));
    }
    const std::vector<double> written = recipe.has("written")
                                            ? numbers_of(table, recipe.at("written"))
                                            : std::vector<double>(got.size(), 1);
    std::array<std::size_t, 3> counts{};
    std::vector<double> marks;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool is_there = written[i] != 0 && !std::isnan(got[i]);
        const Mark mark = !is_there                               ? missing
                          : got[i] >= low[i] && got[i] <= high[i] ? right
                                                                  : wrong;
        ++counts[mark];
        marks.push_back(mark);
    }
    const Grid grid = grid_of(table, recipe, marks);
    const Size size = size_for(grid, canvas.columns - 4);
    if (counts[right] == got.size()) return fmt::format("  yours: all {} right\n", got.size());
    std::string text = fmt::format("  yours:   . right {}   x wrong {}   - never written {}\n",
                                   counts[right], counts[wrong], counts[missing]);
    for (std::size_t y = 0; y < size.rows; ++y) {
        std::string line = "  ";
        for (std::size_t x = 0; x < size.columns; ++x) {
            double worst = right;
            each_place(grid, size, x, y, [&](double mark) { worst = std::max(worst, mark); });
            const char letter = kLetters[static_cast<std::size_t>(worst)];
            line += coloured(std::string(1, letter), letter == kLetters[wrong] ? 31 : 0, canvas);
        }
        text += line + "\n";
    }
    return text;
}

}  // namespace lab::text_plots

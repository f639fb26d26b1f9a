// Draws lines and points in a frame with axes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/plots/text_plot_parts.h"

namespace lab::text_plots {
namespace {

constexpr int kFrameRows = 15;  // with title, axis and legend it fits a terminal of 24 lines
constexpr int kLabelColumns = 8;

struct Series {
    std::string name;
    std::vector<double> x, y;
};

std::vector<Series> series_of(const CsvTable& table, const Recipe& recipe) {
    const std::vector<double> x = numbers_of(table, recipe.at("x"));
    recipe.at("y");
    std::vector<Series> all;
    for (const std::string& column : recipe.list("y")) {
        const std::vector<double> y = numbers_of(table, column);
        const std::vector<std::string> names =
            recipe.has("by") ? texts_of(table, {recipe.at("by")}, "")
                             : std::vector<std::string>(table.rows.size(), column);
        for (std::size_t i = 0; i < names.size(); ++i) {
            auto one = std::ranges::find(all, names[i], &Series::name);
            if (one == all.end()) one = all.insert(all.end(), {names[i], {}, {}});
            one->x.push_back(x[i]);
            one->y.push_back(y[i]);
        }
    }
    return all;
}

/// Turns values into rows or columns.
struct Axis {
    bool log = false;
    double low = 0, high = 1;
    int cells = 1;

    double position(double value) const {
        const double share =
            log ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low))
                : (value - low) / (high - low);
        return share * (cells - 1);
    }
    int cell(double value) const { return static_cast<int>(std::lround(position(value))); }
    bool has(double value) const {
        return std::isfinite(value) && value >= low && value <= high && (!log || value > 0);
    }
};

Axis axis_for(const std::vector<Series>& all, std::vector<double> Series::*values, bool log,
              int cells) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Series& one : all) {
        for (const double value : one.*values) {
            if (!std::isfinite(value) || (log && value <= 0)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (low > high) low = high = 1;  // no values
    if (low == high) {
        low = log ? low / 2 : low - 0.5;
        high = log ? high * 2 : high + 0.5;
    }
    return {log, low, high, cells};
}

/// 1, 2 or 5 times a power of ten: so that about `count` of them fill the range.
double tick_step(double range, int count) {
    const double rough = range / count;
    const double ten = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * ten * 1.0001) return factor * ten;
    return 10 * ten;
}

std::vector<double> ticks_of(const Axis& axis, int count) {
    std::vector<double> ticks;
    if (!axis.log) {
        const double step = tick_step(axis.high - axis.low, count);
        for (double k = std::ceil(axis.low / step - 1e-9); k * step <= axis.high + 1e-9 * step; ++k)
            ticks.push_back(k == 0 ? 0 : k * step);
        return ticks;
    }
    const double decades = std::log10(axis.high / axis.low);
    if (decades < 1.5) return {axis.low, std::sqrt(axis.low * axis.high), axis.high};
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / count)));
    for (int k = static_cast<int>(std::ceil(std::log10(axis.low) - 1e-9));
         std::pow(10, k) <= axis.high * 1.0001; k += stride)
        ticks.push_back(std::pow(10, k));
    return ticks;
}

/// Powers of two where the axis is logarithmic and the sizes are such.
std::vector<double> x_ticks(const Axis& axis, const std::vector<Series>& all) {
    if (!axis.log) return ticks_of(axis, 6);
    std::vector<double> values;
    for (const Series& one : all) values.insert(values.end(), one.x.begin(), one.x.end());
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    std::erase_if(values, [&](double value) { return !axis.has(value); });
    const std::size_t stride = (values.size() + 6) / 7;
    std::vector<double> some;
    for (std::size_t i = 0; i < values.size(); i += std::max<std::size_t>(1, stride))
        some.push_back(values[i]);
    return some;
}

struct Frame {
    int columns;
    std::vector<std::string> glyphs;  ///< one character each, or empty
    std::vector<int> owners;          ///< the series that drew it

    explicit Frame(int width)
        : columns(width),
          glyphs(static_cast<std::size_t>(width * kFrameRows)),
          owners(glyphs.size(), -1) {}
    std::size_t place(int x, int y) const {
        return static_cast<std::size_t>((kFrameRows - 1 - y) * columns + x);
    }
};

/// Dots from one point to the next; points come later and hide them.
void connect(Frame& frame, const Axis& x, const Axis& y, const Series& one, std::size_t i,
             const std::string& dot) {
    if (!x.has(one.x[i]) || !x.has(one.x[i + 1]) || !y.has(one.y[i]) || !y.has(one.y[i + 1]))
        return;
    const double from_x = x.position(one.x[i]), to_x = x.position(one.x[i + 1]);
    const double from_y = y.position(one.y[i]), to_y = y.position(one.y[i + 1]);
    const int steps =
        static_cast<int>(std::ceil(std::max(std::abs(to_x - from_x), std::abs(to_y - from_y))));
    for (int k = 1; k < steps; ++k) {
        const double share = static_cast<double>(k) / steps;
        frame.glyphs[frame.place(static_cast<int>(std::lround(from_x + share * (to_x - from_x))),
                                 static_cast<int>(std::lround(from_y + share * (to_y - from_y))))] =
            dot;
    }
}

std::string x_labels(const Axis& x, const std::vector<double>& ticks, std::string& marks,
                     const std::string& tick) {
    std::string labels;
    std::vector<bool> is_tick(static_cast<std::size_t>(x.cells), false);
    for (const double value : ticks) {
        const std::string text = short_number(value, x.log);
        const auto middle = static_cast<std::size_t>(kLabelColumns + 1 + x.cell(value));
        const std::size_t last =
            static_cast<std::size_t>(kLabelColumns + 2 + x.cells) - text.size();
        const std::size_t begin = std::min(middle - std::min(middle, text.size() / 2), last);
        if (!labels.empty() && begin < labels.size() + 1) continue;
        labels.append(begin - labels.size(), ' ');
        labels += text;
        is_tick[static_cast<std::size_t>(x.cell(value))] = true;
    }
    for (const bool here : is_tick) marks += here ? tick : (tick == "+" ? "-" : "─");
    return labels;
}

}  // namespace

std::string draw_lines(const CsvTable& table, const Recipe& recipe, const TextCanvas& canvas) {
    std::vector<Series> all = series_of(table, recipe);
    if (recipe.has("least")) {
        const double least = std::stod(recipe.at("least"));
        for (Series& one : all)
            for (double& value : one.y) value = value < least ? least : value;
    }
    const int width = static_cast<int>(canvas.columns) - kLabelColumns - 3;
    const Axis x = axis_for(all, &Series::x, recipe.is_log("x"), width);
    Axis y = axis_for(all, &Series::y, recipe.is_log("y"), kFrameRows);
    if (!y.log && y.low > 0 && y.low < 0.8 * y.high) y.low = 0;  // a bandwidth begins at 0

    std::vector<std::string> names;
    for (const Series& one : all) names.push_back(plain_name(one.name));
    const std::vector<char> letters = letters_for(names);
    Frame frame(width);
    if (recipe.kind == "lines")
        for (const Series& one : all)
            for (std::size_t i = 0; i + 1 < one.x.size(); ++i)
                connect(frame, x, y, one, i, canvas.utf8 ? "·" : ".");
    bool some_meet = false;
    for (std::size_t s = 0; s < all.size(); ++s) {
        for (std::size_t i = 0; i < all[s].x.size(); ++i) {
            if (!x.has(all[s].x[i]) || !y.has(all[s].y[i])) continue;
            const std::size_t at = frame.place(x.cell(all[s].x[i]), y.cell(all[s].y[i]));
            const bool meets = frame.owners[at] >= 0 && frame.owners[at] != static_cast<int>(s);
            some_meet = some_meet || meets;
            frame.glyphs[at] = meets || all.size() == 1 ? "*" : std::string(1, letters[s]);
            frame.owners[at] = static_cast<int>(s);
        }
    }

    std::vector<std::string> y_labels(kFrameRows);
    for (const double value : ticks_of(y, 4))
        if (y.has(value)) y_labels[static_cast<std::size_t>(y.cell(value))] = short_number(value);
    std::string text;
    for (int row = kFrameRows - 1; row >= 0; --row) {
        std::string line;
        std::size_t blanks = 0;
        for (int column = 0; column < width; ++column) {
            const std::size_t at = frame.place(column, row);
            if (frame.glyphs[at].empty()) {
                ++blanks;
                continue;
            }
            line.append(blanks, ' ');
            blanks = 0;
            const int owner = frame.owners[at];
            line += owner < 0 || frame.glyphs[at] == "*"
                        ? frame.glyphs[at]
                        : coloured(frame.glyphs[at],
                                   colour_for(all[static_cast<std::size_t>(owner)].name), canvas);
        }
        const std::string& label = y_labels[static_cast<std::size_t>(row)];
        const char* edge = canvas.utf8 ? (label.empty() ? "│" : "┤") : (label.empty() ? "|" : "+");
        text += fmt::format("{:>{}} {}{}\n", label, kLabelColumns - 1, edge, line);
    }
    std::string marks;
    const std::string labels = x_labels(x, x_ticks(x, all), marks, canvas.utf8 ? "┬" : "+");
    text +=
        fmt::format("{:{}}{}{}\n{}\n", "", kLabelColumns, canvas.utf8 ? "└" : "+", marks, labels);
    const std::string margin(kLabelColumns + 1, ' ');
    const std::string y_name = recipe.at("y");
    text += margin + "x: " + plain_name(recipe.at("x"));
    if (y_name.find(',') == std::string::npos) text += ", y: " + plain_name(y_name);
    text += "\n";
    if (all.size() == 1) return text;
    std::string legend;
    for (std::size_t s = 0; s < all.size(); ++s)
        legend += fmt::format("{}{} {}", s > 0 ? "   " : "",
                              coloured(std::string(1, letters[s]), colour_for(all[s].name), canvas),
                              names[s]);
    return text + margin + legend + (some_meet ? "   * several\n" : "\n");
}

}  // namespace lab::text_plots

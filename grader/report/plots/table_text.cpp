#include "report/plots/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "base/failure.h"

namespace lab {
namespace {

/// The cells of one line.
std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            const bool escaped = quoted && i + 1 < line.size() && line[i + 1] == '"';
            if (escaped) cells.back() += line[++i];
            if (!escaped) quoted = !quoted;
        } else if (line[i] == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += line[i];
        }
    }
    return cells;
}

std::string in_quotes_if_needed(const std::string& cell) {
    if (cell.find_first_of(",\"") == std::string::npos) return cell;
    std::string quoted = "\"";
    for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += (i == 0 ? "" : ",") + in_quotes_if_needed(cells[i]);
    return line + "\n";
}

/// Whole numbers as they are, others with four digits; "-" for missing values.
std::string shown(const std::string& cell) {
    if (cell == "nan") return "-";
    double value = 0;
    const char* const end = cell.data() + cell.size();
    const auto parsed = std::from_chars(cell.data(), end, value);
    const bool whole = cell.find_first_of(".e") == std::string::npos;
    if (cell.empty() || parsed.ec != std::errc() || parsed.ptr != end || whole) return cell;
    if (std::abs(value) >= 1000) return fmt::format("{:.0f}", value);
    return fmt::format("{:.4g}", value);
}

/// Turns the values of the column "version" into columns.
CsvTable by_version(const CsvTable& table, std::size_t version) {
    CsvTable wide;
    wide.columns.assign(table.columns.begin(),
                        table.columns.begin() + static_cast<std::ptrdiff_t>(version));
    for (const auto& row : table.rows) {
        auto column = std::find(wide.columns.begin() + static_cast<std::ptrdiff_t>(version),
                                wide.columns.end(), row[version]);
        if (column == wide.columns.end()) wide.columns.push_back(row[version]);
    }
    for (const auto& row : table.rows) {
        const auto same_case = [&](const std::vector<std::string>& other) {
            return std::equal(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(version),
                              other.begin());
        };
        auto found = std::find_if(wide.rows.begin(), wide.rows.end(), same_case);
        if (found == wide.rows.end()) {
            std::vector<std::string> begun(row.begin(),
                                           row.begin() + static_cast<std::ptrdiff_t>(version));
            begun.resize(wide.columns.size(), "");
            found = wide.rows.insert(wide.rows.end(), std::move(begun));
        }
        const auto column = std::find(wide.columns.begin() + static_cast<std::ptrdiff_t>(version),
                                      wide.columns.end(), row[version]) -
                            wide.columns.begin();
        (*found)[static_cast<std::size_t>(column)] = row.back();
    }
    return wide;
}

}  // namespace

CsvTable read_csv(std::string_view text) {
    CsvTable table;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') continue;
        std::vector<std::string> cells = cells_of(line);
        if (table.columns.empty()) {
            table.columns = std::move(cells);
            continue;
        }
        if (cells.size() != table.columns.size())
            throw own_fault(fmt::format("A table has {} columns, and one of its rows {}:\n    {}",
                                        table.columns.size(), cells.size(), line));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string to_csv(const CsvTable& table) {
    std::string text = csv_line(table.columns);
    for (const auto& row : table.rows) text += csv_line(row);
    return text;
}

std::string table_text(const CsvTable& table) {
    const auto at = std::find(table.columns.begin(), table.columns.end(), "version");
    // A version alone already names the rows.
    const bool has_cases = at != table.columns.begin() && at != table.columns.end();
    const CsvTable wide =
        has_cases && at + 1 != table.columns.end()
            ? by_version(table, static_cast<std::size_t>(at - table.columns.begin()))
            : table;
    std::vector<std::vector<std::string>> lines = {wide.columns};
    for (const auto& row : wide.rows) {
        lines.emplace_back();
        for (const std::string& cell : row) lines.back().push_back(shown(cell));
    }
    std::vector<std::size_t> widths(wide.columns.size(), 0);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], line[i].size());
    std::string text;
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i)
            text += fmt::format("{}{:>{}}", i == 0 ? "  " : "   ", line[i], widths[i]);
        text += "\n";
    }
    return text;
}

}  // namespace lab

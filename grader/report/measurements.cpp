#include "report/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lab {
namespace {

using CsvRow = std::vector<std::string>;

/// A row's cells by the names of the columns.
class Cells {
public:
    Cells(const CsvTable& table, const CsvRow& row) : table_(table), row_(row) {}

    std::string text(const std::string& column) const {
        const auto at = std::find(table_.columns.begin(), table_.columns.end(), column);
        return at == table_.columns.end()
                   ? ""
                   : row_[static_cast<std::size_t>(at - table_.columns.begin())];
    }
    std::optional<long long> whole(const std::string& column) const {
        const std::string cell = text(column);
        const bool digits = !cell.empty() && cell.find_first_not_of("0123456789") == cell.npos;
        return digits ? std::optional(std::stoll(cell)) : std::nullopt;
    }

private:
    const CsvTable& table_;
    const CsvRow& row_;
};

/// The number of elements, and the columns that it comes from.
std::pair<std::string, std::vector<std::string>> elements_of(const Cells& cells) {
    if (const auto n = cells.whole("n")) return {std::to_string(*n), {"n"}};
    if (const auto dim = cells.whole("dim")) return {std::to_string(*dim * *dim), {"dim"}};
    const auto height = cells.whole("height"), width = cells.whole("width");
    if (height && width) return {std::to_string(*height * *width), {"height", "width"}};
    return {"", {}};
}

/// None of these is accurate to more than six digits.
std::string rounded(const std::string& cell, double factor = 1) {
    return fmt::format("{:.6g}", factor * std::stod(cell));
}

bool is_time(const std::string& column) {
    return column == "time_ms" || column == "time_us";
}

}  // namespace

std::vector<CsvRow> measurement_rows(const Recording& recording, const Measured& measured) {
    const CsvTable& table = measured.table;
    const auto time = std::ranges::find_if(table.columns, is_time);
    if (time == table.columns.end()) return {};
    const bool in_us = *time == "time_us";
    const std::string unit = is_time(table.columns.back()) ? "" : table.columns.back();
    const auto peak = recording.peaks.find(unit);

    std::vector<CsvRow> rows;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const Cells cells(table, table.rows[i]);
        const auto [n, of] = elements_of(cells);
        std::string version = cells.text("version");
        for (auto column = table.columns.begin(); column != time; ++column) {
            const bool is_told = *column == "version" || std::ranges::find(of, *column) != of.end();
            if (!is_told) version += fmt::format(", {} {}", *column, cells.text(*column));
        }
        if (cells.text(*time) == "nan") continue;
        const std::string time_ms = rounded(cells.text(*time), in_us ? 1e-3 : 1);
        const std::string rate = unit.empty() ? "" : rounded(cells.text(unit));
        const bool has_limit = peak != recording.peaks.end() && !rate.empty();
        rows.push_back({fmt::format("{}/{}", recording.lab, measured.name), version, n, time_ms,
                        rate, unit, has_limit ? fmt::format("{:.5g}", peak->second) : "",
                        has_limit ? fmt::format("{:.4g}", std::stod(rate) / peak->second) : "",
                        measured.rounds[i] == 0 ? "" : std::to_string(measured.rounds[i]),
                        recording.commit, recording.date});
    }
    return rows;
}

}  // namespace lab

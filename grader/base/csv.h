// Reads and writes comma-separated tables (RFC 4180), as spreadsheets and learning systems save and
// load them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct CsvTable {
    struct Row {
        int line = 0;  ///< where it begins, from 1
        std::vector<std::string> cells;
    };
    std::vector<std::string> header;
    std::vector<Row> rows;  ///< without empty ones; each with as many cells as the header

    /// The column whose name is one of these, in the order of the names, whatever their case and
    /// blanks around them.
    std::optional<std::size_t> column(const std::vector<std::string>& names) const;
};

/// The first row is the header. The separator is what the header has most of: comma, semicolon or
/// tab. Throws Failure (usage) with `place`:line for text that is not UTF-8, a quote that is not
/// closed, and rows longer than the header.
CsvTable read_csv(std::string_view text, const std::string& place);

/// One line with CRLF; cells are quoted where they must be.
std::string csv_row(const std::vector<std::string>& cells);

/// Foreign text as a cell that no spreadsheet takes for a formula: one that begins like one, and is
/// no number, gets an apostrophe in front.
std::string csv_text_cell(std::string_view text);

}  // namespace lab

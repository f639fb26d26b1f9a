// Prints a benchmark's table (CSV) as text: one row per size, one column per version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct CsvTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
};

/// Reads the format of check/output/table.h: a header row, cells in quotes if necessary, one line
/// per row. Throws Failure (our fault) for a row of another length.
CsvTable read_csv(std::string_view text);

std::string to_csv(const CsvTable& table);

/// As text. With a column "version", its values become columns, filled with the table's last
/// column; columns between the two are left out. Numbers have four digits.
std::string table_text(const CsvTable& table);

}  // namespace lab

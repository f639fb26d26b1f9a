// A benchmark's table (CSV) as text: one row a size, one column a version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct CsvTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
};

/// Reads what check/table.h writes: a header row, cells in quotes where they must be, one line a
/// row. Throws Failure (our fault) for a row of another length.
CsvTable read_csv(std::string_view text);

std::string to_csv(const CsvTable& table);

/// As text. With a column "version", its values become columns, filled with the table's last
/// column; what stands between the two is left out. Numbers with four digits.
std::string table_text(const CsvTable& table);

}  // namespace lab

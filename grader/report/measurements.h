// Writes a lab's benchmarks as rows of one file, which `lab bench --record` keeps: one row per
// time, with the result and the device's maximum.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "report/plots/table_text.h"

namespace lab {

inline constexpr std::array kMeasurementColumns = {
    "lab", "version", "n", "time_ms", "rate", "unit", "limit", "ratio", "rounds", "commit", "date"};

/// One benchmark's table. `rounds`: per row, the number of calls whose median is its time; 0:
/// modelled.
struct Measured {
    std::string name;
    CsvTable table;
    std::vector<std::size_t> rounds;
};

struct Recording {
    std::string lab;                      ///< "02-vector-add"
    std::map<std::string, double> peaks;  ///< by unit, the device's maximum
    std::string commit, date;
};

/// Rows of kMeasurementColumns. `lab` is "02-vector-add/versions". `n` is the number of elements if
/// the table gives it (n; dim squared; height times width); a row's other parameters follow its
/// version: "student, bins 64". `rate` and `unit` are the table's last column and its name, `ratio`
/// is rate / limit. Unknown cells are empty. A table without times has no rows.
std::vector<std::vector<std::string>> measurement_rows(const Recording& recording,
                                                       const Measured& measured);

}  // namespace lab

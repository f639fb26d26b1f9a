#include "check/output/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <exception>
#include <fstream>
#include <set>
#include <utility>

#include "check/output/grader_fault.h"
#include "check/output/options.h"
#include "check/output/test_log.h"

namespace lab {
namespace {

template <class T>
std::string number(T value) {
    if (std::isnan(value)) return "nan";  // gnuplot leaves such a point out
    return fmt::format("{}", value);
}

std::string line_of(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + cell;
    return line + "\n";
}

void require_name(const std::string& name) {
    const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    if (!good) throw GraderFault("a table cannot be called \"" + name + "\": write a-z, 0-9, _, -");
    static std::set<std::string> used;
    if (!used.insert(name).second)
        throw GraderFault("two tables of one run are called \"" + name +
                          "\" (GENERATE runs a case several times: put the loop inside the table)");
}

/// It is there when it is whole.
void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::path unfinished = file;
    unfinished += ".unfinished";
    std::ofstream out(unfinished, std::ios::binary);
    out << text;
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(unfinished, file, error);
    if (!out || error) throw GraderFault("cannot write " + file.string());
}

}  // namespace

std::string detail::cell(double value) {
    return number(value);
}

std::string detail::cell(float value) {
    return number(value);
}

std::string detail::cell(std::string_view text) {
    if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c == '\n' ? ' ' : c;  // a row is a line
    }
    return quoted + "\"";
}

Table::Table(std::string name, std::vector<std::string> columns)
    : name_(std::move(name)), columns_(columns.size()), exceptions_(std::uncaught_exceptions()) {
    require_name(name_);
    for (std::string& column : columns) column = detail::cell(std::string_view(column));
    text_ = line_of(columns);
}

Table::~Table() noexcept(false) {
    if (std::uncaught_exceptions() > exceptions_ || options().tables.empty()) return;
    write(options().tables / (name_ + ".csv"), text_);
    if (!calls_.empty()) write(options().tables / (name_ + "-calls.csv"), "row,time_ms\n" + calls_);
    test_log().tables.push_back({name_, rows_, !calls_.empty()});
}

void Table::add(const std::vector<std::string>& cells) {
    if (cells.size() != columns_)
        throw GraderFault(fmt::format("table {}: a row of {} values for {} columns", name_,
                                      cells.size(), columns_));
    text_ += line_of(cells);
    for (const double time_ms : std::exchange(test_log().call_times_ms, {}))
        calls_ += fmt::format("{},{}\n", rows_, time_ms);
    ++rows_;
}

void leave_out(const std::string& why) {
    test_log().not_run = why;
    SKIP(why);
    throw;  // not reached: SKIP throws
}

}  // namespace lab

// Numbers for a picture: a [picture] or [bench] case fills a table, which becomes NAME.csv with a
// header row. labs/NN-topic/figures/NAME.gp draws it (./lab picture, ./lab bench).
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Use:
//
//   TEST_CASE("picture: global_ids", "[.][picture]") {
//       Table table("global_ids", {"element", "student", "expected"});
//       for (int i = 0; i < n; ++i) table.row(i, ids[i], i);
//   }
//
// Where a GPU's times are medians, NAME-calls.csv holds the times of the single calls, by row.
//
// The file appears, complete, when the table is destroyed. A case that ends early (the submission
// crashed) leaves none, so nothing is drawn from half of the numbers. Missing numbers are NaN.

namespace lab {

namespace detail {
/// A value as the CSV shows it: a number, or text, in quotes where it must be.
std::string cell(double value);
std::string cell(float value);
std::string cell(std::string_view text);
template <std::integral T>
std::string cell(T value) {
    return std::to_string(value);
}
}  // namespace detail

class Table {
public:
    /// `name` is that of the .gp file: small letters, digits, '_' and '-'. Each once a run.
    Table(std::string name, std::vector<std::string> columns);
    /// Writes the file, unless an exception is on its way.
    ~Table() noexcept(false);
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    /// One value for each column: numbers, texts, enums as numbers.
    template <class... V>
    void row(const V&... values) {
        add({to_cell(values)...});
    }

private:
    template <class V>
    static std::string to_cell(const V& value) {
        if constexpr (std::is_enum_v<V>) {
            return detail::cell(static_cast<std::underlying_type_t<V>>(value));
        } else if constexpr (std::is_convertible_v<const V&, std::string_view>) {
            return detail::cell(std::string_view(value));
        } else {
            return detail::cell(value);
        }
    }
    void add(const std::vector<std::string>& cells);

    std::string name_, text_;
    std::string calls_;  ///< NAME-calls.csv: of each row that has them, the times of single calls
    std::size_t columns_, rows_ = 0;
    int exceptions_;  ///< on their way when it was made
};

/// Ends a case that cannot be drawn here: `lab picture` and `lab bench` say why.
[[noreturn]] void leave_out(const std::string& why);

}  // namespace lab

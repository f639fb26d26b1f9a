// Changes single cells of a table and leaves every other byte as it is: quotes, line ends, the mark
// at the beginning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// The cells of a table by their place in its text. For text that read_csv() accepts.
class RawCsv {
public:
    explicit RawCsv(std::string_view text);

    std::size_t rows() const { return rows_.size(); }
    std::size_t cells(std::size_t row) const { return rows_[row].cells.size(); }
    int line(std::size_t row) const { return rows_[row].line; }
    /// Without its quotes; empty behind the row's end.
    std::string cell(std::size_t row, std::size_t column) const;
    /// `value` needs no quotes. A cell behind the row's end is not set.
    void set(std::size_t row, std::size_t column, const std::string& value);
    /// The text with all changes.
    std::string text() const;

private:
    struct Span {
        std::size_t begin = 0, end = 0;
    };
    struct Row {
        int line = 0;
        std::vector<Span> cells;
    };
    struct Change {
        Span place;
        std::string value;
    };

    std::string text_;
    std::vector<Row> rows_;
    std::vector<Change> changes_;
};

}  // namespace lab

#include "base/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/failure.h"
#include "base/utf8.h"

namespace lab {
namespace {

/// In lower case, without blanks around it.
std::string plain(std::string_view name) {
    const auto begin = name.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return "";
    name = name.substr(begin, name.find_last_not_of(" \t") - begin + 1);
    std::string text;
    for (const char c : name)
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

void require_utf8(std::string_view text, const std::string& place) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        throw usage_failure(
            fmt::format("{} is UTF-16. Save it as \"CSV UTF-8\" in the spreadsheet.", place));
    int line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text.substr(at));
        if (length == 0)
            throw usage_failure(fmt::format(
                "{}:{}: this is not UTF-8. Save it as \"CSV UTF-8\" in the spreadsheet.", place,
                line));
        if (text[at] == '\n') ++line;
        at += length;
    }
}

char separator_of(std::string_view text) {
    const std::string_view header = text.substr(0, text.find('\n'));
    char best = ',';
    for (const char c : {';', '\t'})
        if (std::ranges::count(header, c) > std::ranges::count(header, best)) best = c;
    return best;
}

class Reader {
public:
    Reader(std::string_view text, std::string place)
        : text_(text), place_(std::move(place)), separator_(separator_of(text)) {}

    std::optional<CsvTable::Row> next() {
        if (at_ >= text_.size()) return std::nullopt;
        CsvTable::Row row{line_, {}};
        do row.cells.push_back(cell());
        while (take(separator_));
        take('\r');
        take('\n');
        return row;
    }

private:
    bool take(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        if (c == '\n') ++line_;
        ++at_;
        return true;
    }

    std::string cell() {
        if (!take('"')) {
            const auto end =
                std::min(text_.find_first_of(std::string("\r\n") + separator_, at_), text_.size());
            const std::string value(text_.substr(at_, end - at_));
            at_ = end;
            return value;
        }
        std::string value;
        const int begin = line_;
        for (;;) {
            if (at_ >= text_.size())
                throw usage_failure(
                    fmt::format("{}:{}: a quote begins here and is not closed.", place_, begin));
            if (take('"')) {
                if (!take('"')) break;
                value += '"';
                continue;
            }
            value += text_[at_];
            take(text_[at_]);
        }
        // What some programs write after a closing quote.
        while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\r' &&
               text_[at_] != '\n')
            value += text_[at_++];
        return value;
    }

    std::string_view text_;
    std::string place_;
    char separator_;
    std::size_t at_ = 0;
    int line_ = 1;
};

bool is_number(std::string_view text) {
    std::size_t digits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
        digits += is_digit ? 1u : 0u;
        if (!is_digit && !(i == 0 && (text[i] == '-' || text[i] == '+')) && text[i] != '.')
            return false;
    }
    return digits > 0;
}

}  // namespace

std::optional<std::size_t> CsvTable::column(const std::vector<std::string>& names) const {
    for (const std::string& name : names)
        for (std::size_t i = 0; i < header.size(); ++i)
            if (plain(header[i]) == plain(name)) return i;
    return std::nullopt;
}

CsvTable read_csv(std::string_view text, const std::string& place) {
    require_utf8(text, place);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    Reader reader(text, place);
    CsvTable table;
    if (auto header = reader.next()) table.header = std::move(header->cells);
    while (auto row = reader.next()) {
        if (std::ranges::all_of(row->cells, [](const auto& cell) { return cell.empty(); }))
            continue;
        while (row->cells.size() > table.header.size() && row->cells.back().empty())
            row->cells.pop_back();
        if (row->cells.size() > table.header.size())
            throw usage_failure(fmt::format(
                "{}:{}: this row has {} cells, and the header {}. Quote cells that hold a "
                "separator.",
                place, row->line, row->cells.size(), table.header.size()));
        row->cells.resize(table.header.size());
        table.rows.push_back(std::move(*row));
    }
    return table;
}

std::string csv_row(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += ',';
        if (cells[i].find_first_of(",;\"\r\n\t") == std::string::npos) {
            line += cells[i];
            continue;
        }
        line += '"';
        for (const char c : cells[i]) line += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += '"';
    }
    return line + "\r\n";
}

std::string csv_text_cell(std::string_view text) {
    const bool is_formula =
        !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
    return (is_formula && !is_number(text) ? "'" : "") + std::string(text);
}

}  // namespace lab

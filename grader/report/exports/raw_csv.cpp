#include "report/exports/raw_csv.h"

#include <algorithm>

namespace lab {

RawCsv::RawCsv(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    const std::string_view header = text.substr(0, text.find('\n'));
    char separator = ',';  // as read_csv() finds it
    for (const char c : {';', '\t'})
        if (std::ranges::count(header, c) > std::ranges::count(header, separator)) separator = c;
    int line = 1;
    while (at < text.size()) {
        Row row{line, {}};
        for (bool more = true; more;) {
            Span span{at, at};
            bool is_quoted = false;
            for (; at < text.size(); ++at) {
                const char c = text[at];
                if (c == '"' && (is_quoted || at == span.begin)) is_quoted = !is_quoted;
                // A doubled quote closes and opens again.
                else if (c == '"' && text[at - 1] == '"' && text[span.begin] == '"')
                    is_quoted = true;
                else if (!is_quoted && (c == separator || c == '\r' || c == '\n'))
                    break;
                if (c == '\n') ++line;
            }
            span.end = at;
            row.cells.push_back(span);
            more = at < text.size() && text[at] == separator;
            if (more) ++at;
        }
        if (at < text.size() && text[at] == '\r') ++at;
        if (at < text.size() && text[at] == '\n') {
            ++at;
            ++line;
        }
        rows_.push_back(std::move(row));
    }
}

std::string RawCsv::cell(std::size_t row, std::size_t column) const {
    if (column >= cells(row)) return "";
    const Span span = rows_[row].cells[column];
    const std::string_view raw = std::string_view(text_).substr(span.begin, span.end - span.begin);
    if (!raw.starts_with('"')) return std::string(raw);
    std::string value;
    for (std::size_t i = 1; i < raw.size(); ++i) {
        if (raw[i] == '"' && (i + 1 >= raw.size() || raw[i + 1] != '"')) continue;
        if (raw[i] == '"') ++i;
        value += raw[i];
    }
    return value;
}

void RawCsv::set(std::size_t row, std::size_t column, const std::string& value) {
    if (column < cells(row)) changes_.push_back({rows_[row].cells[column], value});
}

std::string RawCsv::text() const {
    std::vector<Change> changes = changes_;
    std::ranges::sort(changes, {}, [](const Change& change) { return change.place.begin; });
    std::string changed;
    std::size_t at = 0;
    for (const Change& change : changes) {
        changed += text_.substr(at, change.place.begin - at) + change.value;
        at = change.place.end;
    }
    return changed + text_.substr(at);
}

}  // namespace lab

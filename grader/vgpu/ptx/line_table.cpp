// .file, .loc and .section; see line_table.h for how they belong together.
#include "vgpu/ptx/line_table.h"

#include <algorithm>
#include <limits>

namespace vgpu::ptx {
namespace {

constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kMostFiles = 65'535;  // far above any program; bounds the table
constexpr std::size_t kDeepestInlining = 64;  // frames kept; nvcc's own limit is lower

}  // namespace

void LineTable::begin_function(std::string_view name) {
    function_ = name;
    known_.clear();
    at_place_.clear();
}

void LineTable::parse_file(Cursor& in, std::vector<std::string>& files) {
    const std::size_t number = in.expect_count("a file number", kMostFiles);
    if (files.size() <= number) files.resize(number + 1);
    files[number] = in.expect_string("a file name in quotes");
    while (in.accept(',')) in.expect_count("a time stamp or size", std::uint64_t(-1));
}

LineTable::Place LineTable::parse_place(Cursor& in) {
    Place place;
    place.file = std::uint32_t(in.expect_count("a file number", kMostFiles));
    place.line = std::uint32_t(in.expect_count("a line number", kLargest));
    place.column = std::uint32_t(in.expect_count("a column", kLargest));
    return place;
}

std::uint32_t LineTable::parse_loc(Cursor& in) {
    Location location{parse_place(in), 0, {}, 0};
    while (in.accept(',')) {
        if (in.accept("function_name")) {
            location.label = in.expect_name("a label");
            if (in.accept('+')) location.label_offset = in.expect_count("an offset", kLargest);
        } else if (in.accept("inlined_at")) {
            const Place caller = parse_place(in);
            const auto known = at_place_.find(caller);
            location.caller =
                known != at_place_.end() ? known->second : index_of(Location{caller, 0, {}, 0});
        } else {
            in.fail_expected("'function_name' or 'inlined_at'");
        }
    }
    const std::uint32_t index = index_of(location);
    at_place_[location.place] = index;
    return index;
}

std::uint32_t LineTable::index_of(const Location& location) {
    const auto [entry, is_new] = known_.try_emplace(location, std::uint32_t(locations_.size()));
    if (is_new) {
        locations_.push_back(location);
        in_function_.push_back(function_);
    }
    return entry->second;
}

void LineTable::parse_section(Cursor& in) {
    if (in.peek().kind != Token::Kind::word) in.fail_expected("a section's name");
    const bool has_strings = in.take().text == ".debug_str";
    in.expect('{');
    while (!in.accept('}')) {
        const Token token = in.peek();
        if (token.kind == Token::Kind::end) in.fail_expected("'}' at the end of the section");
        in.take();
        if (!has_strings) continue;
        if (token.kind == Token::Kind::word && in.peek().is(':')) {
            string_at_.emplace(token.text, strings_.size());
        } else if (token.kind == Token::Kind::number) {
            strings_ += char(read_number(token).bits & 0xff);
        }
    }
}

std::string LineTable::function_name(const Location& location) const {
    const auto string = string_at_.find(location.label);
    if (location.label.empty() || string == string_at_.end()) return {};
    const std::size_t begin = std::min(string->second + location.label_offset, strings_.size());
    return strings_.substr(begin, strings_.find('\0', begin) - begin);
}

std::vector<SourceStack> LineTable::take_sources() {
    std::vector<SourceStack> sources(locations_.size());
    for (std::size_t i = 1; i < locations_.size(); ++i) {
        // A caller is always an earlier location, so this ends.
        for (std::size_t at = i; at != 0 && sources[i].size() < kDeepestInlining;
             at = locations_[at].caller) {
            const Location& here = locations_[at];
            sources[i].push_back(
                {here.place.file, here.place.line, here.place.column,
                 here.caller == 0 ? std::string(in_function_[at]) : function_name(here)});
        }
    }
    *this = LineTable();
    return sources;
}

}  // namespace vgpu::ptx

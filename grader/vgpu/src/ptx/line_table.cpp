// .file, .loc and .section; see line_table.h for how they belong together.
#include "ptx/line_table.h"

#include <algorithm>
#include <limits>

namespace vgpu::ptx {
namespace {

constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kMostFiles = 65'535;  // far above any program
constexpr std::size_t kDeepestInlining = 64;  // frames kept; nvcc's own limit is lower
// Linux opens no file with a longer path. Every finding and every line of a report has a copy.
constexpr std::size_t kLongestPath = 4096;

}  // namespace

void LineTable::begin_function() {
    known_.clear();
    at_place_.clear();
}

void LineTable::parse_file(Cursor& in, std::vector<std::string>& files) {
    const auto number = std::uint32_t(in.expect_count("a file number", kMostFiles));
    if (files.empty()) files.emplace_back();
    const auto known = file_at_.try_emplace(number, std::uint32_t(files.size())).first;
    files.resize(std::max<std::size_t>(files.size(), known->second + 1));
    files[known->second] = in.expect_string("a file name in quotes").substr(0, kLongestPath);
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
    Location location{parse_place(in), 0};
    while (in.accept(',')) {
        if (in.accept("function_name")) {
            in.expect_name("a label");
            if (in.accept('+')) in.expect_count("an offset", kLargest);
        } else if (in.accept("inlined_at")) {
            const Place caller = parse_place(in);
            const auto known = at_place_.find(caller);
            location.caller =
                known != at_place_.end() ? known->second : index_of(Location{caller, 0});
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
    if (is_new) locations_.push_back(location);
    return entry->second;
}

void LineTable::parse_section(Cursor& in) {
    if (in.peek().kind != Token::Kind::word) in.fail_expected("a section's name");
    in.take();
    in.expect('{');
    while (!in.accept('}')) {
        if (in.peek().kind == Token::Kind::end) in.fail_expected("'}' at the end of the section");
        in.take();
    }
}

std::vector<SourceStack> LineTable::take_sources() {
    std::vector<SourceStack> sources(locations_.size());
    for (std::size_t i = 1; i < locations_.size(); ++i) {
        // A caller is always an earlier location, so this ends.
        for (std::size_t at = i; at != 0 && sources[i].size() < kDeepestInlining;
             at = locations_[at].caller) {
            const Location& here = locations_[at];
            const auto file = file_at_.find(here.place.file);
            sources[i].push_back(
                {file == file_at_.end() ? 0 : file->second, here.place.line, here.place.column});
        }
    }
    *this = LineTable();
    return sources;
}

}  // namespace vgpu::ptx

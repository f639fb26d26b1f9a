// Finds the source line of each instruction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"

// -lineinfo leaves three things in PTX: .file numbers, .loc before each change of place, and, for
// inlined code, ".loc f l c, function_name LABEL, inlined_at f l c". The place in inlined_at is an
// earlier .loc of the same function, which may itself be inlined: following them gives the whole
// chain of calls. LABEL names the function through a string in .section .debug_str. Nothing here
// shows it, so it is not kept: it would be most of the table.

namespace vgpu::ptx {

class LineTable {
public:
    /// The places that follow lie in another function.
    void begin_function();

    /// After the directive's own word: .file 1 "a.cu", .loc 1 2 3 ..., .section NAME { ... }.
    void parse_file(Cursor&, std::vector<std::string>& files);
    /// Returns the place's index into Module::sources.
    std::uint32_t parse_loc(Cursor&);
    static void parse_section(Cursor&);

    /// Module::sources; the table is empty afterwards.
    std::vector<SourceStack> take_sources();

private:
    struct Place {
        std::uint32_t file = 0, line = 0, column = 0;
        auto operator<=>(const Place&) const = default;
    };
    struct Location {  ///< one distinct .loc
        Place place;
        std::uint32_t caller = 0;  ///< index of the .loc it was inlined at; 0: not inlined
        auto operator<=>(const Location&) const = default;
    };

    Place parse_place(Cursor&);
    std::uint32_t index_of(const Location&);

    std::map<std::uint32_t, std::uint32_t> file_at_;  ///< .file number to index of Module::files
    std::vector<Location> locations_{1};              ///< [0]: no line information
    std::map<Location, std::uint32_t> known_;         ///< locations of this function
    std::map<Place, std::uint32_t> at_place_;  ///< the latest location at a place, in this function
};

}  // namespace vgpu::ptx

// Reads a program's file before it runs: the libraries and functions that it needs, and whether
// nvcc put device code into it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace lab {

struct Elf {
    bool is_native = false;           ///< for this machine; else nothing below is filled in
    std::vector<std::string> needed;  ///< "libc.so.6"
    std::set<std::string> imports;    ///< functions and variables that the libraries must have
    std::set<std::string> sections;   ///< ".text"
    bool has_rpath = false;           ///< DT_RPATH, which the loader prefers to LD_LIBRARY_PATH
    bool is_dynamic = false;          ///< the loader starts it
};

/// Nothing if the bytes are not an ELF file. A damaged file gives the parts that are readable.
std::optional<Elf> read_elf(std::span<const std::byte> file);

}  // namespace lab

// What was handed in, as one tree of files: folders, and archives as if they were folders.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/class.h"

namespace lab {

struct SourceFile {
    /// Below what was handed in, with '/': "lovelace/vector_add.cu". Valid UTF-8 without control
    /// characters, and without ".." or empty parts.
    std::string path;
    std::optional<Time> time;  ///< of last change, where an archive has it, or the file system
    bool is_from_archive = false;
    bool is_read = false;  ///< false: `content` is empty, as nobody reads such files
    std::string content;
    std::string problem;  ///< why it could not be read; or empty
};

struct SourceTree {
    std::vector<SourceFile> files;   ///< by path
    std::vector<std::string> notes;  ///< what was left out, and why
    bool is_archive = false;
};

/// Limits (chosen): hundreds of students with a few files each stay far below.
struct TreeLimits {
    std::size_t files = 200'000;
    std::size_t bytes_of_file = (1u << 20) + 1;       ///< of one that is read; the rest is left out
    std::size_t bytes_in_all = std::size_t{2} << 30;  ///< unpacked, of the whole
    std::size_t bytes_of_inner_archive = 64u << 20;
    std::size_t files_of_inner_archive = 20'000;
    std::size_t inner_bytes_in_all = 256u << 20;  ///< unpacked, of one inner archive
};

/// Reads source files, tables and rules (.cu, .csv, .yml, .toml), and lists all others. Follows no
/// links. An archive inside becomes a folder of its name without the ending; if it is damaged or
/// too large, only that folder is incomplete, with a note. Throws Failure (usage) if nothing is
/// there or the outermost archive cannot be opened.
SourceTree read_tree(const fs::path& folder_or_archive, const TreeLimits& limits = {});

/// True for the names of archives that can be read.
bool is_archive_name(std::string_view name);
/// "week3.tar.gz" without its ending.
std::string without_archive_ending(std::string_view name);

}  // namespace lab

// Reads an archive entry by entry (libarchive), without trusting anything in it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "batch/class.h"

namespace lab {

struct ArchiveEntry {
    std::string name;      ///< as it stands there: any bytes
    bool is_file = false;  ///< a regular one: no folder, link, device
    bool is_folder = false;
    std::optional<Time> time;
    /// What must be unpacked to get past it, read or not: in a compressed tar its size; in a zip 0.
    std::size_t bytes_to_pass = 0;
};

/// Reads at most `limit` bytes of the entry's content.
using ReadContent = std::function<std::string(std::size_t limit)>;

/// Calls `visit` for each entry, until it returns false. Throws Failure (usage) for a file that is
/// no archive, or damaged; entries before the damage were visited. The clause in the message fits
/// after a name: "is damaged: ...".
void for_each_entry(const fs::path& file,
                    const std::function<bool(const ArchiveEntry&, const ReadContent&)>& visit);
/// The same for an archive in memory.
void for_each_entry(std::string_view content,
                    const std::function<bool(const ArchiveEntry&, const ReadContent&)>& visit);

}  // namespace lab

// Makes folders and archives as classes hand them in.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <map>
#include <string>

#include "base/files.h"

namespace lab {

using Files = std::map<std::string, std::string>;  ///< content by path

inline void write_files(const fs::path& folder, const Files& files) {
    for (const auto& [path, content] : files) write_atomically(folder / path, content);
}

/// An archive entry that no honest tool writes.
struct OddEntry {
    std::string name, link_to;
    bool is_device = false;
};

inline void write_archive(const fs::path& file, const Files& files, bool is_zip = true,
                          const std::vector<OddEntry>& odd = {}) {
    archive* writer = archive_write_new();
    if (is_zip) {
        archive_write_set_format_zip(writer);
    } else {
        archive_write_set_format_pax_restricted(writer);
        archive_write_add_filter_gzip(writer);
    }
    archive_write_open_filename(writer, file.c_str());
    archive_entry* entry = archive_entry_new();
    for (const auto& [path, content] : files) {
        archive_entry_clear(entry);
        archive_entry_set_pathname(entry, path.c_str());
        archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_mtime(entry, 1'763'640'000, 0);  // 2025-11-20T12:00:00Z
        archive_write_header(writer, entry);
        archive_write_data(writer, content.data(), content.size());
    }
    for (const OddEntry& one : odd) {
        archive_entry_clear(entry);
        archive_entry_set_pathname(entry, one.name.c_str());
        archive_entry_set_filetype(entry, one.is_device ? AE_IFCHR : AE_IFLNK);
        if (!one.is_device) archive_entry_set_symlink(entry, one.link_to.c_str());
        archive_write_header(writer, entry);
    }
    archive_entry_free(entry);
    archive_write_close(writer);
    archive_write_free(writer);
}

}  // namespace lab

#include "batch/intake/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/failure.h"

namespace lab {
namespace {

struct FreeArchive {
    void operator()(archive* handle) const { archive_read_free(handle); }
};
using Handle = std::unique_ptr<archive, FreeArchive>;

Handle new_reader() {
    Handle reader(archive_read_new());
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_filter_bzip2(reader.get());
    archive_read_support_filter_xz(reader.get());
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_format_zip(reader.get());
    archive_read_support_format_tar(reader.get());
    archive_read_support_format_7zip(reader.get());
    return reader;
}

[[noreturn]] void damaged(archive* reader) {
    const char* const why = archive_error_string(reader);
    throw usage_failure(
        fmt::format("is damaged, or no archive: {}", why ? why : "it cannot be read"));
}

std::string read_content(archive* reader, std::size_t limit) {
    std::string content;
    char buffer[1 << 16];
    while (content.size() < limit) {
        const la_ssize_t got =
            archive_read_data(reader, buffer, std::min(sizeof(buffer), limit - content.size()));
        if (got < 0) damaged(reader);
        if (got == 0) break;
        content.append(buffer, static_cast<std::size_t>(got));
    }
    return content;
}

void visit_all(archive* reader,
               const std::function<bool(const ArchiveEntry&, const ReadContent&)>& visit) {
    archive_entry* found = nullptr;
    for (;;) {
        const int result = archive_read_next_header(reader, &found);
        if (result == ARCHIVE_EOF) return;
        if (result < ARCHIVE_WARN) damaged(reader);
        ArchiveEntry entry;
        const char* name = archive_entry_pathname_utf8(found);
        if (name == nullptr) name = archive_entry_pathname(found);
        entry.name = name ? name : "";
        entry.is_file = archive_entry_filetype(found) == AE_IFREG &&
                        archive_entry_hardlink(found) == nullptr &&
                        archive_entry_symlink(found) == nullptr;
        entry.is_folder = archive_entry_filetype(found) == AE_IFDIR;
        if (archive_entry_mtime_is_set(found))
            entry.time = Time(std::chrono::seconds(archive_entry_mtime(found)));
        // The last filter is "none": there are others if all of it is compressed in one.
        if (archive_filter_count(reader) > 1 && archive_entry_size_is_set(found))
            entry.bytes_to_pass =
                static_cast<std::size_t>(std::max<la_int64_t>(0, archive_entry_size(found)));
        const ReadContent content = [reader](std::size_t limit) {
            return read_content(reader, limit);
        };
        if (!visit(entry, content)) return;
    }
}

}  // namespace

void for_each_entry(const fs::path& file,
                    const std::function<bool(const ArchiveEntry&, const ReadContent&)>& visit) {
    const Handle reader = new_reader();
    constexpr std::size_t kBlock = 1 << 16;
    if (archive_read_open_filename(reader.get(), file.c_str(), kBlock) != ARCHIVE_OK)
        damaged(reader.get());
    visit_all(reader.get(), visit);
}

void for_each_entry(std::string_view content,
                    const std::function<bool(const ArchiveEntry&, const ReadContent&)>& visit) {
    const Handle reader = new_reader();
    if (archive_read_open_memory(reader.get(), content.data(), content.size()) != ARCHIVE_OK)
        damaged(reader.get());
    visit_all(reader.get(), visit);
}

}  // namespace lab

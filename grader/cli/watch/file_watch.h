// Notices that somebody saved a file. inotify reports at once; polling the file's state each second
// finds what inotify does not report: changes by another machine on a network file system.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/descriptor.h"
#include "cli/watch/debounce.h"

namespace lab::cli {

/// What the file system knows of a file. Two states are equal if nobody saved it in between.
struct FileState {
    bool exists = false;
    std::uint64_t device = 0, inode = 0, size_bytes = 0;
    std::int64_t changed_ns = 0;
    std::uint32_t kind = 0;  ///< an ordinary file, a folder, ...

    bool operator==(const FileState&) const = default;
};

FileState state_of(const std::filesystem::path& file);

/// Watches one file through its folder, so that editors which rename a new file over the old one
/// are noticed, too. The file need not exist.
class FileWatch {
public:
    explicit FileWatch(std::filesystem::path file);

    /// Readable when something happened in the folder; -1 without inotify.
    int descriptor() const { return events_.get(); }
    /// True when the file was saved, created, replaced or removed since the last true, and is quiet
    /// now. Ask whenever the descriptor is readable or wait() is over.
    bool has_changed(Debounce::Clock::time_point now);
    /// How long to wait for the descriptor at most.
    std::chrono::milliseconds wait(Debounce::Clock::time_point now) const;

private:
    void watch_folder();
    bool read_events();

    std::filesystem::path file_;
    Descriptor events_;
    bool is_watched_ = false;
    FileState state_;
    Debounce changes_;
};

}  // namespace lab::cli

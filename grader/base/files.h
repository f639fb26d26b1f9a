// Reads and writes files, with errors that name the remedy.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

namespace fs = std::filesystem;

/// Throws Failure (our fault) when it cannot be read.
std::string read_file(const fs::path& file);
std::optional<std::string> read_file_if_there(const fs::path& file);

/// Readers see the old content or the new, never half of it. Makes the file's folder. Throws
/// Failure (our fault).
void write_atomically(const fs::path& file, std::string_view content);

void make_folder(const fs::path& folder);

/// A new folder under `parent`, removed with the object. Throws Failure (our fault).
class TemporaryFolder {
public:
    explicit TemporaryFolder(const fs::path& parent = fs::temp_directory_path());
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// The current folder; "." if it is gone, or lies in a folder that this user may not enter.
fs::path current_folder();
/// The file as a person would type it: relative to the current folder, if that is shorter.
fs::path near_path(const fs::path& file);

/// In hexadecimal.
std::string sha256(std::string_view content);

/// The remedy if a tool's output says that the disk is full or not writable; empty otherwise.
std::string disk_trouble(std::string_view tool_output, const fs::path& folder);

}  // namespace lab

// Reads the student's file once, and checks it before anything starts.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lab {

namespace fs = std::filesystem;

inline constexpr std::size_t kSubmissionLimitBytes = 1 << 20;

struct Submission {
    std::string shown;  ///< the path as the student typed it, used in every message
    std::string text;
    std::string sha256;
};

/// Throws Failure (usage) in a sentence that names the file: missing, a directory, unreadable,
/// empty, not text in UTF-8 (with line and byte), or over 1 MiB.
Submission read_submission(const fs::path& typed);

/// The checks of the content alone.
void check_text(std::string_view text, const std::string& shown);

}  // namespace lab

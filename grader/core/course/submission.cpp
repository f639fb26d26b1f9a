#include "core/course/submission.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "base/failure.h"
#include "base/files.h"
#include "base/utf8.h"

namespace lab {

void check_text(std::string_view text, const std::string& shown) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        throw usage_failure(
            fmt::format("{} is empty. Save your work in your editor first.", shown));
    int line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text.substr(at));
        const auto byte = static_cast<unsigned char>(text[at]);
        if (length == 0)
            throw usage_failure(fmt::format(
                "{}:{}: byte {} of the file, 0x{:02X}, is not UTF-8. Save the file as UTF-8 in "
                "your editor, or retype that character.",
                shown, line, at, byte));
        if (byte == 0)
            throw usage_failure(fmt::format(
                "{}:{}: byte {} of the file is 0x00: this is no text file. Is it a program or an "
                "archive instead of the .cu file?",
                shown, line, at));
        if (byte == '\n') ++line;
        at += length;
    }
}

Submission read_submission(const fs::path& typed) {
    Submission submission;
    submission.shown = typed.string();
    std::error_code error;
    const fs::file_status status = fs::status(typed, error);
    if (status.type() == fs::file_type::not_found) {
        throw usage_failure(
            fmt::format("There is no file {}. Is the path right? It counts from {}.",
                        submission.shown, current_folder().string()));
    }
    if (error)
        throw usage_failure(fmt::format("Cannot read {}: {}.", submission.shown, error.message()));
    // A class's submissions come from strangers: a link to the solution would have full marks.
    if (fs::is_symlink(typed))
        throw usage_failure(fmt::format(
            "{} is a link to {}. Name the file itself, or put a copy of it in the link's place.",
            submission.shown, fs::read_symlink(typed, error).string()));
    if (fs::is_directory(status))
        throw usage_failure(fmt::format(
            "{} is a directory. Name the .cu file that is to be graded.", submission.shown));
    if (!fs::is_regular_file(status))
        throw usage_failure(
            fmt::format("{} is not an ordinary file. Name the .cu file that is to be graded.",
                        submission.shown));
    const auto size_bytes = fs::file_size(typed, error);
    if (!error && size_bytes > kSubmissionLimitBytes)
        throw usage_failure(fmt::format(
            "{} is larger than 1 MiB ({} bytes). A submission is one source file; is this the "
            "right one?",
            submission.shown, size_bytes));
    errno = 0;
    auto text = read_file_if_there(typed);
    if (!text)
        throw usage_failure(fmt::format("Cannot read {}: {}.", submission.shown,
                                        std::strerror(errno != 0 ? errno : EIO)));
    submission.text = *std::move(text);
    check_text(submission.text, submission.shown);
    submission.sha256 = sha256(submission.text);
    return submission;
}

}  // namespace lab

#include "core/course/submission.h"

#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

struct Folder : TemporaryFolder {
    std::string file(const char* name, std::string_view content) const {
        write_atomically(path() / name, content);
        return (path() / name).string();
    }
};

void check_refused(const fs::path& file, const std::string& message) {
    CHECK_THROWS_MATCHES(read_submission(file), Failure, Message(message));
    try {
        read_submission(file);
    } catch (const Failure& failure) {
        CHECK(failure.exit() == Exit::usage);
    }
}

}  // namespace

TEST_CASE("submission: a good file comes with its text and hash, through a folder's link too") {
    const Folder folder;
    const std::string file = folder.file("a.cu", "// caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\n");
    fs::create_directory_symlink(folder.path(), folder.path() / "here");
    const Submission submission = read_submission(folder.path() / "here/a.cu");
    CHECK(submission.shown == (folder.path() / "here/a.cu").string());
    CHECK(submission.text == read_file(file));
    CHECK(submission.sha256 == sha256(submission.text));
}

TEST_CASE("submission: one sentence says why a file is no submission") {
    const Folder folder;
    check_refused("/nowhere/a.cu",
                  "There is no file /nowhere/a.cu. Is the path right? It counts "
                  "from " +
                      fs::current_path().string() + ".");
    check_refused(folder.path(), folder.path().string() +
                                     " is a directory. Name the .cu file that is to be graded.");
    check_refused("/dev/null",
                  "/dev/null is not an ordinary file. Name the .cu file that is to be graded.");
    const std::string solution = folder.file("solution.cu", "int a;\n");
    const fs::path link = folder.path() / "link.cu";
    fs::create_symlink(solution, link);
    check_refused(link, link.string() + " is a link to " + solution +
                            ". Name the file itself, or put a copy of it in the link's place.");
    const std::string empty = folder.file("empty.cu", "");
    check_refused(empty, empty + " is empty. Save your work in your editor first.");
    const std::string blank = folder.file("blank.cu", " \n\t\r\n");
    check_refused(blank, blank + " is empty. Save your work in your editor first.");
    const std::string big = folder.file("big.cu", std::string(kSubmissionLimitBytes + 1, '/'));
    check_refused(big, big +
                           " is larger than 1 MiB (1048577 bytes). A submission is one source "
                           "file; is this the right one?");
    CHECK_NOTHROW(read_submission(folder.file("1MiB", std::string(kSubmissionLimitBytes, '/'))));
}

TEST_CASE("submission: a file that may not be read") {
    if (geteuid() == 0) SKIP("root may read everything");
    const Folder folder;
    const std::string file = folder.file("closed.cu", "int x;\n");
    fs::permissions(file, fs::perms::none);
    check_refused(file, "Cannot read " + file + ": Permission denied.");
}

TEST_CASE("submission: bytes that are not UTF-8 are named with line and place") {
    const auto check = [](std::string_view text, const char* message) {
        CHECK_THROWS_MATCHES(check_text(text, "a.cu"), Failure, Message(message));
    };
    check("int x;\n// caf\xE9\n",
          "a.cu:2: byte 13 of the file, 0xE9, is not UTF-8. Save the file as UTF-8 in your editor, "
          "or retype that character.");
    using namespace std::string_view_literals;
    check(
        "\x7F"
        "ELF\0"sv,
        "a.cu:1: byte 4 of the file is 0x00: this is no text file. Is it a program or an archive "
        "instead of the .cu file?");
    // Too long a form, a surrogate, beyond U+10FFFF, cut off, and a tail byte alone.
    for (const char* bad : {"\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                            "\xE2\x82", "\x80", "\xFF"}) {
        CHECK_THROWS_AS(check_text(bad, "a.cu"), Failure);
    }
}

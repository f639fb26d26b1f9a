#include "base/files.h"

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"

using namespace lab;
using Catch::Matchers::Message;

TEST_CASE("files: what is written can be read, and nothing is left beside it") {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "a/b/text";
    write_atomically(file, "one");
    write_atomically(file, "two\n");
    CHECK(read_file(file) == "two\n");
    CHECK(std::distance(fs::directory_iterator(file.parent_path()), {}) == 1);
    CHECK(fs::status(file).permissions() != fs::perms(0600));
}

TEST_CASE("files: a missing file is nothing, or an error that names it") {
    const TemporaryFolder folder;
    CHECK_FALSE(read_file_if_there(folder.path() / "none"));
    CHECK_THROWS_MATCHES(read_file(folder.path() / "none"), Failure,
                         Message("Cannot read " + (folder.path() / "none").string() +
                                 ": No such file or directory."));
}

TEST_CASE("files: a folder that cannot be written says who may") {
    if (geteuid() == 0) SKIP("root may write everywhere");
    const TemporaryFolder folder;
    const std::string closed = (folder.path() / "closed").string();
    fs::create_directory(closed);
    fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
    CHECK_THROWS_MATCHES(
        write_atomically(fs::path(closed) / "file", "x"), Failure,
        Message("Cannot write " + closed + "/file: Permission denied.\nYou may not write to " +
                closed +
                ". Run as the user whose folder it is, or give yourself the right to "
                "write there (ls -ld " +
                closed + " shows whose it is)."));
}

TEST_CASE("files: a full disk is named, with what to do") {
    CHECK(disk_trouble("collect2: fatal error: cannot write: No space left on device", "/build") ==
          "The disk that holds /build is full. Make room there (df -h /build shows how much is "
          "used), then run the command again.");
    CHECK(disk_trouble("error: expected a ';'", "/build").empty());
}

TEST_CASE("files: a current folder that is gone stops nobody") {
    const fs::path before = fs::current_path();
    {
        const TemporaryFolder folder;
        CHECK(near_path(before / "one/file") == "one/file");
        CHECK(near_path("/elsewhere/file") == "/elsewhere/file");
        fs::current_path(folder.path());
    }
    const fs::path gone = current_folder();
    const fs::path near = near_path(before / "file");
    fs::current_path(before);
    CHECK(gone == ".");
    CHECK(near == before / "file");
}

TEST_CASE("files: a temporary folder goes with its object") {
    fs::path path;
    {
        const TemporaryFolder folder;
        path = folder.path();
        write_atomically(path / "inside/file", "x");
        CHECK(fs::exists(path));
    }
    CHECK_FALSE(fs::exists(path));
}

TEST_CASE("files: sha256 of known texts") {
    CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

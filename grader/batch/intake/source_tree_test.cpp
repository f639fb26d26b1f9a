#include "batch/intake/source_tree.h"

#include <catch2/catch_all.hpp>

#include "base/failure.h"
#include "batch/intake/test_support.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

std::vector<std::string> paths_of(const SourceTree& tree) {
    std::vector<std::string> paths;
    for (const SourceFile& file : tree.files) paths.push_back(file.path);
    return paths;
}

std::string notes_of(const SourceTree& tree) {
    std::string all;
    for (const std::string& note : tree.notes) all += note + "\n";
    return all;
}

}  // namespace

TEST_CASE("source tree: a folder, without litter, and an archive in it as a folder") {
    const TemporaryFolder folder;
    write_files(folder.path(), {{"ada/vector_add.cu", "x"},
                                {"ada/notes.pdf", "large"},
                                {"ada/.git/config", "x"},
                                {"eva/.DS_Store", "x"}});
    write_archive(folder.path() / "ida.zip",
                  {{"vector_add.cu", "y"}, {"__MACOSX/._vector_add.cu", "z"}});
    write_archive(folder.path() / "kay.tar.gz", {{"./src\\vector_add.cu", "w"}}, false);
    const SourceTree tree = read_tree(folder.path());
    CHECK(paths_of(tree) == std::vector<std::string>{"ada/notes.pdf", "ada/vector_add.cu",
                                                     "ida/vector_add.cu", "kay/src/vector_add.cu"});
    CHECK(tree.files[1].content == "x");
    CHECK(tree.files[0].content.empty());
    CHECK(tree.files[2].content == "y");
    CHECK(tree.files[2].time == Time(std::chrono::seconds(1'763'640'000)));
    CHECK(tree.notes.empty());
}

TEST_CASE("source tree: nothing leads out of it, and links are not followed") {
    const TemporaryFolder folder;
    write_files(folder.path(), {{"secret.cu", "secret"}});
    fs::create_directory(folder.path() / "in");
    fs::create_symlink(folder.path() / "secret.cu", folder.path() / "in" / "linked.cu");
    fs::create_directory_symlink(folder.path(), folder.path() / "in" / "all");
    write_archive(folder.path() / "in" / "bad.zip",
                  {{"../../evil.cu", "e"}, {"/abs.cu", "a"}, {"C:\\win.cu", "w"}, {"ok.cu", "o"}},
                  true, {{"link.cu", "/etc/passwd"}});
    write_archive(folder.path() / "in" / "device.tar.gz", {{"a.cu", "o"}}, false,
                  {{"null.cu", "", true}});
    const SourceTree tree = read_tree(folder.path() / "in");
    for (const SourceFile& file : tree.files) {
        CHECK(file.content.find("secret") == std::string::npos);
        if (file.path == "linked.cu" || file.path == "bad/link.cu" || file.path == "device/null.cu")
            CHECK_FALSE(file.problem.empty());
    }
    CHECK_THAT(notes_of(tree), ContainsSubstring("../../evil.cu leads out of it") &&
                                   ContainsSubstring("/abs.cu") && ContainsSubstring("win.cu"));
    CHECK(std::ranges::find(tree.files, "bad/ok.cu", &SourceFile::path) != tree.files.end());
}

TEST_CASE("source tree: a damaged archive spoils nobody else's work") {
    const TemporaryFolder folder;
    write_files(folder.path(), {{"ada/vector_add.cu", "x"}, {"eva.zip", "this is no archive"}});
    write_archive(folder.path() / "ida.zip", {{"vector_add.cu", std::string(100'000, 'x')}});
    fs::resize_file(folder.path() / "ida.zip", 200);
    const SourceTree tree = read_tree(folder.path());
    CHECK_THAT(notes_of(tree), ContainsSubstring("eva.zip is damaged"));
    CHECK(tree.files[0].path == "ada/vector_add.cu");
    CHECK_THROWS_MATCHES(read_tree(folder.path() / "eva.zip"), Failure,
                         MessageMatches(ContainsSubstring("eva.zip is damaged, or no archive")));
    CHECK_THROWS_MATCHES(read_tree(folder.path() / "none"), Failure,
                         MessageMatches(ContainsSubstring("There is no")));
}

TEST_CASE("source tree: bombs are cut off") {
    const TemporaryFolder folder;
    const std::string zeros(40u << 20, '\0');
    TreeLimits limits;
    limits.inner_bytes_in_all = 64u << 20;
    SECTION("many large files in a compressed tar") {
        write_archive(folder.path() / "ada.tar.gz",
                      {{"a.bin", zeros}, {"b.bin", zeros}, {"c.cu", "x"}}, false);
        const SourceTree tree = read_tree(folder.path(), limits);
        CHECK_THAT(notes_of(tree), ContainsSubstring("unpacks to more than 64 MiB"));
        CHECK(std::ranges::find(tree.files, "ada/c.cu", &SourceFile::path) == tree.files.end());
    }
    SECTION("one large source file") {
        write_archive(folder.path() / "ada.zip", {{"vector_add.cu", zeros}});
        const SourceTree tree = read_tree(folder.path(), limits);
        REQUIRE(tree.files.size() == 1);
        CHECK(tree.files[0].content.size() == limits.bytes_of_file);
    }
    SECTION("many files") {
        limits.files_of_inner_archive = 10;
        Files many;
        for (int i = 0; i < 20; ++i) many[std::to_string(i) + ".cu"] = "x";
        write_archive(folder.path() / "ada.zip", many);
        const SourceTree tree = read_tree(folder.path(), limits);
        CHECK(tree.files.size() == 10);
        CHECK_THAT(notes_of(tree), ContainsSubstring("too many files"));
    }
}

TEST_CASE("source tree: names with control characters and names in Unicode") {
    const TemporaryFolder folder;
    write_archive(folder.path() / "a.zip",
                  {{"J\xC3\xBCrgen/vector_add.cu", "x"}, {"evil\x1b[2J/vector_add.cu", "y"}});
    const SourceTree tree = read_tree(folder.path() / "a.zip");
    REQUIRE(tree.files.size() == 2);
    CHECK(tree.files[0].path == "J\xC3\xBCrgen/vector_add.cu");
    CHECK(tree.files[1].path.find('\x1b') == std::string::npos);
}

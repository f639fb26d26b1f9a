// The pages of the repository as the tests of documents read them: links, images, quoted files,
// headings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace docs {

namespace fs = std::filesystem;

struct Link {
    int line;            // of the page, from 1
    bool is_image;       // ![text](target)
    std::string text;    // of an image: what is read to those who do not see it
    std::string target;  // as written
};

/// A fenced block below a comment that names the file it quotes: <!-- programs/hello.cu -->, or
/// <!-- part of programs/axes.out --> where lines are left out at the beginning or the end.
struct Quote {
    int line;           // of the comment
    bool is_part;       //
    std::string file;   // as written, from the page's folder
    std::string text;   // with the last line's end
    std::size_t begin;  // of the text in the page
};

struct Page {
    fs::path path;
    std::string text;
    std::vector<Link> links;            // outside of fenced blocks and code
    std::vector<std::string> headings;  // without their marks, as written
    std::vector<Quote> quotes;

    /// "labs/01-thread-indexing/README.md:46", for messages.
    std::string place(int line) const;
};

fs::path root();
Page read_page(const fs::path& path);
/// All that users and authors read: *.md, without build folders, hidden ones, docs/dev (history)
/// and solutions.
std::vector<Page> all_pages();
/// labs/NN-topic/, in order.
std::vector<fs::path> labs();
/// The anchor that GitHub and the site give a heading: "How many blocks?" has how-many-blocks.
std::string anchor(const std::string& heading);

}  // namespace docs

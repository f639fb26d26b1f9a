// Holds the book to its programs: pages quote them, and what they print, to the letter.
//
// After a change of a program or its output: LAB_WRITE_QUOTES=1 build/dev/bin/test-docs "book:*"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <ranges>
#include <set>
#include <sstream>

#include "base/files.h"
#include "pages.h"

using namespace docs;

namespace {

std::vector<fs::path> chapters() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(root() / "docs/book"))
        if (entry.path().extension() == ".md") paths.push_back(entry.path());
    return paths;
}

void write_quotes(const Page& page) {
    std::string text = page.text;
    for (const Quote& quote : page.quotes | std::views::reverse)
        if (!quote.is_part)
            text.replace(quote.begin, quote.text.size(),
                         lab::read_file(page.path.parent_path() / quote.file));
    std::ofstream(page.path) << text;
}

std::string lines_of(const fs::path& file) {
    const std::string text = lab::read_file(file);
    return text.ends_with('\n') ? text : text + '\n';
}

}  // namespace

TEST_CASE("book: pages quote programs and outputs exactly") {
    int quotes = 0;
    for (const fs::path& path : chapters()) {
        if (std::getenv("LAB_WRITE_QUOTES") != nullptr) write_quotes(read_page(path));
        const Page page = read_page(path);
        for (const Quote& quote : page.quotes) {
            ++quotes;
            INFO(page.place(quote.line) << " quotes " << quote.file);
            const fs::path file = path.parent_path() / quote.file;
            REQUIRE(fs::exists(file));
            if (quote.is_part)
                CHECK(("\n" + lines_of(file)).find("\n" + quote.text) != std::string::npos);
            else
                CHECK(quote.text == lines_of(file));
        }
    }
    CHECK(quotes > 30);
}

TEST_CASE("book: every program is shown, and so is its output") {
    std::set<std::string> quoted;
    for (const fs::path& path : chapters())
        for (const Quote& quote : read_page(path).quotes) quoted.insert(quote.file);
    for (const auto& entry : fs::directory_iterator(root() / "docs/book/programs")) {
        const std::string name = "programs/" + entry.path().filename().string();
        if (!name.ends_with(".cu") && !name.ends_with(".out")) continue;
        INFO(name);
        CHECK(quoted.contains(name));
    }
}

TEST_CASE("book: a chapter takes 5 to 8 minutes, or says more") {
    for (const fs::path& path : chapters()) {
        const Page page = read_page(path);
        std::string prose;
        bool is_in_fence = false;
        std::istringstream lines(page.text);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("```")) is_in_fence = !is_in_fence;
            if (!is_in_fence) prose += line + "\n";
        }
        std::istringstream words(prose);
        const auto count = std::ranges::distance(std::views::istream<std::string>(words));
        INFO(page.place(1) << ": " << count << " words; split it");
        CHECK(count < 1400);  // chosen: 8 minutes at 170 words a minute, as one reads of code
    }
}

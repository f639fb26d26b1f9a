// Tests the figures of all pages: they exist, are described for those who do not see them, and
// follow a dark page.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <regex>
#include <sstream>

#include "base/files.h"
#include "pages.h"

using namespace docs;

namespace {

std::string plain(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isalnum(c) == 0; });
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// What a figure calls itself: its <title>, and the title of its gnuplot script.
std::vector<std::string> titles_of(const fs::path& figure) {
    static const std::regex svg_title("<title>([^<]*)</title>");
    static const std::regex gnuplot_title("set title \"([^\"]*)\"");
    std::vector<std::string> titles;
    std::smatch match;
    const std::string svg = lab::read_file(figure);
    if (figure.extension() == ".svg" && std::regex_search(svg, match, svg_title))
        titles.push_back(plain(match[1]));
    const std::string script =
        lab::read_file_if_there(fs::path(figure).replace_extension(".gp")).value_or("");
    if (std::regex_search(script, match, gnuplot_title)) titles.push_back(plain(match[1]));
    return titles;
}

}  // namespace

TEST_CASE("figures: every picture of a page exists, and its alternative text says what is seen") {
    std::map<std::string, fs::path> texts;
    int figures = 0;
    for (const Page& page : all_pages())
        for (const Link& link : page.links) {
            if (!link.is_image) continue;
            ++figures;
            INFO(page.place(link.line) << ": ![" << link.text << "](" << link.target << ")");
            const fs::path file = page.path.parent_path() / link.target;
            REQUIRE(fs::exists(file));
            std::istringstream words(link.text);
            int count = 0;
            for (std::string word; words >> word;) ++count;
            CHECK(count >= 10);  // chosen: a title has fewer, a sentence about a picture has more
            CHECK(link.text.ends_with('.'));
            for (const std::string& title : titles_of(file)) CHECK(plain(link.text) != title);
            CHECK(texts.emplace(link.text, file.lexically_normal()).first->second ==
                  file.lexically_normal());
        }
    CHECK(figures >= 30);
}

TEST_CASE("figures: every SVG has a title of its own, and follows a dark page") {
    std::vector<fs::path> folders = {root() / "docs/figures", root() / "docs/book/figures"};
    for (const fs::path& lab : labs()) folders.push_back(lab / "figures");
    for (const fs::path& folder : folders) {
        if (!fs::exists(folder)) continue;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() != ".svg") continue;
            INFO(entry.path().string() << ": draw it with labs/figures/draw");
            const std::string svg = lab::read_file(entry.path());
            CHECK(svg.find("prefers-color-scheme: dark") != std::string::npos);
            CHECK(svg.find("<title>Gnuplot</title>") == std::string::npos);
            CHECK(svg.find("<title>") != std::string::npos);
        }
    }
}

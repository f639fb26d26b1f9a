// Tests the links between pages: files and sections exist. Links to other sites are left alone.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "base/files.h"
#include "pages.h"

using namespace docs;

TEST_CASE("links: every file and section that a page links to exists") {
    std::map<fs::path, std::vector<std::string>> anchors;
    const auto anchors_of = [&](const fs::path& path) -> const std::vector<std::string>& {
        auto& found = anchors[path];
        if (found.empty())
            for (const std::string& heading : read_page(path).headings)
                found.push_back(anchor(heading));
        return found;
    };
    int links = 0;
    for (const Page& page : all_pages())
        for (const Link& link : page.links) {
            if (link.target.find("://") != std::string::npos || link.target.starts_with("mailto:"))
                continue;
            ++links;
            INFO(page.place(link.line) << " links to " << link.target);
            const std::size_t hash = std::min(link.target.find('#'), link.target.size());
            const std::string file = link.target.substr(0, hash),
                              section = link.target.substr(hash);
            const fs::path path =
                file.empty() ? page.path : (page.path.parent_path() / file).lexically_normal();
            REQUIRE(fs::exists(path));
            if (section.size() > 1 && path.extension() == ".md")
                CHECK(std::ranges::find(anchors_of(path), section.substr(1)) !=
                      anchors_of(path).end());
        }
    CHECK(links > 100);
}

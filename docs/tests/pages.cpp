#include "pages.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include "base/files.h"

namespace docs {
namespace {

std::string without_code(const std::string& line) {
    static const std::regex code("`[^`]*`");
    return std::regex_replace(line, code, "``");
}

/// Links may be broken over two lines, so they are looked for in whole paragraphs.
void collect_links(const std::string& paragraph, int first_line, Page& page) {
    static const std::regex link(R"((!?)\[((?:[^\[\]]|\[[^\]]*\]\([^)]*\))*)\]\(([^)\s]+)\))");
    for (std::sregex_iterator at(paragraph.begin(), paragraph.end(), link), end; at != end; ++at) {
        const auto before = paragraph.begin() + at->position();
        const int line = first_line + static_cast<int>(std::count(paragraph.begin(), before, '\n'));
        std::string text = (*at)[2];
        std::ranges::replace(text, '\n', ' ');
        page.links.push_back({line, (*at)[1] == "!", text, (*at)[3]});
    }
}

}  // namespace

std::string Page::place(int line) const {
    return fs::relative(path, root()).generic_string() + ":" + std::to_string(line);
}

fs::path root() {
    return LAB_TEST_ROOT;
}

Page read_page(const fs::path& path) {
    static const std::regex quote(R"(^<!-- (part of )?(\S+) -->$)");
    Page page{path, lab::read_file(path), {}, {}, {}};
    std::istringstream lines(page.text);
    std::string paragraph, quoted_file;
    bool is_in_fence = false, is_part = false;
    int number = 0, paragraph_line = 1, quote_line = 0;
    std::size_t offset = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        offset += line.size() + 1;
        std::smatch match;
        if (line.starts_with("```")) {
            is_in_fence = !is_in_fence;
            if (is_in_fence && !quoted_file.empty())
                page.quotes.push_back({quote_line, is_part, quoted_file, "", offset});
            if (!is_in_fence) quoted_file.clear();
        } else if (is_in_fence) {
            if (!quoted_file.empty()) page.quotes.back().text += line + "\n";
            continue;
        } else if (std::regex_match(line, match, quote)) {
            quoted_file = match[2];
            is_part = match[1].matched;
            quote_line = number;
        } else if (line.starts_with("#")) {
            page.headings.push_back(line.substr(line.find_first_not_of("# ")));
        }
        if (line.empty() || line.starts_with("```")) {
            collect_links(paragraph, paragraph_line, page);
            paragraph.clear();
            paragraph_line = number + 1;
        } else {
            paragraph += without_code(line) + "\n";
        }
    }
    collect_links(paragraph, paragraph_line, page);
    return page;
}

std::vector<Page> all_pages() {
    std::vector<fs::path> paths;
    for (auto at = fs::recursive_directory_iterator(root());
         at != fs::recursive_directory_iterator(); ++at) {
        const std::string name = at->path().filename().string();
        const bool is_left_out = name.starts_with('.') || name == "build" || name == "dev" ||
                                 name == "solutions" || name == "templates";
        if (at->is_directory() && is_left_out)
            at.disable_recursion_pending();
        else if (at->path().extension() == ".md")
            paths.push_back(at->path());
    }
    std::ranges::sort(paths);
    std::vector<Page> pages;
    std::ranges::transform(paths, std::back_inserter(pages), read_page);
    return pages;
}

std::vector<fs::path> labs() {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(root() / "labs"))
        if (fs::exists(entry.path() / "lab.toml")) folders.push_back(entry.path());
    std::ranges::sort(folders);
    return folders;
}

std::string anchor(const std::string& heading) {
    std::string slug;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '-' || c == '_')
            slug += static_cast<char>(std::tolower(byte));
        else if (c == ' ')
            slug += '-';
    }
    return slug;
}

}  // namespace docs

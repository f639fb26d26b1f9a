// Tests the handouts' form: the first task and the first grading come within the first screen, and
// the sections that a skeleton names are there.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <regex>

#include "base/files.h"
#include "pages.h"

using namespace docs;

namespace {

/// The number of the first line that matches, or a large one.
int line_of(const std::string& text, const std::string& pattern) {
    std::smatch match;
    if (!std::regex_search(text, match, std::regex(pattern, std::regex::multiline))) return 9999;
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + match.position(), '\n'));
}

}  // namespace

TEST_CASE("handouts: the first task and the first grading are on the first screen") {
    REQUIRE(labs().size() >= 10);
    for (const fs::path& lab : labs()) {
        const Page page = read_page(lab / "README.md");
        const std::string number = lab.filename().string().substr(0, 2);
        if (number == "00") continue;  // a welcome, in a form of its own
        INFO(page.place(1));
        const int task = line_of(page.text, "^### Task 1"),
                  grade = line_of(page.text, "^\\./lab grade " + number);
        CHECK(line_of(page.text, "^- \\*\\*Time") < task);
        CHECK(task <= 12);
        CHECK(grade <= 32);
        CHECK(grade < line_of(page.text, "^### Task 2"));
    }
}

TEST_CASE("handouts: sections follow one order") {
    for (const fs::path& lab : labs()) {
        const Page page = read_page(lab / "README.md");
        if (lab.filename().string().starts_with("00")) continue;
        INFO(page.place(1));
        const std::vector<std::string> order = {"Hints", "How it is graded", "A question",
                                                "References"};
        auto at = page.headings.begin();
        for (const std::string& section : order) {
            INFO(section);
            at = std::find_if(at, page.headings.end(), [&](const std::string& heading) {
                return heading.starts_with(section);
            });
            REQUIRE(at != page.headings.end());
        }
    }
}

TEST_CASE("handouts: every section that a skeleton names is there") {
    static const std::regex named("Handout: \"([^\"]+)\"");
    for (const fs::path& lab : labs()) {
        const Page page = read_page(lab / "README.md");
        for (const auto& entry : fs::directory_iterator(lab)) {
            if (entry.path().extension() != ".cu") continue;
            const std::string skeleton = lab::read_file(entry.path());
            for (std::sregex_iterator at(skeleton.begin(), skeleton.end(), named), end; at != end;
                 ++at) {
                const std::string section = (*at)[1];
                INFO(entry.path().string() << " names the section \"" << section << '"');
                CHECK(std::ranges::any_of(page.headings, [&](const std::string& heading) {
                    return heading == section || heading.ends_with(": " + section);
                }));
            }
        }
    }
}

// A real browser reads the pages, and GitHub's parser the Markdown: what they make of them has no
// element that came from a submission. Skipped where there is no chromium, or no cmark-gfm.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>

#include "base/process.h"
#include "report/class/feedback.h"
#include "report/class/feedback_markdown.h"
#include "report/class/test_class.h"
#include "report/class/write_reports.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

Finished chromium(const fs::path& home, const std::vector<std::string>& arguments) {
    Command command;
    command.argv = {"chromium",
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--user-data-dir=" + (home / "profile").string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = {"HOME=" + home.string()};
    command.time_limit = std::chrono::seconds(120);
    return run(command);
}

}  // namespace

TEST_CASE("browser: the pages' elements are ours, and scripts do not run") {
    const TemporaryFolder folder;
    if (!chromium(folder.path(), {"--version"}).ok()) SKIP("chromium is not installed");
    const TestClass one;
    Project project;
    project.root = LAB_TEST_ROOT;
    write_reports(project, one.grades(), folder.path() / "report");

    for (const std::string& page :
         {feedback_path(kHostile, "02-vector-add") + ".html", std::string("instructor.html")}) {
        CAPTURE(page);
        const Finished finished = chromium(
            folder.path(), {"--dump-dom", "file://" + (folder.path() / "report" / page).string()});
        REQUIRE(finished.ok());
        CHECK(harm_in(finished.out) == "");
        CHECK_THAT(finished.out, !ContainsSubstring("<title>owned"));
        CHECK_THAT(finished.out, ContainsSubstring("&lt;script&gt;document.title='owned'"));
        CHECK_THAT(finished.out, ContainsSubstring("</main>"));
    }
}

TEST_CASE("browser: Markdown has no HTML, link or image of a submission's") {
    const TemporaryFolder folder;
    const auto rendered = [&](const std::string& text) {
        write_atomically(folder.path() / "text.md", text);
        Command command;
        command.argv = {"cmark-gfm",
                        "--unsafe",
                        "-e",
                        "table",
                        "-e",
                        "autolink",
                        (folder.path() / "text.md").string()};
        return run(command);
    };
    if (!rendered("x").ok()) SKIP("cmark-gfm is not installed");
    const TestClass one;
    const Finished page = rendered(feedback_markdown(feedback_of(one.grades(), one.of(kHostile))));
    REQUIRE(page.ok());
    CHECK(harm_in(page.out) == "");
    for (const char* element : {"<a ", "<img", "<del", "<em>"}) {
        CAPTURE(element);
        CHECK_THAT(page.out, !ContainsSubstring(element));
    }
    // The same parser does make a link of what is not escaped.
    CHECK_THAT(rendered(kHostile).out, ContainsSubstring("<a href"));
}

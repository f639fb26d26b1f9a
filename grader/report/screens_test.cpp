// Compares recorded gradings with golden screens, at several widths of the terminal.
//
// Each folder of screens/ has the grading's lines and source, and the screens as text files. After
// a change that is meant to show:
//
//     LAB_WRITE_SCREENS=1 build/dev/bin/test-lab_report "screens:*"; git diff grader/report/screens
//
// screens/record.sh records a grading anew. 02-inconclusive is 02-pass with the race of a busy GPU
// put in by hand.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "base/files.h"
#include "base/utf8.h"
#include "report/lines.h"
#include "report/screen.h"

using namespace lab;

namespace {

constexpr std::size_t kWidths[] = {60, 80, 120};
constexpr const char* kFirstStep =
    "Open labs/01-thread-indexing/thread_indexing.cu at TODO(1/4): compute the thread's id, and "
    "store it. The handout is labs/01-thread-indexing/README.md.";

std::vector<fs::path> recorded() {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(LAB_TEST_SCREENS))
        if (entry.is_directory()) folders.push_back(entry.path());
    std::ranges::sort(folders);
    return folders;
}

Grading grading_in(const fs::path& folder) {
    Grading grading = read_grading(read_file(folder / "results.jsonl"));
    grading.submission.text = read_file(folder / "submission.cu");
    grading.lab.first_step = kFirstStep;
    for (int task = 1; task <= 5; ++task) grading.lab.hints.push_back({task, "a hint"});
    return grading;
}

std::string screen(const Grading& grading, std::size_t width) {
    TextStyle style;
    style.width = width;
    return grading_screen(grading, "./lab grade " + grading.lab.number(), style);
}

}  // namespace

TEST_CASE("screens: every recorded grading looks as it did") {
    const bool writes = std::getenv("LAB_WRITE_SCREENS") != nullptr;
    for (const fs::path& folder : recorded()) {
        const Grading grading = grading_in(folder);
        for (const std::size_t width : kWidths) {
            CAPTURE(folder.filename(), width);
            const std::string text = screen(grading, width);
            const fs::path golden = folder / fmt::format("{}.txt", width);
            if (writes) write_atomically(golden, text);
            CHECK(text == read_file(golden));
        }
    }
}

TEST_CASE("screens: every recorded grading fits a terminal, and sends it text only") {
    CHECK(recorded().size() >= 13);
    for (const fs::path& folder : recorded()) {
        const Grading grading = grading_in(folder);
        for (std::size_t width = 40; width <= 120; ++width) {
            CAPTURE(folder.filename(), width);
            const Lines lines = split_lines(screen(grading, width));
            if (width >= 60) CHECK(lines.size() <= 23);  // the last line is the shell's
            for (const std::string& line : lines) {
                CAPTURE(line);
                CHECK(display_width(line) <= width);
                CHECK(std::ranges::none_of(line, [](unsigned char c) { return c < 0x20; }));
                CHECK_FALSE(line.ends_with(' '));
            }
        }
    }
}

TEST_CASE("screens: colours change no letter") {
    for (const fs::path& folder : recorded()) {
        const Grading grading = grading_in(folder);
        TextStyle style;
        style.colour = true;
        std::string text = grading_screen(grading, "./lab grade " + grading.lab.number(), style);
        for (std::size_t at = 0; (at = text.find("\x1b[", at)) != std::string::npos;)
            text.erase(at, text.find('m', at) - at + 1);
        CAPTURE(folder.filename());
        CHECK(text == screen(grading, 80));
    }
}

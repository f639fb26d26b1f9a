#include "cli/terminal.h"

#include <catch2/catch_test_macros.hpp>
#include <map>

using namespace lab;
using namespace lab::cli;

namespace {

Environment with(std::map<std::string, std::string> variables) {
    return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        if (found == variables.end()) return std::nullopt;
        return found->second;
    };
}

constexpr Terminal kPipe{};
constexpr Terminal kTerminal{true, 100, 30};

}  // namespace

TEST_CASE("terminal: width and height are the terminal's, else the environment's, else 80x24") {
    const Environment usual = with({{"TERM", "xterm"}, {"COLUMNS", "70"}, {"LINES", "50"}});
    CHECK(text_style(kTerminal, usual).width == 100);
    CHECK(text_style(kTerminal, usual).height == 30);
    CHECK(text_style(kPipe, usual).width == 70);
    CHECK(text_style(kPipe, usual).height == 50);
    CHECK(text_style({true, 0, 0}, usual).width == 70);
    CHECK(text_style(kPipe, with({})).width == 80);
    CHECK(text_style(kPipe, with({})).height == 24);
    CHECK(text_style(kPipe, with({{"COLUMNS", "wide"}, {"LINES", ""}})).width == 80);
}

TEST_CASE("terminal: text is at least 40 and at most 120 columns wide") {
    CHECK(text_style({true, 10, 5}, with({})).width == 40);
    CHECK(text_style({true, 10, 5}, with({})).height == 16);
    CHECK(text_style({true, 300, 80}, with({})).width == 120);
    CHECK(text_style(kPipe, with({{"COLUMNS", "9999"}})).width == 120);
}

TEST_CASE("terminal: colours only where they can be seen and are wanted") {
    CHECK(text_style(kTerminal, with({{"TERM", "xterm"}})).colour);
    CHECK(text_style(kTerminal, with({{"TERM", "xterm"}, {"NO_COLOR", ""}})).colour);
    CHECK_FALSE(text_style(kTerminal, with({{"TERM", "xterm"}, {"NO_COLOR", "1"}})).colour);
    CHECK_FALSE(text_style(kTerminal, with({{"TERM", "dumb"}})).colour);
    CHECK_FALSE(text_style(kTerminal, with({})).colour);
    CHECK_FALSE(text_style(kPipe, with({{"TERM", "xterm"}})).colour);
    CHECK(text_style(kPipe, with({{"CLICOLOR_FORCE", "1"}})).colour);
    CHECK_FALSE(text_style(kPipe, with({{"CLICOLOR_FORCE", "0"}})).colour);
    CHECK_FALSE(text_style(kPipe, with({{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}})).colour);
}

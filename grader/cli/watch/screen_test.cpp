#include "cli/watch/screen.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;
using namespace lab::cli;

namespace {

TextStyle plain(std::size_t width, std::size_t height) {
    TextStyle style;
    style.width = width;
    style.height = height;
    return style;
}

}  // namespace

TEST_CASE("watch screen: verdict, status and keys; the last line has no line feed") {
    const WatchScreen screen{"a\nb\n", "", "Graded", "q quit"};
    CHECK(draw(screen, plain(80, 24)) == "\x1b[H\x1b[2Ja\nb\n\n\r\x1b[KGraded\n\r\x1b[Kq quit");
    CHECK(redraw_footer(screen, plain(80, 24)) == "\x1b[1A\r\x1b[KGraded\n\r\x1b[Kq quit");
}

TEST_CASE("watch screen: an output stands below the verdict if there is room, else alone") {
    const WatchScreen screen{"1\n2\n3\n", "hint\n", "S", "K"};
    CHECK(draw(screen, plain(80, 8)) == "\x1b[H\x1b[2J1\n2\n3\n\nhint\n\n\r\x1b[KS\n\r\x1b[KK");
    CHECK(draw(screen, plain(80, 7)) == "\x1b[H\x1b[2Jhint\n\n\r\x1b[KS\n\r\x1b[KK");
}

TEST_CASE("watch screen: a verdict leaves room for the footer; long lines are cut") {
    // A screen has at most height - 1 lines; with three of the footer that is 24.
    CHECK(verdict_style(plain(80, 24)).height - 1 + kFooterLines == 24);
    const WatchScreen screen{"", "", "a long status line", "keys"};
    CHECK(redraw_footer(screen, plain(13, 24)) == "\x1b[1A\r\x1b[Ka long st...\n\r\x1b[Kkeys");
}

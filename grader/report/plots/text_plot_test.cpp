// Compares whole drawings, as a terminal shows them.

#include "report/plots/text_plot.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

constexpr TextCanvas kAscii{60, false, false};
constexpr TextCanvas kUtf8{60, true, false};

std::string drawn(const std::string& csv, const std::string& recipe,
                  const TextCanvas& canvas = kAscii) {
    return "\n" + text_plot(read_csv(csv), recipe, canvas);
}

constexpr const char* kSweep =
    "n,version,time_ms,gb_per_s\n"
    "1024,reference,1,10\n1024,student,1,10\n"
    "4096,reference,1,40\n4096,student,1,20\n"
    "16384,reference,1,160\n16384,student,1,80\n";

}  // namespace

TEST_CASE("text plot: a sweep, one line a version") {
    CHECK(drawn(kSweep, "lines x=n y=gb_per_s by=version log=x") ==
          R"(
        |                                               .r
    150 +                                             ..
        |                                           ..
        |                                        ...
        |                                      ..
    100 +                                    ..
        |                                  ..
        |                                ..            ..y
        |                             ...         .....
        |                           ..        ....
     50 +                        r..      ....
        |               .........    .....
        |      .........   ......y...
        |*.................
      0 +
        ++-----------------------+-----------------------+
       2^10                    2^12                    2^14
         x: n, y: gb per s
         r reference   y yours   * several
)");
    CHECK(drawn(kSweep, "lines x=n y=gb_per_s by=version log=xy", kUtf8) ==
          R"(
    160 ┤                                               ·r
        │                                           ····
        │                                        ···
        │                                    ····
        │                                 ····        ···y
        │                              ···        ····
        │                          ····        ···
     40 ┤                       ·r·         ···
        │                   ····         ···
        │                ···         ····
        │            ····         ···
        │         ···      ······y
        │      ···  ·······
        │  ·········
     10 ┤*···
        └┬───────────────────────┬───────────────────────┬
       2^10                    2^12                    2^14
         x: n, y: gb per s
         r reference   y yours   * several
)");
}

TEST_CASE("text plot: columns as points; what is missing is left out") {
    CHECK(
        drawn("i,expected,student\n0,0,0\n1,0.5,nan\n2,1,-1\n", "points x=i y=expected,student") ==
        R"(
      1 +                                                e
        |
        |
    0.5 +                        e
        |
        |
        |
      0 +*
        |
        |
   -0.5 +
        |
        |
        |
     -1 +                                                y
        ++-----------+-----------+-----------+-----------+
         0          0.5          1          1.5          2
         x: i
         e expected   y yours   * several
)");
}

TEST_CASE("text plot: bars") {
    constexpr const char* kVersions =
        "version,n,gb_per_s\nstudent,1,4000\nreference,1,4200\nbaseline,1,12\nexpert,1,nan\n";
    CHECK(drawn(kVersions, "bars label=version value=gb_per_s") ==
          R"(
             gb per s
  student    ########################## 4000
  reference  ########################### 4200
  baseline   12
  expert     nothing
)");
    CHECK(drawn(kVersions, "bars label=version value=gb_per_s", kUtf8) ==
          R"(
             gb per s
  student    █████████████████████████▊ 4000
  reference  ███████████████████████████ 4200
  baseline   ▏ 12
  expert     nothing
)");
    CHECK(drawn(kVersions, "bars label=version value=gb_per_s", {60, true, true}) ==
          "\n"
          "             gb per s\n"
          "  student    \x1b[33m█████████████████████████▊\x1b[0m 4000\n"
          "  reference  \x1b[34m███████████████████████████\x1b[0m 4200\n"
          "  baseline   ▏ 12\n"
          "  expert     \x1b[32m\x1b[0mnothing\n");
}

TEST_CASE("text plot: bars next to what is expected") {
    CHECK(drawn("bin,student,expected\n0,10,10\n1,4,5\n2,nan,2\n",
                "bars label=bin value=student expected=expected") ==
          R"(
     yours; where it differs, what is expected
  0  ################################### 10
  1  ############## 4, expected 5
  2  nothing, expected 2
)");
}

TEST_CASE("text plot: a timeline") {
    CHECK(drawn("row,stream,kind,begin_us,end_us\n"
                "0,stream 1,copy_to_device,0,100\n1,stream 2,copy_to_device,100,200\n"
                "0,stream 1,kernels,100,350\n2,default stream,copy_to_host,350,400\n",
                "spans row=stream kind=kind from=begin_us to=end_us") ==
          R"(
  default stream |                                   oooooo
  stream 1       |cccccccccckkkkkkkkkkkkkkkkkkkkkkkkk
  stream 2       |          cccccccccc
                  0                                  400 us
                   c copy to device  k kernels  o copy to host
)");
}

TEST_CASE("text plot: numbers at their places, next to the expected ones") {
    CHECK(drawn("element,id,expected_id\n0,0,0\n1,1,1\n2,-1,2\n3,0,3\n4,1000,4\n",
                "numbers x=element wrap=4 value=id expected=expected_id") ==
          R"(
  expected
  element 0    0 1 2 3
  element 4    4

  yours: 3 of 5 differ
  element 0    0 1 - 0
  element 4    >
  -  nothing, or no such number
)");
    CHECK(
        drawn("lane,row,times\n0,0,1\n1,0,1\n0,1,2\n1,1,1\n", "numbers x=lane y=row value=times") ==
        R"(
  row 0    1 1
  row 1    2 1
)");
    CHECK(drawn("place,i,j\n0,0,0\n1,0,1\n2,-1,-1\n", "numbers x=place wrap=2 value=i,j") ==
          R"(
  place 0    0,0 0,1
  place 2      -
  -  nothing, or no such number
)");
}

TEST_CASE("text plot: shades, side by side") {
    std::string csv = "x,y,expected,student\n";
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 10; ++x)
            csv += std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(x) + "," +
                   (y < 2 ? std::to_string(9 - x) : "nan") + "\n";
    CHECK(drawn(csv, "shades x=x y=y value=expected,student") ==
          R"(
  expected     yours
   .:-=+*#%@   @%#*+=-:.
   .:-=+*#%@   ??????????
  ?  never written
)");
    CHECK(drawn("x,y,expected\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n", "shades x=x y=y value=expected",
                {60, true, true}) ==
          "\n"
          "  expected\n"
          "  \x1b[38;5;232;48;5;255m▀\x1b[38;5;255;48;5;232m▀\x1b[0m\n");
}

TEST_CASE("text plot: right, wrong, or never written") {
    std::string csv = "col,row,student,expected,tolerance\n";
    for (int row = 0; row < 4; ++row)
        for (int col = 0; col < 6; ++col)
            csv += std::to_string(col) + "," + std::to_string(row) + "," +
                   (col == 5  ? "nan"
                    : row < 2 ? "1.05"
                              : "2") +
                   ",1,0.1\n";
    const std::string recipe =
        "marks x=col y=row value=student expected=expected tolerance=tolerance";
    CHECK(drawn(csv, recipe) ==
          R"(
  yours:   . right 10   x wrong 10   - never written 4
  .....-
  xxxxx-
)");
    CHECK(drawn("col,row,student,expected\n0,0,1,1\n1,0,1,1\n",
                "marks x=col y=row value=student expected=expected") ==
          R"(
  yours: all 2 right
)");
}

TEST_CASE("text plot: no line is wider than the terminal") {
    for (const std::size_t columns : {60u, 80u, 120u}) {
        const std::string text =
            drawn(kSweep, "lines x=n y=gb_per_s by=version log=x", {columns, false, false});
        std::size_t begin = 0;
        for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
            CHECK(end - begin <= columns);
    }
}

TEST_CASE("text plot: a recipe that cannot be followed is our fault, and names its mistake") {
    CHECK_THROWS_MATCHES(drawn(kSweep, "pie x=n"), Failure,
                         Message("There is no drawing \"pie\". The kinds: lines, points, bars, "
                                 "spans, numbers, shades, marks."));
    CHECK_THROWS_MATCHES(
        drawn(kSweep, "lines x=n y=speed"), Failure,
        Message("A drawing needs the column \"speed\". The table has: n, version, time_ms, "
                "gb_per_s."));
    CHECK_THROWS_MATCHES(drawn(kSweep, "lines x=n"), Failure,
                         Message("The recipe \"lines x=n\" of a drawing needs y=..."));
    CHECK_THROWS_MATCHES(drawn(kSweep, "lines x"), Failure,
                         Message("\"x\" in the recipe \"lines x\" has no value."));
}

#include "report/excerpt.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

namespace {

constexpr const char* kSource =
    "__global__ void add_kernel(const float* a, float* c) {\n"
    "    const int i = threadIdx.x;\n"
    "\n"
    "        c[i] = a[i] + b[i];\n"
    "\tif (i > 0) c[0] += c[i];\n"
    "}\n";

MarkedPlace at(int line, const std::string& label, const std::string& name = "") {
    return {{"labs/02/add.cu", line}, label, name};
}

std::string excerpt(const std::vector<MarkedPlace>& places, std::size_t width = 80,
                    const std::string& source = kSource) {
    TextStyle style;
    style.width = width;
    return joined(source_excerpt(places, "labs/02/add.cu", source, style));
}

}  // namespace

TEST_CASE("excerpt: a line, a caret under the array's name, and what happened") {
    CHECK(excerpt({at(4, "thread 3 of block 1 reads just past the end of a", "a")}) ==
          "  labs/02/add.cu:4\n"
          "    4 |     c[i] = a[i] + b[i];\n"
          "      |            ^ thread 3 of block 1 reads just past the end of a\n");
    CHECK(excerpt({at(2, "here", "i")}) ==
          "  labs/02/add.cu:2\n"
          "    2 |     const int i = threadIdx.x;\n"
          "      |               ^ here\n");
    CHECK(excerpt({at(2, "here", "dx")}) ==  // no word of the line
          "  labs/02/add.cu:2\n"
          "    2 |     const int i = threadIdx.x;\n"
          "      |     ^ here\n");
}

TEST_CASE("excerpt: both lines of a race in the file's order, a shared line once") {
    CHECK(excerpt(
              {at(5, "thread 0 reads"), at(4, "thread 1 writes the same place, maybe earlier")}) ==
          "  labs/02/add.cu:4\n"
          "    4 |         c[i] = a[i] + b[i];\n"
          "      |         ^ thread 1 writes the same place, maybe earlier\n"
          "    5 |     if (i > 0) c[0] += c[i];\n"
          "      |     ^ thread 0 reads\n");
    CHECK(excerpt({at(4, "one"), at(4, "two")}) ==
          "  labs/02/add.cu:4\n"
          "    4 |     c[i] = a[i] + b[i];\n"
          "      |     ^ one\n"
          "      |     ^ two\n");
}

TEST_CASE("excerpt: a place without a label has no caret; one in another file no source") {
    CHECK(excerpt({at(4, "")}) ==
          "  labs/02/add.cu:4\n"
          "    4 |     c[i] = a[i] + b[i];\n");
    CHECK(excerpt({{{"labs/02/add.h", 7}, "thread 0 stopped here", ""}}) ==
          "  labs/02/add.h:7\n"
          "    thread 0 stopped here\n");
    CHECK(excerpt({at(99, "gone")}) == "  labs/02/add.cu:99\n    gone\n");
    CHECK(excerpt({}).empty());
}

TEST_CASE("excerpt: long lines, labels and paths are cut or wrapped") {
    CHECK(excerpt({at(4, "thread 3 of block 1 reads just past the end of a", "a")}, 34) ==
          "  labs/02/add.cu:4\n"
          "    4 |     c[i] = a[i] + b[i];\n"
          "      |            ^ thread 3 of\n"
          "      |              block 1 reads\n"
          "      |              just past the\n"
          "      |              end of a\n");
    CHECK(excerpt({at(1, "here", "c")}, 40) ==
          "  labs/02/add.cu:1\n"
          "    1 | ...l(const float* a, float* c) {\n"
          "      |                        here ^\n");
    CHECK(excerpt({at(4, "")}, 12).starts_with("  .../add...\n"));
}

TEST_CASE("excerpt: of a long line, the part around the caret") {
    const std::string source =
        "    if (x < width) frame_image[y * kFrameWidth + x] = frame_gain[x] * "
        "frame_raw[y * kFrameWidth + x] + frame_offset[y];\n";
    CHECK(excerpt({at(1, "thread (5,0) reads just past the end", "frame_offset")}, 60, source) ==
          "  labs/02/add.cu:1\n"
          "    1 | ...frame_raw[y * kFrameWidth + x] + frame_offset[y];\n"
          "      |    thread (5,0) reads just past the ^\n"
          "      |    end\n");
}

TEST_CASE("excerpt: of two places on a long line, the later one is shown") {
    const std::string source = "    first[0] = " + std::string(80, 'x') + " + last[0];\n";
    const Lines lines =
        split_lines(excerpt({at(1, "one", "first"), at(1, "two", "last")}, 60, source));
    REQUIRE(lines.size() == 4);
    CHECK(lines[1].ends_with("xxx + last[0];"));
    CHECK(lines[2] == "      |    ^ one");
    CHECK(lines[3].ends_with(" two ^"));
}

TEST_CASE("excerpt: control characters and wide characters of the source") {
    CHECK(excerpt({at(1, "here", "a")}, 80, "x = \"\x1b[2J\u5024\"; a = 1;\n") ==
          "  labs/02/add.cu:1\n"
          "    1 | x = \"^[[2J\u5024\"; a = 1;\n"
          "      |                ^ here\n");
}

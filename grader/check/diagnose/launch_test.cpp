// Each wrong formula, made here as a student's kernel would make it, and lookalikes.
#include "check/diagnose/launch.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Everything untouched; `right` marks what a thread wrote.
Evidence nothing_yet(std::size_t size) {
    Evidence e;
    e.name = "c";
    e.right.assign(size, false);
    e.untouched.assign(size, true);
    e.launches_known = true;
    return e;
}

void write(Evidence& e, std::size_t at) {
    if (at >= e.size()) return;
    e.right[at] = true;
    e.untouched[at] = false;
}

/// What blocks * threads threads write whose index is index(b, t).
template <class Index>
Evidence launched(std::size_t size, unsigned blocks, unsigned threads, Index index) {
    Evidence e = nothing_yet(size);
    for (std::size_t b = 0; b < blocks; ++b) {
        for (std::size_t t = 0; t < threads; ++t) write(e, index(b, t));
    }
    LaunchRecord launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    e.launches = {launch};
    return e;
}

/// What a grid of 4 x 5 blocks of 32 x 8 writes to an image of 37 rows of 101.
template <class Pixel>
Evidence painted(Pixel pixel) {
    constexpr std::size_t kWidth = 101, kHeight = 37;
    Evidence e = nothing_yet(kWidth * kHeight);
    for (std::size_t by = 0; by < 5; ++by) {
        for (std::size_t bx = 0; bx < 4; ++bx) {
            for (std::size_t ty = 0; ty < 8; ++ty) {
                for (std::size_t tx = 0; tx < 32; ++tx) {
                    const auto [x, y] = pixel(bx, by, tx, ty);
                    if (x < kWidth && y < kHeight) write(e, y * kWidth + x);
                }
            }
        }
    }
    LaunchRecord launch;
    launch.grid = {4, 5, 1};
    launch.block = {32, 8, 1};
    e.launches = {launch};
    return e;
}

std::string said(const Evidence& e) {
    return wrong_index_formula(e).value_or("");
}
std::string said_of_image(const Evidence& e) {
    return wrong_pixel_formula(e, {37, 101}).value_or("");
}

using Pixel = std::pair<std::size_t, std::size_t>;

}  // namespace

TEST_CASE("diagnose: the block's number alone is the index") {
    CHECK_THAT(said(launched(1000, 4, 256, [](auto b, auto) { return b; })),
               ContainsSubstring("Only the first 4 elements were written, one by each block"));
    CHECK_THAT(said(launched(100, 1, 128, [](auto b, auto) { return b; })),
               ContainsSubstring("Only one element was written, though the block has 128 threads"));
}

TEST_CASE("diagnose: the parts of an index exchanged, not multiplied, or with another factor") {
    CHECK(said(launched(1000, 4, 256, [](auto b, auto t) { return t * 256 + b; })) ==
          "In the index, blockIdx.x and threadIdx.x are swapped: the elements that were written "
          "are those of threadIdx.x * blockDim.x + blockIdx.x.");
    CHECK_THAT(said(launched(1000, 4, 256, [](auto b, auto t) { return b + t; })),
               ContainsSubstring("those of blockIdx.x + threadIdx.x"));
    CHECK_THAT(said(launched(1000, 4, 256, [](auto b, auto t) { return b + 256 + t; })),
               ContainsSubstring("those of blockIdx.x + blockDim.x + threadIdx.x"));
    CHECK_THAT(said(launched(1000, 4, 256, [](auto b, auto t) { return b * 4 + t; })),
               ContainsSubstring("4 elements after the one before, which is gridDim.x"));
    CHECK(said(launched(1000, 10, 100, [](auto b, auto t) { return b * 256 + t; })) ==
          "Each block began 256 elements after the one before, but a block has 100 threads.");
    CHECK(said(launched(1000, 4, 256, [](auto b, auto t) { return b * 128 + t; })) ==
          "Each block began 128 elements after the one before, but a block has 256 threads.");
    CHECK_THAT(said(launched(1000, 4, 256, [](auto b, auto t) { return 2 * (b * 256 + t); })),
               ContainsSubstring("Only one element in 2 was written"));
}

TEST_CASE("diagnose: one thread of every block leaves its element out") {
    CHECK_THAT(
        said(launched(1000, 4, 256, [](auto b, auto t) { return t == 255 ? 9999 : b * 256 + t; })),
        ContainsSubstring("The last thread of every block"));
    CHECK_THAT(
        said(launched(1000, 4, 256, [](auto b, auto t) { return t == 0 ? 9999 : b * 256 + t; })),
        ContainsSubstring("The first thread of every block"));
}

TEST_CASE("diagnose: most threads of every block leave theirs out") {
    const auto first = [](std::size_t end) {
        return [=](auto b, auto t) { return t < end ? b * 256 + t : 9999; };
    };
    CHECK_THAT(said(launched(1000, 4, 256, first(32))),
               ContainsSubstring("Only the first 32 of the 256 threads of each block"));
    // One each, and all but one, have reasons of their own.
    CHECK_THAT(said(launched(1000, 4, 256, first(1))), !ContainsSubstring("Only the first 1 of"));
    CHECK_THAT(said(launched(1000, 4, 256, first(255))), ContainsSubstring("The last thread"));
    // Not the same threads in each block.
    CHECK(said(launched(1000, 4, 256, [](auto b, auto t) {
              return t < 32 + b ? b * 256 + t : 9999;
          })).empty());
}

TEST_CASE("diagnose: the elements of block 0 are nobody's") {
    CHECK_THAT(said(launched(1000, 4, 256, [](auto b, auto t) { return (b + 1) * 256 + t; })),
               ContainsSubstring("The first 256 elements were not written"));
    // Another block's: no index that is a block too large.
    CHECK(said(launched(1000, 4, 256, [](auto b, auto t) {
              return b == 1 ? 9999 : b * 256 + t;
          })).empty());
}

TEST_CASE("diagnose: a run that is longer than a block is not always one of overlapping blocks") {
    const auto below = [](std::size_t end) {
        return [=](auto b, auto t) { return b * 256 + t < end ? b * 256 + t : 9999; };
    };
    // As if blocks were this far apart: 254 of two, 128 and 96 of more.
    CHECK(said(launched(511, 2, 256, below(510))).empty());
    CHECK(said(launched(700, 3, 256, below(512))).empty());   // the last block did nothing
    CHECK(said(launched(1280, 5, 256, below(640))).empty());  // a bound of n / 2
    CHECK(said(launched(1000, 4, 256, below(256 + 3 * 150))).empty());
}

TEST_CASE("diagnose: what no formula explains, or two, is not said") {
    const auto right = [](auto b, auto t) { return b * 256 + t; };
    CHECK(said(launched(1000, 4, 256, right)).empty());  // all is right
    CHECK(said(launched(1000, 3, 256, right)).empty());  // too few threads: another diagnosis
    // One element too few, and it is the last of no block.
    CHECK(said(launched(1000, 4, 256, [](auto b, auto t) {
              return b * 256 + t == 999 ? 9999 : b * 256 + t;
          })).empty());
    // Two blocks of two: blockIdx + threadIdx, and an index with gridDim, which is blockDim.
    CHECK(said(launched(4, 2, 2, [](auto b, auto t) { return b + t; })).empty());
    Evidence wrong = launched(1000, 4, 256, [](auto b, auto) { return b; });
    wrong.untouched[500] = false;  // a wrong value was written there
    CHECK(said(wrong).empty());
    Evidence unknown = launched(1000, 4, 256, [](auto b, auto) { return b; });
    unknown.launches.clear();  // on a GPU
    CHECK(said(unknown).empty());
}

TEST_CASE("diagnose: x or y made with a variable of the other axis") {
    CHECK_THAT(said_of_image(painted([](auto bx, auto, auto tx, auto ty) {
                   return Pixel(bx * 32 + tx, bx * 8 + ty);
               })),
               ContainsSubstring("x and y are both made with blockIdx.x"));
    CHECK_THAT(said_of_image(painted([](auto bx, auto by, auto tx, auto) {
                   return Pixel(bx * 32 + tx, by * 8 + tx);
               })),
               ContainsSubstring("y reaches when it is made with threadIdx.x"));
    CHECK_THAT(said_of_image(painted([](auto bx, auto by, auto tx, auto ty) {
                   return Pixel(bx * 32 + tx, by * 32 + ty);
               })),
               ContainsSubstring("y reaches when it is made with blockDim.x"));
    CHECK_THAT(said_of_image(painted([](auto bx, auto by, auto, auto ty) {
                   return Pixel(bx * 32 + ty, by * 8 + ty);
               })),
               ContainsSubstring("x reaches when it is made with threadIdx.y"));
}

TEST_CASE("diagnose: pixels of blocks that are too near, or too far apart") {
    const auto apart = [](std::size_t along_x, std::size_t along_y) {
        return said_of_image(painted([=](auto bx, auto by, auto tx, auto ty) {
            return Pixel(bx * along_x + tx, by * along_y + ty);
        }));
    };
    CHECK_THAT(apart(16, 8), ContainsSubstring("along x each block begins 16 pixels after"));
    CHECK_THAT(apart(1, 8), ContainsSubstring("along x each block begins 1 pixel after"));
    CHECK_THAT(apart(4, 8), ContainsSubstring("along x each block begins 4 pixels"));  // gridDim.x
    CHECK_THAT(apart(32, 16), ContainsSubstring("along y each block begins 16 pixels after"));
    CHECK_THAT(apart(16, 16), ContainsSubstring("along x and along y each block begins 16 pixels"));
    // That of the other axis has its own words.
    CHECK(apart(8, 8) ==
          "Too few pixels were written, just those that x reaches when it is made with blockDim.y "
          "in place of blockDim.x.");
    CHECK(apart(27, 8).empty());  // nobody writes that
    // Only the first block of each row is inside, 128 or 256 apart.
    CHECK(apart(256, 8).empty());
}

TEST_CASE("diagnose: images that are right, or wrong for another reason") {
    CHECK(said_of_image(painted([](auto bx, auto by, auto tx, auto ty) {
              return Pixel(bx * 32 + tx, by * 8 + ty);
          })).empty());
    CHECK(said_of_image(painted([](auto bx, auto by, auto tx, auto ty) {
              return Pixel(bx * 32 + tx, by * 8 + ty + (ty == 3 ? 999 : 0));
          })).empty());
}

TEST_CASE("diagnose: threads along y and an index along x") {
    const auto flat = [](std::size_t size, std::array<unsigned, 3> grid,
                         std::array<unsigned, 3> block, std::size_t written) {
        Evidence e = nothing_yet(size);
        for (std::size_t i = 0; i < written; ++i) write(e, i);
        LaunchRecord launch;
        launch.grid = grid;
        launch.block = block;
        e.launches = {launch};
        return only_threads_along_x(e).value_or("");
    };
    CHECK(flat(1000, {4, 1, 1}, {16, 16, 1}, 64) ==
          "Only the first 64 elements were written, as many as there are threads along x. The "
          "launch has 4 x 1 blocks of 16 x 16 threads, and those that differ only in y or z have "
          "the same index.");
    CHECK_THAT(flat(1000, {1, 4, 1}, {256, 1, 1}, 256),
               ContainsSubstring("1 x 4 blocks of 256 x 1 threads"));
    CHECK_THAT(flat(100, {1, 1, 1}, {1, 128, 1}, 1),
               ContainsSubstring("Only the first element was written"));
    CHECK(flat(1000, {4, 1, 1}, {16, 16, 1}, 63).empty());
    CHECK(flat(1000, {2, 1, 1}, {16, 16, 1}, 32).empty());  // too few threads for all
    CHECK(flat(1000, {4, 1, 1}, {256, 1, 1}, 256).empty());
    CHECK(flat(1000, {4, 1, 1}, {256, 2, 1}, 1000).empty());
}

// Each mistake with rows and columns, made here as a student's kernel would make it, and
// lookalikes.
#include "check/diagnose/image.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <functional>

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

constexpr int kUntouched = -1;

/// Expected in row y and column x is what stands at y * width + x in 1000, 1001, ...
struct Scene {
    std::size_t height, width;
    std::vector<int> got;
    std::vector<LaunchRecord> launches;
    bool known = false, on_host = false;

    Scene(std::size_t h, std::size_t w) : height(h), width(w), got(h * w, kUntouched) {}

    static int expected(std::size_t at) { return 1000 + static_cast<int>(at); }
    int right(std::size_t y, std::size_t x) const { return expected(y * width + x); }

    /// Runs `thread(y, x)` for a grid like this, and notes the launch.
    Scene& run(unsigned gx, unsigned gy, unsigned bx, unsigned by,
               const std::function<void(Scene&, std::size_t, std::size_t)>& thread) {
        for (std::size_t y = 0; y < gy * by; ++y) {
            for (std::size_t x = 0; x < gx * bx; ++x) thread(*this, y, x);
        }
        LaunchRecord launch;
        launch.grid = {gx, gy, 1};
        launch.block = {bx, by, 1};
        launches.push_back(launch);
        known = true;
        return *this;
    }
    Scene& on_gpu() {
        known = false;
        launches.clear();
        return *this;
    }
    void put(std::size_t at, int value) {
        if (at < got.size()) got[at] = value;
    }
    std::string diagnosed() const {
        Evidence e;
        e.name = "c";
        e.element_bytes = 4;
        e.launches = launches;
        e.launches_known = known;
        e.on_host = on_host;
        for (std::size_t i = 0; i < got.size(); ++i) {
            e.right.push_back(got[i] == expected(i));
            e.untouched.push_back(got[i] == kUntouched);
        }
        e.same = [this](std::size_t g, std::size_t at) {
            return g < got.size() && got[g] == expected(at);
        };
        for (const Diagnoser& diagnoser : image_mistakes(height, width)) {
            if (auto sentence = diagnoser(e)) return *sentence;
        }
        return "";
    }
};

void guarded(Scene& s, std::size_t y, std::size_t x) {
    if (x < s.width && y < s.height) s.put(y * s.width + x, s.right(y, x));
}

}  // namespace

TEST_CASE("diagnose image: what is right has no diagnosis") {
    CHECK(Scene(19, 37).run(3, 2, 16, 16, guarded).diagnosed().empty());
}

TEST_CASE("diagnose image: a row's number that is kept in 8 bits") {
    const auto in_a_byte = [](Scene& s, std::size_t y, std::size_t x) {
        guarded(s, static_cast<unsigned char>(y), x);
    };
    CHECK_THAT(Scene(300, 37).run(3, 19, 16, 16, in_a_byte).diagnosed(),
               StartsWith("Only the first 256 of 300 rows were written: as many as 8 bits count."));
}

TEST_CASE("diagnose image: one row or one column was left out") {
    const auto without = [](std::size_t row, std::size_t column) {
        return Scene(19, 37)
            .run(3, 2, 16, 16,
                 [=](Scene& s, std::size_t y, std::size_t x) {
                     if (y != row && x != column) guarded(s, y, x);
                 })
            .diagnosed();
    };
    constexpr std::size_t kNone = 99;
    CHECK(without(9, kNone) ==
          "Only row 9 of 19 was not written, the middle one: where two rows are handled at a time, "
          "one from each end, an odd number of them leaves one over.");
    CHECK(without(kNone, 0) ==
          "Only column 0 of 37 was not written: columns are counted from 0 to 36.");
    CHECK(without(9, 0).empty());
    // The last one has the guard's own words.
    CHECK_THAT(without(18, kNone), StartsWith("Only the first 18 of 19 rows were written"));
}

TEST_CASE("diagnose image: transposed where it writes, where it reads, and in a square") {
    const auto writes = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < s.width && y < s.height) s.put(x * s.height + y, s.right(y, x));
    };
    const auto reads = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < s.width && y < s.height) s.put(y * s.width + x, s.expected(x * s.height + y));
    };
    CHECK(Scene(19, 37).run(3, 2, 16, 16, writes).diagnosed() ==
          "Rows and columns are swapped: memory was written column by column, but it holds row "
          "after row.");
    CHECK(Scene(19, 37).run(3, 2, 16, 16, reads).diagnosed() ==
          "Rows and columns are swapped: memory was read column by column, but it holds row after "
          "row.");
    CHECK_THAT(Scene(20, 20).run(2, 2, 16, 16, writes).diagnosed(),
               StartsWith("Rows and columns are swapped: the element in row y and column x stands "
                          "in row x and column y."));
    Scene nearly(19, 37);
    nearly.run(3, 2, 16, 16, writes).got[5] = 7;
    CHECK(nearly.diagnosed().empty());
}

TEST_CASE("diagnose image: the step from row to row is the height") {
    const auto wrong_step = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < s.width && y < s.height) s.put(y * s.height + x, s.right(y, x));
    };
    CHECK(Scene(19, 37).run(3, 2, 16, 16, wrong_step).diagnosed() ==
          "From one row to the next it goes 19 elements on, the height. A row has 37, the width.");
    // Another step has another reason.
    const auto twelve = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < s.width && y < s.height) s.put(y * 12 + x, s.right(y, x));
    };
    CHECK(Scene(19, 37).run(3, 2, 16, 16, twelve).diagnosed().empty());
}

TEST_CASE("diagnose image: upside down, and left for right") {
    const auto flipped = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < s.width && y < s.height) s.put((s.height - 1 - y) * s.width + x, s.right(y, x));
    };
    const auto mirrored = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < s.width && y < s.height) s.put(y * s.width + s.width - 1 - x, s.right(y, x));
    };
    CHECK_THAT(Scene(19, 37).run(3, 2, 16, 16, flipped).diagnosed(),
               StartsWith("c is upside down"));
    CHECK_THAT(Scene(19, 37).run(3, 2, 16, 16, mirrored).diagnosed(),
               StartsWith("In c left and right are swapped"));
}

TEST_CASE("diagnose image: a grid rounded down on one axis, or on both") {
    CHECK(Scene(19, 37).run(2, 2, 16, 16, guarded).diagnosed() ==
          "Only the first 32 of 37 columns were written: along x there are only 2 blocks of 16 "
          "threads.");
    CHECK(
        Scene(19, 37).run(3, 1, 16, 16, guarded).diagnosed() ==
        "Only the first 16 of 19 rows were written: along y there is only 1 block of 16 threads.");
    CHECK(Scene(37, 53).run(3, 2, 16, 16, guarded).diagnosed() ==
          "Only the first 48 of 53 columns were written: along x there are only 3 blocks of 16 "
          "threads. And only the first 32 of 37 rows: along y there are only 2 blocks of 16 "
          "threads.");
    CHECK_THAT(Scene(37, 53).run(3, 2, 16, 16, guarded).diagnosed(),
               Catch::Matchers::ContainsSubstring("And only the first 32 of 37 rows: along y"));
    CHECK(Scene(19, 37).run(2, 2, 16, 16, guarded).on_gpu().diagnosed() ==
          "Only the first 32 of 37 columns were written: there are too few blocks along x, or "
          "blockIdx.x is missing from x.");
}

TEST_CASE("diagnose image: a corner larger than a block is a grid rounded down, on a GPU") {
    CHECK(Scene(37, 53).run(3, 2, 16, 16, guarded).on_gpu().diagnosed() ==
          "Only the first 32 of 37 rows and 48 of 53 columns were written. There are too few "
          "blocks along both axes.");
    // 32 x 32 threads may be one block.
    CHECK(Scene(37, 53).run(2, 2, 16, 16, guarded).on_gpu().diagnosed() ==
          "Only the first 32 of 37 rows and 32 of 53 columns were written: there is only one "
          "block, or all blocks wrote the same elements, because blockIdx is missing.");
}

TEST_CASE("diagnose image: rows that are missing on the host may not have been copied") {
    Scene scene(19, 37);
    scene.run(3, 2, 16, 16, [](Scene& s, std::size_t y, std::size_t x) {
        if (y == 0) guarded(s, y, x);
    });
    scene.on_gpu();
    CHECK_THAT(scene.diagnosed(), !Catch::Matchers::ContainsSubstring("copy"));
    scene.on_host = true;
    CHECK_THAT(scene.diagnosed(),
               Catch::Matchers::EndsWith("or the copy to the host is as short as that."));
}

TEST_CASE("diagnose image: one block, and every block the same tile") {
    CHECK(Scene(19, 37).run(1, 1, 16, 16, guarded).diagnosed() ==
          "Only one block of 16 by 16 threads was launched, for 37 columns and 19 rows.");
    const auto tile = [](Scene& s, std::size_t y, std::size_t x) { guarded(s, y % 16, x % 16); };
    CHECK_THAT(
        Scene(19, 37).run(3, 2, 16, 16, tile).diagnosed(),
        StartsWith("Only the first 16 of 37 columns were written: all 3 blocks along x wrote "
                   "the same columns, so blockIdx.x is missing."));
    CHECK(Scene(19, 37).run(3, 2, 16, 16, tile).on_gpu().diagnosed() ==
          "Only the first 16 of 19 rows and 16 of 37 columns were written: there is only one "
          "block, or all blocks wrote the same elements, because blockIdx is missing.");
    const auto columns = [](Scene& s, std::size_t y, std::size_t x) { guarded(s, y, x % 16); };
    CHECK(Scene(19, 37).run(3, 2, 16, 16, columns).diagnosed() ==
          "Only the first 16 of 37 columns were written: all 3 blocks along x wrote the same "
          "columns, so blockIdx.x is missing.");
}

TEST_CASE("diagnose image: only the first row, or column") {
    const auto row = [](Scene& s, std::size_t, std::size_t x) { guarded(s, 0, x); };
    const auto column = [](Scene& s, std::size_t y, std::size_t) { guarded(s, y, 0); };
    CHECK(Scene(19, 37).run(3, 2, 16, 16, row).diagnosed() ==
          "Only the first of 19 rows was written: y is 0 in every thread.");
    CHECK(Scene(19, 37).run(3, 2, 16, 16, column).diagnosed() ==
          "Only the first of 37 columns was written: x is 0 in every thread.");
}

TEST_CASE("diagnose image: axes swapped in the guard, or in the grid") {
    const auto swapped_guard = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < s.height && y < s.width && y < s.height) s.put(y * s.width + x, s.right(y, x));
    };
    CHECK(Scene(19, 37).run(3, 2, 16, 16, swapped_guard).diagnosed() ==
          "Only the first 19 of 37 columns were written: as many as the other axis has. x and y, "
          "or width and height, are swapped.");
    CHECK_THAT(Scene(19, 37).run(3, 2, 16, 16, swapped_guard).on_gpu().diagnosed(),
               StartsWith("Only the first 19 of 37 columns were written: as many as the other axis "
                          "has. x and y are swapped in the guard or in the grid."));
    CHECK(Scene(19, 37).run(2, 3, 16, 16, guarded).diagnosed() ==
          "Only the first 32 of 37 columns were written: the grid's axes are swapped: it covers "
          "the height along x, and the width along y.");
}

TEST_CASE("diagnose image: x made of the .y variables, and y of the .x variables") {
    const auto turned = [](Scene& s, std::size_t y, std::size_t x) { guarded(s, x, y); };
    CHECK(Scene(37, 101).run(4, 5, 32, 8, turned).diagnosed() ==
          "Only the first 40 of 101 columns were written: that is how many threads the grid has "
          "along y, but x must be made of the .x variables.");
    CHECK(Scene(101, 37).run(2, 13, 32, 8, turned).diagnosed() ==
          "Only the first 64 of 101 rows were written: that is how many threads the grid has "
          "along x, but y must be made of the .y variables.");
    // A grid that is too short along x has another reason.
    CHECK(Scene(37, 101).run(1, 4, 32, 8, guarded).diagnosed().find("variables") ==
          std::string::npos);
}

TEST_CASE("diagnose image: blocks whose columns are all the same, or lie beyond the end") {
    const auto first = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < 16) guarded(s, y, x);
    };
    Scene image(50, 20);
    image.run(2, 4, 16, 16, first);
    CHECK_THAT(image.diagnosed(), ContainsSubstring("all 2 blocks along x wrote the same columns"));
    image.launches.front().global_store_bytes = 4 * 2 * 16 * 50;
    CHECK_THAT(image.diagnosed(), ContainsSubstring("all 2 blocks along x wrote the same columns"));
    image.launches.front().global_store_bytes = 4 * 16 * 50;
    CHECK(
        image.diagnosed() ==
        "Only the first 16 of 20 columns were written: of 2 blocks along x, only the first stored "
        "something. In the others x is past the end already: what is blockIdx.x multiplied by?");
}

TEST_CASE("diagnose image: a corner that nothing explains is only that") {
    const auto odd = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < 11) guarded(s, y, x);
    };
    CHECK(Scene(19, 37).run(3, 2, 16, 16, odd).diagnosed().empty());
    // The rest was written, wrongly.
    const auto garbage = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < s.width && y < s.height) s.put(y * s.width + x, x < 16 ? s.right(y, x) : 5);
    };
    CHECK(Scene(19, 37).run(3, 2, 16, 16, garbage).diagnosed().empty());
    CHECK(Scene(19, 37).run(3, 2, 16, 16, garbage).on_gpu().diagnosed().empty());
}

TEST_CASE("diagnose image: mistakes in one dimension are still recognised") {
    const auto later = [](Scene& s, std::size_t y, std::size_t x) {
        if (x < s.width && y < s.height) s.put(y * s.width + x, s.right(y, x) + 1);
    };
    CHECK_THAT(Scene(19, 37).run(3, 2, 16, 16, later).diagnosed(),
               StartsWith("Every element holds what belongs one place later"));
    CHECK(Scene(19, 37).run(3, 2, 16, 16, [](auto&&...) {}).diagnosed() ==
          "Nothing was written to c: a kernel ran, but none of its threads stored a result.");
}

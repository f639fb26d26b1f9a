// Grader of lab 03: what the five functions must make of an image, for 10 points.
//
// Height and width always differ, and gain and offset are different for each column and row, so no
// mix-up of axes can be right by chance. Each test begins with a shape at which a mistake shows its
// face: the first failure is explained.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "addressing_2d.h"
#include "check/check.h"

using namespace lab;

namespace {

using Floats = std::vector<float>;

struct Picture {
    Floats raw, gain, offset;
};

/// |gain * raw| < 2 and |offset| <= 1: kTolerance is derived from these.
Picture random_picture(int height, int width) {
    return {random_floats(height * width, 0.25F, 1.0F), random_floats(width, 0.5F, 2.0F),
            random_floats(height)};
}

/// A float program rounds the product (below 2: by at most 2^-24 * 2) and the sum (below 3: 2^-24 *
/// 3), or both at once; the expected value was rounded too (2^-24 * 3). Together 2^-24 * 8. A
/// program that calculates in half precision is wrong by up to 2^-11.
constexpr double kTolerance = 0x1p-21;

auto calibrated(Floats expected) {
    return close_to(std::move(expected), [](std::size_t) { return kTolerance; });
}

/// image[place(y, x)] = gain[x] * raw[place(y, x)] + offset[y], rounded once.
template <class Place>
Floats cpu_calibrate(const Floats& raw, const Floats& gain, const Floats& offset, Place place) {
    Floats image(raw.size());
    // In tiles: down the columns, whole rows would be far apart.
    constexpr std::size_t kTile = 64;
    const std::size_t height = offset.size(), width = gain.size();
    const std::size_t across = (width + kTile - 1) / kTile, down = (height + kTile - 1) / kTile;
    const auto fill_tile = [&](std::size_t top, std::size_t left) {
        for (std::size_t y = top; y < std::min(height, top + kTile); ++y) {
            for (std::size_t x = left; x < std::min(width, left + kTile); ++x) {
                const std::size_t i = place(y, x);
                image[i] = static_cast<float>(double{gain[x]} * raw[i] + offset[y]);
            }
        }
    };
    for_each_range(
        across * down,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t tile = begin; tile < end; ++tile)
                fill_tile(tile / across * kTile, tile % across * kTile);
        },
        64);
    return image;
}

Floats cpu_rows(const Floats& raw, const Floats& gain, const Floats& offset) {
    const std::size_t width = gain.size();
    return cpu_calibrate(raw, gain, offset,
                         [=](std::size_t y, std::size_t x) { return y * width + x; });
}

Floats cpu_columns(const Floats& raw, const Floats& gain, const Floats& offset) {
    const std::size_t height = offset.size();
    return cpu_calibrate(raw, gain, offset,
                         [=](std::size_t y, std::size_t x) { return x * height + y; });
}

/// A (rows, columns) array in memory order, stored column by column.
Floats transposed(const Floats& array, std::size_t rows, std::size_t columns) {
    Floats result(array.size());
    for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < columns; ++x) result[x * rows + y] = array[y * columns + x];
    }
    return result;
}

void require_kernel(const std::vector<LaunchRecord>& launches) {
    if (!on_vgpu()) return;  // a GPU does not tell
    INFO("no kernel was launched: the image must be computed on the device");
    CHECK_FALSE(launches.empty());
}

/// A wrong program's pixel, of where it is and of what is read: raw is the pixel's own.
struct WrongPixel {
    const char* sentence;
    float (*of)(const Picture& all, float raw, std::size_t y, std::size_t x);
};
constexpr std::array kWrongPixels{
    WrongPixel{"gain was taken at y: it has one element for each column, so it is gain[x].",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return y < all.gain.size() ? all.gain[y] * raw + all.offset[y]
                                              : all.gain[x] * raw;
               }},
    WrongPixel{"offset was taken at x: it has one element for each row, so it is offset[y].",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x] * raw + all.offset[x < all.offset.size() ? x : y];
               }},
    WrongPixel{"gain was taken at y and offset at x: it must be gain[x] and offset[y].",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return y < all.gain.size() && x < all.offset.size()
                              ? all.gain[y] * raw + all.offset[x]
                              : raw;
               }},
    WrongPixel{"offset was not added, or went through an int: all offsets are below 1.",
               [](const Picture& all, float raw, std::size_t, std::size_t x) {
                   return all.gain[x] * raw;
               }},
    WrongPixel{"raw was not multiplied by gain.", [](const Picture& all, float raw, std::size_t y,
                                                     std::size_t) { return raw + all.offset[y]; }},
    WrongPixel{"The sum was made before the product: gain[x] * raw comes first.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x] * (raw + all.offset[y]);
               }},
    WrongPixel{"The rows are counted from the bottom: offset[y] went to row height - 1 - y.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x] * raw + all.offset[all.offset.size() - 1 - y];
               }}};

/// Adds what wrong programs would give. place(y, x): where pixels belong; other(y, x): where they
/// would be in an image of the other order.
template <class Matcher, class Place, class Other>
void add_mistakes(Matcher& matcher, const Picture& all, Place place, Other other) {
    const auto image_of = [&all](auto pixel) {
        Floats image(all.raw.size());
        for (std::size_t y = 0; y < all.offset.size(); ++y) {
            for (std::size_t x = 0; x < all.gain.size(); ++x) pixel(image, y, x);
        }
        return image;
    };
    for (const WrongPixel& wrong : kWrongPixels) {
        std::move(matcher).or_looks_like(
            [=, &all] {
                return image_of([&](Floats& image, std::size_t y, std::size_t x) {
                    image[place(y, x)] = wrong.of(all, all.raw[place(y, x)], y, x);
                });
            },
            wrong.sentence);
    }
    std::move(matcher).or_looks_like(
        [=, &all] {
            return image_of([&](Floats& image, std::size_t y, std::size_t x) {
                image[place(y, x)] = all.gain[x] * all.raw[other(y, x)] + all.offset[y];
            });
        },
        "image is written to the right places, but raw is read with rows and columns exchanged.");
}

/// What wrong programs make of a row-major image, whatever its pitch.
template <class Matcher>
void add_mistakes_of_rows(Matcher& matcher, const Picture& all) {
    const std::size_t columns = all.gain.size(), rows = all.offset.size();
    add_mistakes(
        matcher, all, [=](std::size_t y, std::size_t x) { return y * columns + x; },
        [=](std::size_t y, std::size_t x) { return x * rows + y; });
}

/// A raw image that was read as if its rows were `step` elements long, and not `pitch`. What then
/// comes from the padding may be anything.
Diagnoser rows_of_another_length(const Picture& all, std::size_t pitch, std::size_t step,
                                 std::string sentence) {
    return [=, &all](const Evidence& e) -> std::optional<std::string> {
        const std::size_t columns = all.gain.size(), rows = all.offset.size();
        if (!e.got || step == pitch || rows < 3) return std::nullopt;
        std::size_t seen = 0;
        for (std::size_t i = 0; i < e.size(); ++i) {
            const std::size_t y = i / columns, x = i % columns, from = y * step + x;
            if (from / pitch >= rows) return std::nullopt;
            if (from % pitch >= columns) continue;
            const double raw = all.raw[from / pitch * columns + from % pitch];
            if (!(std::abs(e.got(i) - (all.gain[x] * raw + all.offset[y])) <= kTolerance)) {
                return std::nullopt;
            }
            ++seen;
        }
        if (2 * seen < e.size()) return std::nullopt;
        return sentence;
    };
}

/// Pitched memory that was copied to or from as if it were dense. The pitch is the device's choice.
std::optional<std::string> copied_as_if_dense(const Evidence& e, std::size_t columns) {
    constexpr std::size_t kPitches[] = {64, 128, 256, 512, 1024};
    for (const std::size_t unit : kPitches) {
        const std::size_t pitch = (columns + unit - 1) / unit * unit;
        if (!e.same || columns == pitch || e.size() < 3 * columns) continue;
        std::size_t seen = 0, as_if = 0;
        for (std::size_t i = columns; i < e.size(); ++i) {
            if (i % pitch >= columns) continue;
            ++seen;
            as_if += e.same(i, i / pitch * columns + i % pitch) ? 1u : 0u;
        }
        if (seen > columns && as_if == seen) {
            return "The rows of image came back with the padding between them: of the two pitches "
                   "of cudaMemcpy2D, the one of the device's array is what cudaMallocPitch gave.";
        }
    }
    return std::nullopt;
}

/// calibrate_frame's own array begins with zeros: where no thread went, they are still there.
std::optional<std::string> only_the_first_blocks(const Evidence& e) {
    if (e.launches.size() != 1 || !e.got) return std::nullopt;
    const auto& block = e.launches[0].block;
    std::size_t columns = 0, rows = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.got(i) == 0) continue;
        columns = std::max(columns, i % kFrameWidth + 1);
        rows = std::max(rows, i / kFrameWidth + 1);
    }
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (i % kFrameWidth < columns && i / kFrameWidth < rows && !e.right[i]) return std::nullopt;
    }
    const bool no_block_x = columns == block[0] && columns < kFrameWidth,
               no_block_y = rows == block[1] && rows < kFrameHeight;
    if (!no_block_x && !no_block_y) return std::nullopt;
    if (no_block_x && no_block_y) {
        return "Only the pixels of one block were calibrated: x and y need blockIdx.";
    }
    return no_block_x ? "Only the first " + std::to_string(columns) +
                            " columns were calibrated, as many as a block has: x needs blockIdx.x."
                      : "Only the first " + std::to_string(rows) +
                            " rows were calibrated, as many as a block has: y needs blockIdx.y.";
}

/// One call of a function on dense row-major images, on the device or on the host.
template <auto* Function>
void check_rows(int height, int width) {
    const Picture picture = random_picture(height, width);
    const auto& [raw, gain, offset] = picture;
    const auto call = submission().call<Function>(raw, gain, offset, out, height, width);
    auto matcher = calibrated(cpu_rows(raw, gain, offset));
    const auto columns = static_cast<std::size_t>(width);
    add_mistakes_of_rows(matcher, picture);
    CHECK_THAT(call.output(),
               std::move(matcher)
                   .or_looks_like(cpu_columns(raw, gain, offset),
                                  "Both images are addressed column by column, x * height + y. In "
                                  "row-major order a step of x moves by 1 element and a step of y "
                                  "by width: y * width + x.")
                   .or_diagnose([=](const Evidence& e) {
                       return e.on_host ? copied_as_if_dense(e, columns) : std::nullopt;
                   })
                   .or_diagnose(image_mistakes(height, width)));
    if (height > 0 && width > 0) require_kernel(call.launches());
}

/// calibrate_columns: a grid whose x covers the width and whose y covers the height, for threads
/// that take them the other way around.
std::optional<std::string> columns_missing(const Evidence& e, std::size_t rows,
                                           std::size_t columns) {
    if (e.launches.size() != 1) return std::nullopt;
    const auto& [grid, block] = std::tie(e.launches[0].grid, e.launches[0].block);
    const std::size_t along_x = std::size_t{grid[0]} * block[0],
                      along_y = std::size_t{grid[1]} * block[1];
    if (along_y >= columns || along_x < rows) return std::nullopt;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (i < along_y * rows ? !e.right[i] : !e.untouched[i]) return std::nullopt;
    }
    return "Only the first " + std::to_string(along_y) + " of " + std::to_string(columns) +
           " columns were written: the grid has so many threads along its y, and y runs along the "
           "width here. Its x must cover the height, its y the width.";
}

void check_columns(int height, int width) {
    const Picture picture = random_picture(height, width);
    const auto& [raw, gain, offset] = picture;
    const auto call = submission().call<calibrate_columns>(raw, gain, offset, out, height, width);
    auto matcher = calibrated(cpu_columns(raw, gain, offset));
    const auto rows = static_cast<std::size_t>(height), columns = static_cast<std::size_t>(width);
    add_mistakes(
        matcher, picture, [=](std::size_t y, std::size_t x) { return x * rows + y; },
        [=](std::size_t y, std::size_t x) { return y * columns + x; });
    CHECK_THAT(
        call.output(),
        std::move(matcher)
            .or_looks_like(cpu_rows(raw, gain, offset),
                           "Both images are addressed row by row, y * width + x. Here "
                           "memory runs down the columns: x * height + y.")
            .or_diagnose([&](const Evidence& e) { return columns_missing(e, rows, columns); })
            .or_diagnose(indexing_mistakes));
    if (height > 0 && width > 0) require_kernel(call.launches());
}

/// Both sides of the boundaries of blocks of 32 x 8 and 16 x 16, long rows, long columns.
std::tuple<int, int> any_shape() {
    return GENERATE(table<int, int>({{37, 101},
                                     {101, 37},
                                     {8, 32},
                                     {7, 31},
                                     {9, 33},
                                     {16, 64},
                                     {15, 65},
                                     {17, 63},
                                     {32, 16},
                                     {33, 17},
                                     {1, 2},
                                     {2, 1},
                                     {1, 1601},
                                     {1601, 1},
                                     {509, 257},
                                     {random_int(2, 300), random_int(301, 600)},
                                     {random_int(301, 600), random_int(2, 300)}}));
}

std::tuple<int, int> shape_without_pixels() {
    return GENERATE(table<int, int>({{0, 0}, {0, 33}, {33, 0}}));
}

/// On a GPU 268 MB in two images: over four times the L2 of an H200, and about 0.1 ms there. (Wider
/// than any image above, on either device.)
const int kRaceHeight = 5003, kRaceWidth = 6701;

}  // namespace

TEST_CASE("calibrate_image: every pixel", "[correctness][task:1][points:2][id:image]") {
    const auto [height, width] = any_shape();
    twice([&, h = height, w = width] { check_rows<calibrate_image>(h, w); });
}

TEST_CASE("calibrate_image: no pixels, no launch error",
          "[robustness][task:1][points:1][needs:image]") {
    const auto [height, width] = shape_without_pixels();
    check_rows<calibrate_image>(height, width);  // fails if a CUDA error is left behind
}

TEST_CASE("calibrate_image: at least 0.42x the reference",
          "[speed][task:1][points:1][needs:image]") {
    const int height = race_size(kRaceHeight, 499), width = race_size(kRaceWidth, 4201);
    auto [raw, gain, offset] = random_picture(height, width);
    const auto race = race_against_reference<calibrate_image>(
        [](const Floats& r, const Floats& g, const Floats& o, auto...) {
            return calibrated(cpu_rows(r, g, o));
        },
        std::move(raw), std::move(gain), std::move(offset), out, height, width);
    CHECK_THAT(race, at_least(0.42));
}

TEST_CASE("calibrate_frame: every pixel of every frame", "[correctness][task:2][points:1]") {
    twice([] {
        const Picture picture = random_picture(kFrameHeight, kFrameWidth);
        const auto& [raw, gain, offset] = picture;
        const auto call = submission().call<calibrate_frame>(raw, gain, offset, out);
        auto matcher = calibrated(cpu_rows(raw, gain, offset));
        add_mistakes_of_rows(matcher, picture);
        CHECK_THAT(call.output(), std::move(matcher)
                                      .or_diagnose(only_the_first_blocks)
                                      .or_diagnose(image_mistakes(kFrameHeight, kFrameWidth)));
        require_kernel(call.launches());
        if (on_vgpu()) {
            INFO("nothing was copied from the device: image must be what the kernel computed");
            CHECK(std::ranges::any_of(call.operations(), [](const OperationRecord& operation) {
                return operation.engine == "copy_to_host";
            }));
        }
    });
}

TEST_CASE("calibrate_pitched: rows with padding", "[correctness][task:3][points:1][id:pitched]") {
    const auto [height, width] = any_shape();
    // None, some, and as much as cudaMallocPitch gives; never the same for both images.
    const auto [raw_padding, image_padding] = GENERATE(table<int, int>({{27, 5}, {0, 3}, {91, 0}}));
    twice([&, h = height, w = width, raw_pitch = width + raw_padding,
           image_pitch = width + image_padding] {
        const Picture picture = random_picture(h, w);
        const auto& [raw, gain, offset] = picture;
        const auto call = submission().call<calibrate_pitched>(raw, raw_pitch, gain, offset, out,
                                                               image_pitch, h, w);
        auto matcher = calibrated(cpu_rows(raw, gain, offset));
        add_mistakes_of_rows(matcher, picture);
        const auto pitch = static_cast<std::size_t>(raw_pitch);
        CHECK_THAT(
            call.output(),
            std::move(matcher)
                .or_diagnose(rows_of_another_length(
                    picture, pitch, static_cast<std::size_t>(w),
                    "raw is read as if its rows were width elements apart: they are raw_pitch."))
                .or_diagnose(rows_of_another_length(
                    picture, pitch, pitch % sizeof(float) == 0 ? pitch / sizeof(float) : pitch,
                    "raw is read as if raw_pitch counted bytes: it counts elements."))
                .or_diagnose(rows_of_another_length(
                    picture, pitch, static_cast<std::size_t>(image_pitch),
                    "raw is read with the pitch of image: its own is raw_pitch."))
                .or_diagnose(image_mistakes(h, w)));
    });
}

TEST_CASE("calibrate_host_image: there and back", "[correctness][task:4][points:1][id:host]") {
    const auto [height, width] =
        GENERATE(table<int, int>({{37, 101},
                                  {101, 37},
                                  {64, 128},
                                  {3, 129},
                                  {1, 2},
                                  {2, 1},
                                  {0, 33},
                                  {33, 0},
                                  {random_int(2, 300), random_int(301, 600)}}));
    twice([&, h = height, w = width] { check_rows<calibrate_host_image>(h, w); });
}

TEST_CASE("calibrate_host_image: frees all its device memory",
          "[robustness][task:4][points:1][needs:host]") {
    const int height = 251, width = 259, calls = 4;
    const auto [raw, gain, offset] = random_picture(height, width);
    const long long leaked_bytes = leaked_by(calls, [&, &r = raw, &g = gain, &o = offset] {
        return submission().call<calibrate_host_image>(r, g, o, out, height, width).leaked_bytes();
    });
    INFO(calls << " calls of calibrate_host_image with height = " << height
               << " and width = " << width << " left " << leaked_bytes
               << " bytes of device memory allocated: every cudaMallocPitch needs its cudaFree");
    CHECK(leaked_bytes == 0);
}

TEST_CASE("calibrate_columns: every pixel", "[correctness][task:5][points:1][id:columns]") {
    const auto [height, width] = any_shape();
    twice([&, h = height, w = width] { check_columns(h, w); });
    check_columns(0, 33);
    check_columns(33, 0);
}

TEST_CASE("calibrate_columns: at least 0.42x the reference",
          "[speed][task:5][points:1][needs:columns]") {
    const int height = race_size(kRaceHeight, 499), width = race_size(kRaceWidth, 4201);
    auto [raw, gain, offset] = random_picture(height, width);
    const auto race = race_against_reference<calibrate_columns>(
        [](const Floats& r, const Floats& g, const Floats& o, auto...) {
            return calibrated(cpu_columns(r, g, o));
        },
        std::move(raw), std::move(gain), std::move(offset), out, height, width);
    CHECK_THAT(race, at_least(0.42));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 03): rings behind stripes. What your function makes of the raw image,
// beside what is expected. Each has a script of the same name in figures/.

namespace {

constexpr int kPictureHeight = 61, kPictureWidth = 91;

/// Rings as a camera with uneven columns and rows sees them: calibrated, they are rings.
Picture striped_rings() {
    Picture picture = random_picture(kPictureHeight, kPictureWidth);
    for (float& offset : picture.offset) offset *= 0.25F;
    for (std::size_t y = 0; y < kPictureHeight; ++y) {
        for (std::size_t x = 0; x < kPictureWidth; ++x) {
            const double dy = static_cast<double>(y) - 0.6 * kPictureHeight,
                         dx = static_cast<double>(x) - 0.4 * kPictureWidth;
            const double ring = 0.5 + 0.5 * std::cos(0.35 * std::hypot(dx, dy));
            picture.raw[y * kPictureWidth + x] =
                (static_cast<float>(ring) - picture.offset[y]) / picture.gain[x];
        }
    }
    return picture;
}

/// One row a pixel; `place` is where it lies in raw and image.
template <class Place>
void draw(const std::string& name, const Floats& raw, const Output<float>& image,
          const Floats& expected, Place place) {
    Table table(name, {"y", "x", "raw", "student", "expected"});
    for (std::size_t y = 0; y < kPictureHeight; ++y) {
        for (std::size_t x = 0; x < kPictureWidth; ++x) {
            const std::size_t i = place(y, x);
            table.row(y, x, raw[i], image.untouched(i) ? std::nanf("") : image[i], expected[i]);
        }
    }
}

std::size_t row_major(std::size_t y, std::size_t x) {
    return y * kPictureWidth + x;
}
std::size_t column_major(std::size_t y, std::size_t x) {
    return x * kPictureHeight + y;
}

}  // namespace

TEST_CASE("picture: calibrate_image", "[.][picture]") {
    const auto [raw, gain, offset] = striped_rings();
    const auto image =
        submission()
            .call<calibrate_image>(raw, gain, offset, out, kPictureHeight, kPictureWidth)
            .output();
    draw("calibrate_image", raw, image, cpu_rows(raw, gain, offset), row_major);
}

TEST_CASE("picture: calibrate_pitched", "[.][picture]") {
    const auto [raw, gain, offset] = striped_rings();
    const auto image =
        submission()
            .call<calibrate_pitched>(raw, kPictureWidth + 37, gain, offset, out, kPictureWidth + 5,
                                     kPictureHeight, kPictureWidth)
            .output();
    draw("calibrate_pitched", raw, image, cpu_rows(raw, gain, offset), row_major);
}

TEST_CASE("picture: calibrate_columns", "[.][picture]") {
    const auto [rows, gain, offset] = striped_rings();
    const Floats raw = transposed(rows, kPictureHeight, kPictureWidth);
    const auto image =
        submission()
            .call<calibrate_columns>(raw, gain, offset, out, kPictureHeight, kPictureWidth)
            .output();
    draw("calibrate_columns", raw, image, cpu_columns(raw, gain, offset), column_major);
}

// Benchmarks (./lab bench 03).

namespace {

/// One float is read and one is written for each pixel.
double gb_per_s(int height, int width, double time_ms) {
    return 2 * sizeof(float) * 1e-6 * height * width / time_ms;
}

}  // namespace

TEST_CASE("bench: width", "[.][bench]") {
    check_rows<calibrate_image>(37, 101);  // what is wrong is told before it is timed
    const int height = race_size(16'381, 509);
    Table table("width", {"width", "version", "time_ms", "gb_per_s"});
    for (int width = 2032; width <= 2064; ++width) {
        const auto [raw, gain, offset] = random_picture(height, width);
        for (const Version& version : versions()) {
            const double ms =
                time_ms<calibrate_image>(version, raw, gain, offset, out, height, width);
            table.row(width, version.name(), ms, gb_per_s(height, width, ms));
        }
    }
}

TEST_CASE("bench: versions", "[.][bench]") {
    check_rows<calibrate_image>(37, 101);
    const int height = race_size(kRaceHeight, 1021), width = race_size(kRaceWidth, 2039);
    const auto [raw, gain, offset] = random_picture(height, width);
    Table table("versions", {"version", "height", "width", "time_ms", "gb_per_s"});
    std::vector<Version> all = versions();
    std::ranges::copy(other_versions(), std::back_inserter(all));
    for (const Version& version : all) {
        const double ms = time_ms<calibrate_image>(version, raw, gain, offset, out, height, width);
        table.row(version.name(), height, width, ms, gb_per_s(height, width, ms));
    }
}

// Grader of lab 03: what the five functions must make of an image, for 10 points.
//
// Height and width always differ, and gain and offset are different for each column and row, so no
// mix-up of axes can be right by chance. Only the first failure is explained, so each test begins
// with a shape that tells mistakes apart.

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
#include "mistakes.h"
#include "pictures.h"

using namespace lab;

namespace {

auto calibrated(Floats expected) {
    return close_to(std::move(expected), [](std::size_t) { return kTolerance; });
}

void require_kernel(const std::vector<LaunchRecord>& launches) {
    if (!on_vgpu()) return;  // a GPU reports no launches
    INFO("no kernel was launched: the image must be computed on the device");
    CHECK_FALSE(launches.empty());
}

/// One call of a function on dense row-major images, on the device or on the host.
template <auto* Function>
void check_rows(int height, int width) {
    const Picture picture = random_picture(height, width);
    const auto& [raw, gain, offset] = picture;
    const auto call = submission().call<Function>(raw, gain, offset, out, height, width);
    const auto columns = static_cast<std::size_t>(width);
    CHECK_THAT(call.output(),
               calibrated(cpu_rows(raw, gain, offset))
                   .or_looks_like(mistakes_of_rows(picture))
                   .or_looks_like(cpu_columns(raw, gain, offset),
                                  "Both images are addressed column by column. In row-major order "
                                  "a step of x moves by 1 element.")
                   .or_diagnose([&, columns](const Evidence& e) -> std::optional<std::string> {
                       if (!e.on_host) return std::nullopt;
                       const auto there = copied_there_with_the_devices_pitch(e, picture);
                       if (there) return there;
                       const auto cut = rows_cut_short(e, columns);
                       return cut ? cut : copied_as_if_dense(e, columns);
                   })
                   .or_diagnose(image_mistakes(height, width)));
    if (height > 0 && width > 0) require_kernel(call.launches());
}

void check_columns(int height, int width) {
    const Picture picture = random_picture(height, width);
    const auto& [raw, gain, offset] = picture;
    const auto call = submission().call<calibrate_columns>(raw, gain, offset, out, height, width);
    const auto rows = static_cast<std::size_t>(height), columns = static_cast<std::size_t>(width);
    CHECK_THAT(
        call.output(),
        calibrated(cpu_columns(raw, gain, offset))
            .or_looks_like(mistakes_of_columns(picture))
            .or_looks_like(cpu_rows(raw, gain, offset),
                           "Both images are addressed row by row. Here memory runs down the "
                           "columns: a step of y moves by 1 element.")
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

std::tuple<int, int> any_shape_or_none() {
    const bool has_pixels = GENERATE(true, false);
    return has_pixels ? any_shape() : shape_without_pixels();
}

/// On a GPU 268 MB in two images: over four times the L2 of an H200, and about 0.1 ms there. (Wider
/// than any image above, on either device.)
constexpr int kSpeedHeight = 5003, kSpeedWidth = 6701, kVgpuSpeedWidth = 4201;
constexpr SpeedSizes kSpeedSizes{.gpu = kSpeedHeight * kSpeedWidth, .vgpu = 499 * kVgpuSpeedWidth};

auto random_speed_case(int pixels) {
    const int width = speed_size(kSpeedWidth, kVgpuSpeedWidth), height = pixels / width;
    auto [raw, gain, offset] = random_picture(height, width);
    return std::tuple(std::move(raw), std::move(gain), std::move(offset), out, height, width);
}

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
    const auto speed = time_against_reference<calibrate_image>(
        kSpeedSizes, random_speed_case,
        [](const Floats& raw, const Floats& gain, const Floats& offset, auto...) {
            return calibrated(cpu_rows(raw, gain, offset));
        });
    CHECK_THAT(speed, at_least(0.42));
}

TEST_CASE("calibrate_frame: every pixel of every frame", "[correctness][task:2][points:1]") {
    twice([] {
        const Picture picture = random_picture(kFrameHeight, kFrameWidth);
        const auto& [raw, gain, offset] = picture;
        const auto call = submission().call<calibrate_frame>(raw, gain, offset, out);
        CHECK_THAT(
            call.output(),
            calibrated(cpu_rows(raw, gain, offset))
                .or_looks_like(mistakes_of_rows(picture))
                .or_looks_like(cpu_columns(raw, gain, offset),
                               "Both arrays are addressed column by column. Which index comes "
                               "first in an array of rows?")
                .or_diagnose([&](const Evidence&) { return copied_too_early(call.operations()); })
                .or_diagnose([&](const Evidence& e) { return only_a_quarter_copied(e, picture); })
                .or_diagnose(only_the_first_blocks)
                .or_diagnose(mistakes_with_zeros_unwritten)
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

namespace {

void check_pitched(int h, int w, int raw_pitch, int image_pitch) {
    const Picture picture = random_picture(h, w);
    const auto& [raw, gain, offset] = picture;
    const auto call =
        submission().call<calibrate_pitched>(raw, raw_pitch, gain, offset, out, image_pitch, h, w);
    const auto pitch = static_cast<std::size_t>(raw_pitch);
    CHECK_THAT(call.output(),
               calibrated(cpu_rows(raw, gain, offset))
                   .or_looks_like(mistakes_of_rows(picture))
                   .or_diagnose(rows_of_another_length(
                       picture, pitch, static_cast<std::size_t>(w),
                       "raw is read as if its rows were width elements apart."))
                   .or_diagnose(rows_of_another_length(
                       picture, pitch, pitch % sizeof(float) == 0 ? pitch / sizeof(float) : pitch,
                       "raw is read as if raw_pitch counted bytes, but it counts elements."))
                   .or_diagnose(rows_of_another_length(
                       picture, pitch, static_cast<std::size_t>(image_pitch),
                       "raw is read with the pitch of image, but it has its own."))
                   .or_diagnose(image_mistakes(h, w)));
}

}  // namespace

TEST_CASE("calibrate_pitched: rows with padding", "[correctness][task:3][points:1][id:pitched]") {
    const auto [height, width] = any_shape_or_none();
    // None, some, and as much as cudaMallocPitch gives; never the same for both images.
    const auto [raw_padding, image_padding] = GENERATE(table<int, int>({{27, 5}, {0, 3}, {91, 0}}));
    twice([&, h = height, w = width, raw_pitch = width + raw_padding,
           image_pitch = width + image_padding] { check_pitched(h, w, raw_pitch, image_pitch); });
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
    const int height = 251, width = 259;
    const auto [raw, gain, offset] = random_picture(height, width);
    const std::string what = "calibrate_host_image with height = 251 and width = 259";
    check_leaves_nothing(what, [&, &r = raw, &g = gain, &o = offset] {
        return submission().call<calibrate_host_image>(r, g, o, out, height, width).leaked_bytes();
    });
}

TEST_CASE("calibrate_columns: every pixel", "[correctness][task:5][points:1][id:columns]") {
    const auto [height, width] = any_shape();
    twice([&, h = height, w = width] { check_columns(h, w); });
    check_columns(0, 33);
    check_columns(33, 0);
}

TEST_CASE("calibrate_columns: at least 0.42x the reference",
          "[speed][task:5][points:1][needs:columns]") {
    const auto speed = time_against_reference<calibrate_columns>(
        kSpeedSizes, random_speed_case,
        [](const Floats& raw, const Floats& gain, const Floats& offset, auto...) {
            return calibrated(cpu_columns(raw, gain, offset));
        });
    CHECK_THAT(speed, at_least(0.42));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 03): rings behind stripes. Your function's image next to the expected
// one. Each has a script of the same name in figures/.

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
    check_rows<calibrate_image>(37, 101);  // reports a wrong program before timing it
    const int height = speed_size(16'381, 509);
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
    const int height = speed_size(kSpeedHeight, 1021), width = speed_size(kSpeedWidth, 2039);
    const auto [raw, gain, offset] = random_picture(height, width);
    Table table("versions", {"version", "height", "width", "time_ms", "gb_per_s"});
    std::vector<Version> all = versions();
    std::ranges::copy(other_versions(), std::back_inserter(all));
    for (const Version& version : all) {
        const double ms = time_ms<calibrate_image>(version, raw, gain, offset, out, height, width);
        table.row(version.name(), height, width, ms, gb_per_s(height, width, ms));
    }
}

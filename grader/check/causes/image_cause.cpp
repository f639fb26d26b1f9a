// Accesses outside of an array from a grid along two axes or three: a pixel that does not exist, or
// one whose index is computed wrongly.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <tuple>

#include "check/causes/matrix_cause.h"
#include "check/causes/outside_access.h"

namespace lab {
namespace {

struct Pixel {
    std::uint64_t x = 0, y = 0;
};

/// Where the thread is in an image whose lengths the contract calls width and height. Nothing
/// unless the grid is rounded up from just these lengths, one way or the other.
struct Picture {
    std::uint64_t width = 0, height = 0;
    Pixel at;
    bool is_swapped = false;  ///< the grid's x runs along the height
};

std::optional<Picture> picture_of(const OutsideAccess& access) {
    const CallPlan& plan = access.plan;
    const LaunchRecord& launch = access.launch;
    const auto side = integer_argument(plan, "dim");
    const auto width = side ? side : integer_argument(plan, "width");
    const auto height = side ? side : integer_argument(plan, "height");
    if (!width || !height || launch.grid[2] * launch.block[2] != 1) return std::nullopt;
    const auto covers = [&](std::size_t axis, std::uint64_t length) {
        return (length + launch.block[axis] - 1) / launch.block[axis] == launch.grid[axis];
    };
    const bool fits = covers(0, *width) && covers(1, *height);
    const bool fits_swapped = covers(0, *height) && covers(1, *width);
    const bool is_square = *width == *height;
    if (is_square ? !fits : fits == fits_swapped) return std::nullopt;
    const std::uint64_t first = access.index(0), second = access.index(1);
    Picture picture{*width, *height, {first, second}, fits_swapped && !is_square};
    if (picture.is_swapped) picture.at = {second, first};
    return picture;
}

/// The rows of an array with a pitch, or of an image without.
std::uint64_t row_step(const Buffer& buffer, const Picture& picture) {
    return buffer.pitched() ? buffer.pitch_elements : picture.width;
}

/// A pixel that exists, taken to an element that does not: the arithmetic is shown.
std::string wrong_index(const OutsideAccess& access, const Picture& picture) {
    const Outside& at = access.at;
    if (at.buffer == nullptr || at.element < 0) return "";
    const auto [x, y] = picture.at;
    const auto element = static_cast<std::uint64_t>(at.element);
    const std::string who =
        fmt::format("The thread at x = {}, y = {} goes to {}[{}]", x, y, at.array, element);
    if (x != y && at.elements == picture.height && element == x) {
        return fmt::format("{}, which is its column: {} has one element for each row.", who,
                           at.array);
    }
    if (x != y && at.elements == picture.width && element == y) {
        return fmt::format("{}, which is its row: {} has one element for each column.", who,
                           at.array);
    }
    // One or two beyond its own pixel: the last thread is the one that falls out.
    constexpr std::uint64_t kNear = 2;
    const std::uint64_t own =
        picture.is_swapped ? x * picture.height + y : y * row_step(*at.buffer, picture) + x;
    if (at.elements > picture.width + picture.height && element > own && element - own <= kNear) {
        return fmt::format("{}, but its own pixel is {}[{}]: the index is {} too large.", who,
                           at.array, own, element - own);
    }
    const bool is_line = at.elements == picture.width || at.elements == picture.height;
    if (is_line && y > 0 && element == y * picture.width + x) {
        return fmt::format(
            "{}, which is the place of its pixel in the image: {} has one element "
            "for each {}.",
            who, at.array, at.elements == picture.width ? "column" : "row");
    }
    if (is_line) return "";
    // The step from row to row, or from column to column, is another argument than it should be.
    for (const PlannedArgument& argument : access.plan.arguments) {
        if (!argument.is_integer || argument.integer <= 0) continue;
        const auto step = static_cast<std::uint64_t>(argument.integer);
        const bool by_rows =
            y > 0 && element == y * step + x && step != row_step(*at.buffer, picture);
        const bool by_columns = x > 0 && element == x * step + y && step != picture.height;
        if (by_rows == by_columns) continue;
        return fmt::format(
            "{}, which is {} * {} + {}: {} is not the distance from one {} to the next.", who,
            std::string(by_rows ? "y" : "x"), argument.parameter.name,
            std::string(by_rows ? "x" : "y"), argument.parameter.name, by_rows ? "row" : "column");
    }
    const std::uint64_t row_bytes = row_step(*at.buffer, picture) * at.buffer->element.size_bytes;
    if (y > 0 && element == y * row_bytes + x) {
        return fmt::format(
            "{}, which is y * {} + x: {} is the number of bytes from one row to the next, and an "
            "index counts elements.",
            who, row_bytes, row_bytes);
    }
    // The width of the grid, which is rounded up, as "CUDA by Example" has it for sizes that fit.
    const std::uint64_t grid_width = access.threads(0);
    if (y > 0 && element == y * grid_width + x && grid_width != row_step(*at.buffer, picture)) {
        return fmt::format(
            "{}, which is y * {} + x: the grid has {} threads along x, and a row has {} elements.",
            who, grid_width, grid_width, row_step(*at.buffer, picture));
    }
    return "";
}

/// The lengths of a picture that no argument has: those of `elements` for which the grid is rounded
/// up, where there is one pair only.
std::optional<Picture> picture_of_grid(const OutsideAccess& access) {
    const auto& threads_a_block = access.launch.block;
    const std::uint64_t along_x = access.threads(0), along_y = access.threads(1),
                        elements = access.at.elements;
    std::optional<Picture> found;
    for (std::uint64_t width = along_x; width > along_x - threads_a_block[0]; --width) {
        const std::uint64_t height = elements / width;
        if (height * width != elements || height > along_y ||
            height + threads_a_block[1] <= along_y) {
            continue;
        }
        if (found) return std::nullopt;
        found = Picture{width, height, {access.index(0), access.index(1)}};
    }
    return found;
}

/// An array of rows, float a[height][width].
std::string outside_the_rows(const Outside& at, const Picture& picture) {
    const auto [x, y] = picture.at;
    const auto& [width, height] = std::tie(picture.width, picture.height);
    if (x >= width || y >= height) {
        return fmt::format(
            "The thread at x = {}, y = {} has no element: there are {} columns and {} rows. Such "
            "threads must do nothing.",
            x, y, width, height);
    }
    if (at.element != static_cast<std::int64_t>(x * width + y)) return "";
    return fmt::format(
        "The thread at x = {0}, y = {1} goes to row {0}, column {1} of {2}, which has {3} rows of "
        "{4} columns: rows and columns are swapped.",
        x, y, at.array, height, width);
}

}  // namespace

std::string outside_the_image(const OutsideAccess& access) {
    const CallPlan& plan = access.plan;
    const LaunchRecord& launch = access.launch;
    const Outside& at = access.at;
    const auto picture = picture_of(access);
    if (!picture) {
        const bool has_lengths = integer_argument(plan, "width") || integer_argument(plan, "dim");
        if (has_lengths) return "";
        if (at.buffer != nullptr) {
            const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
            const std::string why =
                outside_the_matrix(plan, access.call, *at.buffer, at.element,
                                   {number(access.thread[0]), number(access.thread[1]),
                                    number(launch.block[0]), number(launch.block[1])});
            if (!why.empty()) return why;
        }
        if (const auto rows = picture_of_grid(access)) {
            if (std::string why = outside_the_rows(at, *rows); !why.empty()) return why;
        }
        return fmt::format(
            "The thread that did it is number {} along x and number {} along y of the grid. Does "
            "{} have an element for it?",
            access.index(0), access.index(1), at.array);
    }
    // Memory of the student's own: the launch is in another function, which was called with sizes.
    if (picture->is_swapped && at.buffer == nullptr && access.index(1) >= picture->height) {
        return fmt::format(
            "The thread at y = {0} has no row, as there are {1}: the grid covers the height, {1}, "
            "along x, and the width, {2}, along y. Are height and width swapped in the call?",
            access.index(1), picture->height, picture->width);
    }
    const auto [x, y] = picture->at;
    if (x < picture->width && y < picture->height) {
        return wrong_index(access, *picture);
    }
    if (picture->is_swapped || at.element < 0) return "";
    return fmt::format(
        "The thread at x = {}, y = {} has no element: there are {} columns and {} rows. Such "
        "threads must do nothing.",
        x, y, picture->width, picture->height);
}

// The lengths are those that the contract calls I, J and K, with x along K, y along J and z along
// I.
std::string outside_the_box(const OutsideAccess& access) {
    const CallPlan& plan = access.plan;
    const LaunchRecord& launch = access.launch;
    constexpr std::array kNames{"K", "J", "I"}, kIndices{"k", "j", "i"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto length = integer_argument(plan, kNames[axis]);
        const std::uint64_t threads = launch.block[axis];
        if (!length || (*length + threads - 1) / threads != launch.grid[axis]) return "";
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint64_t index = access.index(axis);
        const std::uint64_t length = *integer_argument(plan, kNames[axis]);
        if (index < length) continue;
        return fmt::format(
            "The thread with {0} = {1} has no element, as {2} is {3}. Such threads must do "
            "nothing.",
            kIndices[axis], index, kNames[axis], length);
    }
    return "";
}

}  // namespace lab

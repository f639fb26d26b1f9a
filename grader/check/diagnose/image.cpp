#include "check/diagnose/image.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/diagnose/launch.h"

namespace lab {
namespace {

// In fewer elements, or in a single row, two arrangements may agree by chance.
constexpr std::size_t kFewest = 6, kFewestRows = 2;

bool is_image(const Evidence& e, ImageShape i) {
    return e.size() == i.height * i.width && e.size() >= kFewest && i.height >= kFewestRows &&
           i.width >= kFewestRows;
}

/// Does every element (y, x) stand where `place(y, x)` says?
template <class Place>
bool all_stand_at(const Evidence& e, ImageShape i, Place place) {
    for (std::size_t y = 0; y < i.height; ++y) {
        for (std::size_t x = 0; x < i.width; ++x) {
            if (!e.same(place(y, x), y * i.width + x)) return false;
        }
    }
    return true;
}

/// The launch that did the work, when there was only one, over two axes.
const LaunchRecord* launch_of_rows(const Evidence& e) {
    if (e.launches.size() != 1) return nullptr;
    const LaunchRecord& launch = e.launches.front();
    const bool has_rows = launch.grid[1] * launch.block[1] > 1;
    const bool is_flat = launch.grid[2] * launch.block[2] == 1;
    return has_rows && is_flat && launch.merged == 1 ? &launch : nullptr;
}

/// The rectangle at the origin that is right, when all the rest is unwritten.
std::optional<ImageShape> right_corner(const Evidence& e, ImageShape i) {
    ImageShape corner;
    while (corner.width < i.width && e.right[corner.width]) ++corner.width;
    while (corner.height < i.height && e.right[corner.height * i.width]) ++corner.height;
    for (std::size_t y = 0; y < i.height; ++y) {
        for (std::size_t x = 0; x < i.width; ++x) {
            const std::size_t at = y * i.width + x;
            const bool inside = y < corner.height && x < corner.width;
            if (e.right[at] != inside || (!inside && !e.untouched[at])) return std::nullopt;
        }
    }
    return corner;
}

/// One axis of the image and of the launch.
struct Axis {
    const char* letter;  ///< "x"
    const char* things;  ///< "columns"

    std::size_t length, right, other_length;
    std::uint64_t blocks = 0, threads = 0;  ///< of the launch; 0: not known
    std::uint64_t other_covered = 0;  ///< threads of the grid along the other axis; 0 as above
    bool others_stored = true;  ///< blocks that wrote no element of their own stored all the same

    bool is_short() const { return right < length; }
};

/// Why an axis ends too early; empty when the launch does not explain it.
std::string reason(const Axis& axis) {
    const std::uint64_t covered = axis.blocks * axis.threads;
    if (axis.blocks > 1 && axis.threads == axis.right) {
        if (!axis.others_stored) {
            return fmt::format(
                "of {} blocks along {}, only the first stored something. In the others {} is past "
                "the end already: what is blockIdx.{} multiplied by?",
                axis.blocks, axis.letter, axis.letter, axis.letter);
        }
        return fmt::format("all {} blocks along {} wrote the same {}, so blockIdx.{} is missing.",
                           axis.blocks, axis.letter, axis.things, axis.letter);
    }
    if (covered == axis.right) {
        return fmt::format("along {} there {} only {} block{} of {} threads.", axis.letter,
                           axis.blocks == 1 ? "is" : "are", axis.blocks,
                           axis.blocks == 1 ? "" : "s", axis.threads);
    }
    if (covered >= axis.length && axis.right == axis.other_covered) {
        return fmt::format(
            "that is how many threads the grid has along {0}, but {1} must be made of the .{1} "
            "variables.",
            *axis.letter == 'x' ? 'y' : 'x', axis.letter);
    }
    if (axis.right == 1 && axis.threads > 1) {
        return fmt::format("{} is 0 in every thread.", axis.letter);
    }
    if (axis.right + 1 == axis.length && covered >= axis.length) {
        return fmt::format("the bound of {0} is 1 too low. Which is the last {0} that exists?",
                           axis.letter);
    }
    constexpr std::size_t kByte = 1 << 8;
    if (axis.right == kByte && covered >= axis.length && axis.others_stored) {
        return fmt::format("as many as 8 bits count. In which type is {} kept?", axis.letter);
    }
    if (axis.right == axis.other_length && covered >= axis.length) {
        return "as many as the other axis has. x and y, or width and height, are swapped.";
    }
    return "";
}

std::string reason_without_launch(const Axis& axis, bool on_host) {
    if (axis.right == axis.other_length) {
        return "as many as the other axis has. x and y are swapped in the guard or in the grid.";
    }
    return fmt::format(
        "there are too few blocks along {0}, or blockIdx.{0} is missing from {0}{1}.", axis.letter,
        on_host && *axis.letter == 'y' ? ", or the copy to the host is as short as that" : "");
}

std::string only_first(const Axis& axis) {
    if (axis.right == 1) {
        return fmt::format("Only the first of {} {} was written: ", axis.length, axis.things);
    }
    return fmt::format("Only the first {} of {} {} were written: ", axis.right, axis.length,
                       axis.things);
}

}  // namespace

std::optional<std::string> transposed(const Evidence& e, ImageShape i) {
    if (!is_image(e, i)) return std::nullopt;
    const auto swapped = [&](std::size_t y, std::size_t x) { return x * i.height + y; };
    const bool writes = all_stand_at(e, i, swapped);
    bool reads = true;
    for (std::size_t y = 0; y < i.height && reads; ++y) {
        for (std::size_t x = 0; x < i.width && reads; ++x) {
            reads = e.same(y * i.width + x, swapped(y, x));
        }
    }
    if (!writes && !reads) return std::nullopt;
    const std::string begin = "Rows and columns are swapped: ";
    if (writes && reads) {
        return begin + "the element in row y and column x stands in row x and column y.";
    }
    return fmt::format("{}memory was {} column by column, but it holds row after row.", begin,
                       writes ? "written" : "read");
}

std::optional<std::string> wrong_row_step(const Evidence& e, ImageShape i) {
    // Taller than wide, the rows end up outside: other checks find that.
    if (!is_image(e, i) || i.height >= i.width) return std::nullopt;
    const std::size_t written = (i.height - 1) * i.height + i.width;
    for (std::size_t at = 0; at < e.size(); ++at) {
        if (at >= written) {
            if (!e.untouched[at]) return std::nullopt;
            continue;
        }
        // Rows overlap, and any of those that meet here may have been the last.
        bool found = false;
        for (std::size_t y = 0; y < i.height && y * i.height <= at && !found; ++y) {
            const std::size_t x = at - y * i.height;
            found = x < i.width && e.same(at, y * i.width + x);
        }
        if (!found) return std::nullopt;
    }
    return fmt::format(
        "From one row to the next it goes {} elements on, the height. A row has {}, the width.",
        i.height, i.width);
}

std::optional<std::string> mirrored(const Evidence& e, ImageShape i) {
    if (!is_image(e, i)) return std::nullopt;
    const auto upside_down = [&](std::size_t y, std::size_t x) {
        return (i.height - 1 - y) * i.width + x;
    };
    const auto left_right = [&](std::size_t y, std::size_t x) {
        return y * i.width + (i.width - 1 - x);
    };
    if (all_stand_at(e, i, upside_down)) {
        return fmt::format("{} is upside down: row 0 holds what belongs in the last row.", e.name);
    }
    if (all_stand_at(e, i, left_right)) {
        return fmt::format(
            "In {} left and right are swapped: column 0 holds what belongs in the last column.",
            e.name);
    }
    return std::nullopt;
}

std::optional<std::string> one_line_missing(const Evidence& e, ImageShape i) {
    if (!is_image(e, i)) return std::nullopt;
    const auto first =
        static_cast<std::size_t>(std::ranges::find(e.right, false) - e.right.begin());
    if (first == e.size()) return std::nullopt;
    const auto is_all = [&](auto is_in_line) {
        for (std::size_t at = 0; at < e.size(); ++at) {
            const bool missing = is_in_line(at);
            if (e.right[at] == missing || (missing && !e.untouched[at])) return false;
        }
        return true;
    };
    const auto said = [](const char* thing, std::size_t line, std::size_t lines) {
        return fmt::format(
            "Only {0} {1} of {2} was not written{3}", thing, line, lines,
            lines % 2 == 1 && line == lines / 2 && lines > 1
                ? fmt::format(", the middle one: where two {0}s are handled at a "
                              "time, one from each end, an odd number of them "
                              "leaves one over.",
                              thing)
                : fmt::format(": {0}s are counted from 0 to {1}.", thing, lines - 1));
    };
    const std::size_t row = first / i.width, column = first % i.width;
    if (is_all([&](std::size_t at) { return at / i.width == row; })) {
        return said("row", row, i.height);
    }
    if (is_all([&](std::size_t at) { return at % i.width == column; })) {
        return said("column", column, i.width);
    }
    return std::nullopt;
}

std::optional<std::string> only_a_corner(const Evidence& e, ImageShape i) {
    if (!is_image(e, i)) return std::nullopt;
    const auto corner = right_corner(e, i);
    if (!corner || corner->height == 0 || corner->width == 0) return std::nullopt;
    Axis x{"x", "columns", i.width, corner->width, i.height};
    Axis y{"y", "rows", i.height, corner->height, i.width};
    if (!e.launches_known) {
        if (x.is_short() && y.is_short()) {
            constexpr std::size_t kLargestBlock = 1024;
            if (x.right * y.right > kLargestBlock) {
                return fmt::format(
                    "Only the first {} of {} rows and {} of {} columns were written. There are too "
                    "few blocks along both axes.",
                    y.right, y.length, x.right, x.length);
            }
            return fmt::format(
                "Only the first {} of {} rows and {} of {} columns were written: there is only one "
                "block, or all blocks wrote the same elements, because blockIdx is missing.",
                y.right, y.length, x.right, x.length);
        }
        const Axis& axis = x.is_short() ? x : y;
        return only_first(axis) + reason_without_launch(axis, e.on_host);
    }
    const LaunchRecord* launch = launch_of_rows(e);
    if (launch == nullptr) return std::nullopt;
    x.blocks = launch->grid[0], x.threads = launch->block[0];
    y.blocks = launch->grid[1], y.threads = launch->block[1];
    x.other_covered = y.blocks * y.threads, y.other_covered = x.blocks * x.threads;
    const bool stored_once =
        launch->global_store_bytes == std::uint64_t{e.element_bytes} * x.right * y.right;
    x.others_stored = y.others_stored = !stored_once;
    const auto enough = [](std::uint64_t blocks, std::uint64_t threads, std::size_t length) {
        return blocks == (length + threads - 1) / threads;
    };
    if (x.is_short() != y.is_short() && enough(x.blocks, x.threads, i.height) &&
        enough(y.blocks, y.threads, i.width)) {
        const Axis& axis = x.is_short() ? x : y;
        return only_first(axis) +
               "the grid's axes are swapped: it covers the height along x, and the width along y.";
    }
    if (x.is_short() && y.is_short()) {
        if (launch->blocks() == 1 && x.threads == x.right && y.threads == y.right) {
            return fmt::format(
                "Only one block of {} by {} threads was launched, for {} columns and {} rows.",
                x.threads, y.threads, x.length, y.length);
        }
        const std::string why_x = reason(x), why_y = reason(y);
        if (why_x.empty() || why_y.empty()) return std::nullopt;
        return only_first(x) + why_x + " And only the first " +
               fmt::format("{} of {} rows: ", y.right, y.length) + why_y;
    }
    const Axis& axis = x.is_short() ? x : y;
    const std::string why = reason(axis);
    if (why.empty()) return std::nullopt;
    return only_first(axis) + why;
}

Diagnosers image_mistakes(std::size_t height, std::size_t width) {
    const ImageShape image{height, width};
    Diagnosers all{nothing_written, bytes_for_elements};
    for (const auto part : {only_a_corner, one_line_missing, wrong_pixel_formula, transposed,
                            wrong_row_step, mirrored}) {
        all.push_back([part, image](const Evidence& e) { return part(e, image); });
    }
    all.insert(all.end(), indexing_mistakes.begin(), indexing_mistakes.end());
    return all;
}

}  // namespace lab

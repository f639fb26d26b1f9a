#include "mistakes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "addressing_2d.h"
#include "check/mistakes/patterns.h"

using namespace lab;

namespace {

/// Of the skeleton's blocks.
constexpr std::size_t kBlockWidth = 32, kBlockHeight = 8;

/// Pitches that a device might choose are multiples of this many elements.
constexpr std::size_t kPitches[] = {64, 128, 256, 512, 1024};

/// A wrong program's pixel, computed from its place and the values it reads; raw is the pixel's
/// own.
struct WrongPixel {
    const char* sentence;
    float (*of)(const Picture& all, float raw, std::size_t y, std::size_t x);
};
constexpr std::array kWrongPixels{
    WrongPixel{"gain was taken at y, but it has one element for each column.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return y < all.gain.size() ? all.gain[y] * raw + all.offset[y]
                                              : all.gain[x] * raw;
               }},
    WrongPixel{"offset was taken at x, but it has one element for each row.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x] * raw + all.offset[x < all.offset.size() ? x : y];
               }},
    WrongPixel{"gain was taken at y and offset at x, but gain has one element for each column, "
               "offset one for each row.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return y < all.gain.size() && x < all.offset.size()
                              ? all.gain[y] * raw + all.offset[x]
                              : raw;
               }},
    WrongPixel{"gain was taken at threadIdx.x, which begins again in each block.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x % kBlockWidth] * raw + all.offset[y];
               }},
    WrongPixel{"offset was taken at threadIdx.y, which begins again in each block.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x] * raw + all.offset[y % kBlockHeight];
               }},
    WrongPixel{
        "offset was not added, or never copied to where it is read, or went through an int: all "
        "offsets are below 1.",
        [](const Picture& all, float raw, std::size_t, std::size_t x) {
            return all.gain[x] * raw;
        }},
    WrongPixel{"raw was not multiplied by gain.", [](const Picture& all, float raw, std::size_t y,
                                                     std::size_t) { return raw + all.offset[y]; }},
    WrongPixel{"offset was subtracted: it must be added.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x] * raw - all.offset[y];
               }},
    WrongPixel{"The operators are swapped: gain[x] is multiplied, and offset[y] is added.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x] + raw * all.offset[y];
               }},
    WrongPixel{"The product went through an int, and lost its fraction.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return std::trunc(all.gain[x] * raw) + all.offset[y];
               }},
    WrongPixel{"The sum was made before the product: gain[x] * raw comes first.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x] * (raw + all.offset[y]);
               }},
    WrongPixel{"image is raw, unchanged: the kernel stores raw, or raw was copied back.",
               [](const Picture&, float raw, std::size_t, std::size_t) { return raw; }},
    WrongPixel{"gain was taken at 0 for all pixels, but it has one element for each column.",
               [](const Picture& all, float raw, std::size_t y, std::size_t) {
                   return all.gain[0] * raw + all.offset[y];
               }},
    WrongPixel{"offset was taken at 0 for all pixels, but it has one element for each row.",
               [](const Picture& all, float raw, std::size_t, std::size_t x) {
                   return all.gain[x] * raw + all.offset[0];
               }},
    WrongPixel{
        "Only offset is left: gain[x] * raw is 0 everywhere. raw or gain went through an int, or "
        "was never copied to where it is read.",
        [](const Picture& all, float, std::size_t y, std::size_t) { return all.offset[y]; }},
    WrongPixel{
        "What is read as gain holds the elements of offset: which host array was copied where?",
        [](const Picture& all, float raw, std::size_t y, std::size_t x) {
            return (x < all.offset.size() ? all.offset[x] : 0) * raw + all.offset[y];
        }},
    WrongPixel{
        "What is read as offset holds the elements of gain: which host array was copied where?",
        [](const Picture& all, float raw, std::size_t y, std::size_t x) {
            return all.gain[x] * raw + (y < all.gain.size() ? all.gain[y] : 0);
        }},
    WrongPixel{"The rows are counted from the bottom: offset[y] went to row height - 1 - y.",
               [](const Picture& all, float raw, std::size_t y, std::size_t x) {
                   return all.gain[x] * raw + all.offset[all.offset.size() - 1 - y];
               }}};

/// Images of wrong programs. place(y, x): where pixels belong; other(y, x): where they would be in
/// an image of the other order.
template <class Place, class Other>
std::vector<Mistake> mistakes_of(const Picture& all, Place place, Other other) {
    const auto image_of = [&all](auto pixel) {
        Floats image(all.raw.size());
        for (std::size_t y = 0; y < all.offset.size(); ++y) {
            for (std::size_t x = 0; x < all.gain.size(); ++x) pixel(image, y, x);
        }
        return image;
    };
    std::vector<Mistake> mistakes;
    for (const WrongPixel& wrong : kWrongPixels) {
        mistakes.push_back({[=, &all] {
                                return image_of([&](Floats& image, std::size_t y, std::size_t x) {
                                    image[place(y, x)] = wrong.of(all, all.raw[place(y, x)], y, x);
                                });
                            },
                            wrong.sentence});
    }
    mistakes.push_back(
        {[=, &all] {
             return image_of([&](Floats& image, std::size_t y, std::size_t x) {
                 image[place(y, x)] = all.gain[x] * all.raw[other(y, x)] + all.offset[y];
             });
         },
         "image is written to the right places, but raw is read with rows and columns swapped."});
    return mistakes;
}

}  // namespace

std::vector<Mistake> mistakes_of_rows(const Picture& all) {
    const std::size_t columns = all.gain.size(), rows = all.offset.size();
    return mistakes_of(
        all, [=](std::size_t y, std::size_t x) { return y * columns + x; },
        [=](std::size_t y, std::size_t x) { return x * rows + y; });
}

std::vector<Mistake> mistakes_of_columns(const Picture& all) {
    const std::size_t columns = all.gain.size(), rows = all.offset.size();
    return mistakes_of(
        all, [=](std::size_t y, std::size_t x) { return x * rows + y; },
        [=](std::size_t y, std::size_t x) { return y * columns + x; });
}

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

std::optional<std::string> copied_as_if_dense(const Evidence& e, std::size_t columns) {
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
            return "The rows of image came back with the padding between them. How far apart are "
                   "the rows on the device, and does the copy know?";
        }
    }
    return std::nullopt;
}

std::optional<std::string> rows_cut_short(const Evidence& e, std::size_t columns) {
    const std::size_t arrived = columns / sizeof(float);
    if (arrived == 0 || e.size() < 2 * columns) return std::nullopt;
    for (std::size_t i = 0; i < e.size(); ++i) {
        // The copy may end inside an element, of which only some bytes arrive.
        if (i % columns != arrived && e.right[i] != (i % columns < arrived)) return std::nullopt;
    }
    return "Only the first quarter of each row of image came back. The width of a row that "
           "cudaMemcpy2D copies counts bytes.";
}

std::optional<std::string> copied_there_with_the_devices_pitch(const Evidence& e,
                                                               const Picture& all) {
    const std::size_t columns = all.gain.size();
    for (const std::size_t unit : kPitches) {
        const std::size_t pitch = (columns + unit - 1) / unit * unit;
        if (!e.got || columns == pitch || e.size() < 3 * columns) continue;
        std::size_t seen = 0, as_if = 0;
        for (std::size_t i = columns; i < e.size(); ++i) {
            const std::size_t y = i / columns, x = i % columns, from = y * pitch + x;
            if (from >= all.raw.size()) break;  // past the end of raw: anything
            ++seen;
            const double wrong = double{all.gain[x]} * all.raw[from] + all.offset[y];
            as_if += std::abs(e.got(i) - wrong) <= kTolerance ? 1u : 0u;
        }
        if (seen >= columns && as_if == seen) {
            return "raw is copied as if its rows were as far apart as those on the device. On the "
                   "host they follow each other.";
        }
    }
    return std::nullopt;
}

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
        return "Only the pixels of one block were calibrated: blockIdx is missing from x and y.";
    }
    return no_block_x
               ? "Only the first " + std::to_string(columns) +
                     " columns were calibrated, as many as a block has: blockIdx is missing from x."
               : "Only the first " + std::to_string(rows) +
                     " rows were calibrated, as many as a block has: blockIdx is missing from y.";
}

std::optional<std::string> mistakes_with_zeros_unwritten(const Evidence& e) {
    if (!e.got) return std::nullopt;
    Evidence unwritten = e;
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.right[i] || e.got(i) != 0) continue;
        unwritten.untouched[i] = true;
        ++zeros;
    }
    if (zeros == 0 || zeros == e.size()) return std::nullopt;  // all: nothing ran or was copied
    unwritten.on_host = false;  // the length of the copy does not matter here
    for (const Diagnoser& diagnoser : image_mistakes(kFrameHeight, kFrameWidth)) {
        if (auto said = diagnoser(unwritten)) return said;
    }
    return std::nullopt;
}

std::optional<std::string> copied_too_early(const std::vector<OperationRecord>& operations) {
    const auto is_kernel = [](const OperationRecord& operation) { return operation.is_kernel(); };
    const auto is_copy = [](const OperationRecord& operation) {
        return operation.engine == "copy_to_host";
    };
    const auto last_kernel =
        std::ranges::find_if(operations.rbegin(), operations.rend(), is_kernel);
    const bool any_before = std::any_of(last_kernel, operations.rend(), is_copy),
               any_after = std::any_of(operations.rbegin(), last_kernel, is_copy);
    if (last_kernel == operations.rend() || !any_before || any_after) return std::nullopt;
    return "image was copied to the host before the kernel was launched.";
}

std::optional<std::string> only_a_quarter_copied(const Evidence& e, const Picture& all) {
    const std::size_t elements = e.size();
    if (!e.got || elements < 8 * sizeof(float)) return std::nullopt;
    const auto is_all_that_arrived = [&](std::size_t arrived) {
        for (std::size_t i = 0; i < elements; ++i) {
            // Bytes are counted as elements, and sizes are rarely multiples of 4.
            if (i == arrived) continue;
            const bool fits =
                i < arrived ? e.right[i] : e.got(i) == double{all.offset[i / all.gain.size()]};
            if (!fits) return false;
        }
        return true;
    };
    if (is_all_that_arrived(elements / sizeof(float))) {
        return "Only the first quarter of raw arrived on the device, and from there on it is 0. "
               "Copies count bytes, not elements.";
    }
    constexpr std::size_t kPointerBytes = sizeof(float*);
    if (is_all_that_arrived(kPointerBytes / sizeof(float))) {
        return "Only the first 8 bytes of raw arrived on the device, and from there on it is 0: "
               "sizeof(raw) is the size of a pointer.";
    }
    return std::nullopt;
}

std::optional<std::string> columns_missing(const Evidence& e, std::size_t rows,
                                           std::size_t columns) {
    if (e.launches.size() != 1) return std::nullopt;
    const auto& [grid, block] = std::tie(e.launches[0].grid, e.launches[0].block);
    const std::size_t along_x = std::size_t{grid[0]} * block[0],
                      along_y = std::size_t{grid[1]} * block[1];
    if (along_x < columns && along_x >= rows && along_y >= columns &&
        right_only_up_to(e, along_x * rows)) {
        return "Only the first " + std::to_string(along_x) + " of " + std::to_string(columns) +
               " columns were written: the grid's x runs along the height, but in the kernel x is "
               "still made of the .x variables. Turn both: there, y must be made of the .x "
               "variables, and x of the .y variables.";
    }
    if (along_y >= columns || along_x < rows) return std::nullopt;
    if (!right_only_up_to(e, along_y * rows)) return std::nullopt;
    return "Only the first " + std::to_string(along_y) + " of " + std::to_string(columns) +
           " columns were written, which is the number of threads that the grid has along y. Here "
           "the "
           "grid's y runs along the width.";
}

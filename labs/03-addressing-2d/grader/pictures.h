// Makes images and calibrates them on the CPU, by a plain loop: the answers that the grader
// expects.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "check/check.h"
#include "protocol/parallel.h"

using Floats = std::vector<float>;

struct Picture {
    Floats raw, gain, offset;
};

/// |gain * raw| < 2 and |offset| <= 1: kTolerance is derived from these.
inline Picture random_picture(int height, int width) {
    return {lab::random_floats(height * width, 0.25F, 1.0F), lab::random_floats(width, 0.5F, 2.0F),
            lab::random_floats(height)};
}

/// A float program rounds the product (below 2: by at most 2^-24 * 2) and the sum (below 3: 2^-24 *
/// 3), or both at once; the expected value was rounded too (2^-24 * 3). Together 2^-24 * 8. A
/// program that calculates in half precision is wrong by up to 2^-11.
constexpr double kTolerance = 0x1p-21;

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
    lab::for_each_range(
        across * down,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t tile = begin; tile < end; ++tile)
                fill_tile(tile / across * kTile, tile % across * kTile);
        },
        64);
    return image;
}

inline Floats cpu_rows(const Floats& raw, const Floats& gain, const Floats& offset) {
    const std::size_t width = gain.size();
    return cpu_calibrate(raw, gain, offset,
                         [=](std::size_t y, std::size_t x) { return y * width + x; });
}

inline Floats cpu_columns(const Floats& raw, const Floats& gain, const Floats& offset) {
    const std::size_t height = offset.size();
    return cpu_calibrate(raw, gain, offset,
                         [=](std::size_t y, std::size_t x) { return x * height + y; });
}

/// A (rows, columns) array in memory order, stored column by column.
inline Floats transposed(const Floats& array, std::size_t rows, std::size_t columns) {
    Floats result(array.size());
    for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < columns; ++x) result[x * rows + y] = array[y * columns + x];
    }
    return result;
}

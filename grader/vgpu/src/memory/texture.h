// Turns a texture's coordinates into elements and their weights.
#pragma once

#include <cstdint>

#include "vgpu/device.h"

// As in "Texture Fetching" of the CUDA C++ Programming Guide: coordinates count elements or,
// normalized, from 0 to 1. Those outside are clamped, repeated, mirrored, or get the border's
// colour. A linear filter weighs two neighbours an axis, with 8 bits of fraction.

namespace vgpu {

/// The one or two elements along an axis that a coordinate falls on; kBorder: outside all.
struct Axis {
    static constexpr std::int32_t kBorder = -1;
    std::int32_t first = 0, second = 0;
    float second_weight = 0;  ///< the first one's is 1 less this
};

/// `count`: elements along the axis, at least 1. `interpolates`: the linear filter.
Axis along(float coordinate, std::uint32_t count, Texture::Edge, bool normalized,
           bool interpolates);
/// A whole coordinate of an instruction that takes integers.
Axis along(std::int32_t coordinate, std::uint32_t count, Texture::Edge);

/// Where a direction leaves a cube: which face (+x -x +y -y +z -z), and where on it, from 0 to 1.
struct Face {
    std::uint32_t number = 0;
    float u = 0, v = 0;
};
Face face_of(float x, float y, float z);

}  // namespace vgpu

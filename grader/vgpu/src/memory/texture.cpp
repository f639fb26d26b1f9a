#include "memory/texture.h"

#include <algorithm>
#include <cmath>

namespace vgpu {
namespace {

using Edge = Texture::Edge;

/// Far outside every texture, and well inside the range of whole numbers.
constexpr float kFar = 1 << 30;

float finite(float x) {
    return std::isnan(x) ? 0 : std::clamp(x, -kFar, kFar);
}

/// An element's number after what lies outside has been brought in, or kBorder.
std::int32_t bring_in(std::int64_t i, std::int64_t count, Edge edge) {
    if (i >= 0 && i < count) return static_cast<std::int32_t>(i);
    switch (edge) {
        case Edge::wrap:
            return static_cast<std::int32_t>(((i % count) + count) % count);
        case Edge::mirror: {
            const std::int64_t there_and_back = ((i % (2 * count)) + 2 * count) % (2 * count);
            return static_cast<std::int32_t>(
                there_and_back < count ? there_and_back : 2 * count - 1 - there_and_back);
        }
        case Edge::border:
            return Axis::kBorder;
        case Edge::clamp:
            break;
    }
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(i, 0, count - 1));
}

}  // namespace

Axis along(float coordinate, std::uint32_t count, Edge edge, bool normalized, bool interpolates) {
    const auto n = static_cast<float>(count);
    float x = finite(coordinate);
    if (normalized) {
        x = finite(x * n);
    } else if (edge != Edge::border) {
        edge = Edge::clamp;  // only normalized coordinates can be repeated
    }
    if (!interpolates) {
        const std::int32_t i = bring_in(static_cast<std::int64_t>(std::floor(x)), count, edge);
        return {i, i, 0};
    }
    const float left = std::floor(x - 0.5f);
    const float weight = std::floor((x - 0.5f - left) * 256 + 0.5f) / 256;
    const auto i = static_cast<std::int64_t>(left);
    return {bring_in(i, count, edge), bring_in(i + 1, count, edge), weight};
}

Axis along(std::int32_t coordinate, std::uint32_t count, Edge edge) {
    if (edge != Edge::border) edge = Edge::clamp;
    const std::int32_t i = bring_in(coordinate, count, edge);
    return {i, i, 0};
}

Face face_of(float x, float y, float z) {
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    std::uint32_t number = 0;
    float s = 0, t = 0, major = 0;
    if (ax >= ay && ax >= az) {
        number = x >= 0 ? 0 : 1;
        s = x >= 0 ? -z : z;
        t = -y;
        major = ax;
    } else if (ay >= az) {
        number = y >= 0 ? 2 : 3;
        s = x;
        t = y >= 0 ? z : -z;
        major = ay;
    } else {
        number = z >= 0 ? 4 : 5;
        s = z >= 0 ? x : -x;
        t = -y;
        major = az;
    }
    if (major == 0) return {number, 0.5f, 0.5f};
    return {number, (s / major + 1) / 2, (t / major + 1) / 2};
}

}  // namespace vgpu

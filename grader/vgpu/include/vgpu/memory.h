// What a program says about its memory: names, pools and permissions; textures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "vgpu/finding.h"

namespace vgpu {

/// Every byte of freshly allocated device memory; what a copy of memory never written shows.
inline constexpr std::byte kFreshMemory{0xCB};

/// What a program says about its own memory (NVTX's memory extension).
struct Annotation {
    enum class Kind : std::uint8_t {
        name,        ///< `text`: what messages call the allocation, too
        open_pool,   ///< [at, at + bytes): kernels may touch only the parts that are handed out
        close_pool,  ///< no pool any more
        empty_pool,  ///< all its parts are taken back; of all pools, if `at` is 0
        hand_out,    ///< [at, at + bytes) is a part
        resize,
        take_back,
        permit,      ///< `permissions` of the part, or the whole allocation, that begins at `at`
        permit_all,  ///< everywhere
        written,     ///< [at, at + bytes) counts as written
    } kind{};
    Address at = 0;
    std::uint64_t bytes = 0;
    Permissions permissions{};
    std::string text{};
};

/// Memory as texture and surface instructions see it: elements in rows, rows in layers.
struct Texture {
    enum class Edge : std::uint8_t { wrap, clamp, mirror, border };  ///< what lies outside
    enum class Element : std::uint8_t { integer, natural, real };
    Address base = 0;
    std::uint64_t row_bytes = 0, layer_bytes = 0;    ///< from each to the next
    std::uint32_t width = 1, height = 1, depth = 1;  ///< in elements; depth: layers, too
    Element element = Element::real;
    std::uint8_t bits = 32, channels = 1;  ///< 8, 16 or 32 bits each; 1, 2 or 4 channels
    Edge edge[3] = {Edge::clamp, Edge::clamp, Edge::clamp};
    bool is_linear = false;     ///< an array in memory, not rows of an image
    bool interpolates = false;  ///< the linear filter
    bool normalized = false;    ///< coordinates from 0 to 1
    bool to_fraction = false;   ///< integers become floats from -1 or 0 to 1
    float border[4] = {};
    std::uint32_t element_bytes() const { return bits / 8u * channels; }
};

}  // namespace vgpu

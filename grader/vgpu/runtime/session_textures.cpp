// The session's requests about textures and surfaces.
#include <fmt/format.h>

#include <cstring>

#include "runtime/session.h"

namespace vgpu {
namespace {

/// More than any sensible program has.
constexpr std::size_t kMaxTextures = 1 << 16;

void require(bool condition, const char* what) {
    if (!condition) throw wire::Violation(std::string("create_texture: ") + what);
}

template <class To, class From>
To same(From value, To last, const char* what) {
    require(static_cast<std::uint32_t>(value) <= static_cast<std::uint32_t>(last), what);
    return static_cast<To>(value);
}

}  // namespace

void Session::create_texture(const Request& r, Reply& reply) {
    if (textures_ == kMaxTextures) throw Failure{cudaErrorMemoryAllocation, "too many textures"};
    wire::TextureFacts facts;
    std::memcpy(&facts, staging().data(), sizeof facts);
    (void)r;
    Texture texture;
    texture.base = facts.base;
    texture.row_bytes = facts.row_bytes;
    texture.layer_bytes = facts.layer_bytes;
    texture.element = same(facts.element, Texture::Element::real, "no such element");
    require(facts.bits == 8 || facts.bits == 16 || facts.bits == 32, "no such width");
    require(facts.channels == 1 || facts.channels == 2 || facts.channels == 4, "no such channels");
    require(
        facts.width - 1 < INT32_MAX && facts.height - 1 < INT32_MAX && facts.depth - 1 < INT32_MAX,
        "no such size");
    texture.bits = static_cast<std::uint8_t>(facts.bits);
    texture.channels = static_cast<std::uint8_t>(facts.channels);
    texture.width = facts.width;
    texture.height = facts.height;
    texture.depth = facts.depth;
    for (std::size_t axis = 0; axis < 3; ++axis)
        texture.edge[axis] = same(facts.edge[axis], Texture::Edge::border, "no such edge");
    std::memcpy(texture.border, facts.border, sizeof texture.border);
    texture.is_linear = facts.is_linear != 0;
    texture.interpolates = facts.interpolates != 0;
    texture.normalized = facts.is_normalized != 0;
    texture.to_fraction = facts.to_fraction != 0;
    reply.address = device_->create_texture(texture);
    ++textures_;
}

void Session::destroy_texture(const Request& r) {
    if (!device_->destroy_texture(r.to)) throw wire::Violation("destroy_texture: there is none");
    --textures_;
}

}  // namespace vgpu

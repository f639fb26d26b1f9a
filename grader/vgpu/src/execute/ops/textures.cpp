// Textures and surfaces: tex, tld4 (four elements around a place), suld, sust. The object is a
// number that the runtime gave (Device::create_texture); its elements are ordinary device memory,
// and every access to them is checked and counted as that of a load or store.
//
// Operands: [0] to [3] the elements, [4] the object; Image::operand_lists[target]: coordinates.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "execute/access_events.h"
#include "execute/checked_access.h"
#include "execute/execution.h"
#include "execute/ops/half.h"
#include "execute/ops/table.h"
#include "memory/page_lock.h"
#include "memory/texture.h"

namespace vgpu {
namespace {

enum class Geometry : std::uint8_t { d1, d2, d3, layered_1d, layered_2d, cube, layered_cube };
struct GeometryName {
    std::string_view name;
    Geometry geometry;
    std::size_t coordinates;  ///< the layer's number included
};
constexpr std::array<GeometryName, 7> kGeometries{{{"1d", Geometry::d1, 1},
                                                   {"2d", Geometry::d2, 2},
                                                   {"3d", Geometry::d3, 3},
                                                   {"a1d", Geometry::layered_1d, 2},
                                                   {"a2d", Geometry::layered_2d, 3},
                                                   {"cube", Geometry::cube, 3},
                                                   {"acube", Geometry::layered_cube, 4}}};

const GeometryName& geometry_of(std::string_view name) {
    const auto found = std::find_if(kGeometries.begin(), kGeometries.end(),
                                    [&](const auto& known) { return known.name == name; });
    if (found == kGeometries.end()) throw Unsupported{""};
    return *found;
}

bool has_layer(Geometry g) {
    return g == Geometry::layered_1d || g == Geometry::layered_2d || g == Geometry::layered_cube;
}

/// Insn::option: the geometry, and what else changes a fetch.
constexpr std::uint8_t kGeometryBits = 7, kWholeCoordinates = 8, kGathers = 16;
constexpr unsigned kChannelAt = 5;  // of tld4: which channel
/// Insn::vector of a surface access: elements; Insn::immediate: what happens outside.
enum class Outside : std::uint8_t { trap, clamp, zero };

constexpr std::size_t kMostChannels = 4, kMostTexelBytes = 16;

struct Coordinates {
    const Warp& w;
    const std::vector<std::uint32_t>& list;
    float real(std::size_t k, unsigned lane) const { return w.lanes<float>(list[k])[lane]; }
    std::int32_t whole(std::size_t k, unsigned lane) const {
        return w.lanes<std::int32_t>(list[k])[lane];
    }
};

Coordinates coordinates_of(const Warp& w, const Insn& i) {
    return {w, w.execution->image.operand_lists[i.target]};
}

/// One lane's fetch: where its elements lie along each axis, and in which layer.
struct Spot {
    Axis x, y, z;
    std::uint32_t layer = 0;
};

std::uint32_t layer_of(std::int32_t wanted, const Texture& t, std::uint32_t faces) {
    const auto layers = static_cast<std::int32_t>(std::max<std::uint32_t>(t.depth / faces, 1));
    return static_cast<std::uint32_t>(std::clamp(wanted, 0, layers - 1));
}

Spot spot_of(const Texture& t, const Insn& i, const Coordinates& c, unsigned lane) {
    const auto geometry = static_cast<Geometry>(i.option & kGeometryBits);
    Spot spot;
    std::size_t k = 0;
    if (has_layer(geometry)) {
        const std::uint32_t faces = geometry == Geometry::layered_cube ? 6 : 1;
        spot.layer = layer_of(c.whole(k++, lane), t, faces) * faces;
    }
    if ((i.option & kWholeCoordinates) != 0) {
        // Of memory that is no array, what lies outside reads as 0, whatever the texture says.
        const auto edge = [&](int axis) {
            return t.is_linear ? Texture::Edge::border : t.edge[axis];
        };
        spot.x = along(c.whole(k++, lane), t.width, edge(0));
        if (k < c.list.size()) spot.y = along(c.whole(k++, lane), t.height, edge(1));
        if (k < c.list.size()) spot.z = along(c.whole(k++, lane), t.depth, edge(2));
        return spot;
    }
    const bool gathers = (i.option & kGathers) != 0;
    const bool interpolates = t.interpolates || gathers;
    const auto axis = [&](float at, std::uint32_t count, int number) {
        return along(at, count, t.edge[number], t.normalized, interpolates);
    };
    if (geometry == Geometry::cube || geometry == Geometry::layered_cube) {
        const Face face = face_of(c.real(k, lane), c.real(k + 1, lane), c.real(k + 2, lane));
        spot.layer = std::min(spot.layer + face.number, std::max<std::uint32_t>(t.depth, 1) - 1);
        const auto on_face = [&](float at, std::uint32_t count) {
            return along(at, count, Texture::Edge::clamp, true, interpolates);
        };
        spot.x = on_face(face.u, t.width);
        spot.y = on_face(face.v, t.height);
        return spot;
    }
    spot.x = axis(c.real(k++, lane), t.width, 0);
    if (geometry != Geometry::d1 && geometry != Geometry::layered_1d)
        spot.y = axis(c.real(k++, lane), t.height, 1);
    if (geometry == Geometry::d3) spot.z = axis(c.real(k++, lane), t.depth, 2);
    return spot;
}

/// One of the two, four or eight elements that a fetch may need: bit 0 of `number` chooses along x,
/// bit 1 along y, bit 2 along z.
struct Tap {
    std::optional<Address> at;  ///< nothing: on the border
    float weight = 1;
};

Tap tap_of(const Texture& t, const Spot& spot, unsigned number) {
    Tap tap;
    const auto choose = [&](const Axis& axis, unsigned bit) {
        const bool second = (number >> bit & 1) != 0;
        tap.weight *= second ? axis.second_weight : 1 - axis.second_weight;
        return second ? axis.second : axis.first;
    };
    const std::int32_t x = choose(spot.x, 0), y = choose(spot.y, 1), z = choose(spot.z, 2);
    if (x == Axis::kBorder || y == Axis::kBorder || z == Axis::kBorder) return tap;
    tap.at = t.base + static_cast<std::uint64_t>(x) * t.element_bytes() +
             static_cast<std::uint64_t>(y) * t.row_bytes +
             (static_cast<std::uint64_t>(z) + spot.layer) * t.layer_bytes;
    return tap;
}

std::uint32_t whole_bits(const Texture& t, const std::byte* from) {
    if (t.bits == 8) {
        const auto value = std::to_integer<std::uint8_t>(*from);
        return t.element == Texture::Element::integer
                   ? static_cast<std::uint32_t>(static_cast<std::int8_t>(value))
                   : value;
    }
    if (t.bits == 16) {
        std::uint16_t value = 0;
        std::memcpy(&value, from, sizeof value);
        return t.element == Texture::Element::integer
                   ? static_cast<std::uint32_t>(static_cast<std::int16_t>(value))
                   : value;
    }
    std::uint32_t value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// A channel as the program gets it: a float, or the bits of an integer.
struct Channel {
    float real = 0;
    std::uint32_t bits = 0;
};

Channel channel_of(const Texture& t, const std::byte* element, std::size_t number) {
    if (number >= t.channels) {
        const bool is_last = number == 3;
        return {is_last ? 1.0f : 0.0f, is_last ? 1u : 0u};
    }
    const std::uint32_t bits = whole_bits(t, element + number * t.bits / 8);
    if (t.element == Texture::Element::real)
        return {t.bits == 16 ? static_cast<float>(f16(bits)) : std::bit_cast<float>(bits), bits};
    if (!t.to_fraction) return {std::bit_cast<float>(bits), bits};
    if (t.element == Texture::Element::integer) {
        const float most = t.bits == 8 ? 127.0f : 32767.0f;
        return {std::max(static_cast<float>(static_cast<std::int32_t>(bits)) / most, -1.0f), bits};
    }
    return {static_cast<float>(bits) / (t.bits == 8 ? 255.0f : 65535.0f), bits};
}

/// The object that some lanes name; without one the launch ends.
const Texture* object_of(Warp& w, const Insn& i, std::uint64_t handle, Mask lanes, bool is_write,
                         std::uint32_t bytes) {
    if (const Texture* known = w.execution->memory.texture(handle)) return known;
    const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
    Finding finding = finding_at(w, i, Check::host_pointer, lane);
    finding.address = handle;
    finding.access_bytes = bytes;
    finding.is_write = is_write;
    finding.occurrences = lane_count(lanes);
    finding.cause = cause::BadPointer{cause::BadPointer::Why::no_texture, ""};
    report(w, std::move(finding), lane);
    w.execution->outcome = Outcome::illegal_address;
    return nullptr;
}

/// Calls `use(texture, lanes)` for the lanes of each object; false when one is none.
template <class Use>
bool each_object(Warp& w, const Insn& i, Mask active, bool is_write, std::uint32_t bytes, Use use) {
    const auto* handles = w.lanes<std::uint64_t>(i.operand[4]);
    for (Mask rest = active; rest != 0;) {
        const std::uint64_t handle = handles[__builtin_ctz(rest)];
        Mask lanes = 0;
        for (Mask others = rest; others != 0; others &= others - 1)
            if (const int lane = __builtin_ctz(others); handles[lane] == handle)
                lanes |= Mask{1} << lane;
        const Texture* texture = object_of(w, i, handle, lanes, is_write, bytes);
        if (!texture || !use(*texture, lanes)) return false;
        rest &= ~lanes;
    }
    return true;
}

/// What the lanes of one object have fetched so far.
struct Fetched {
    std::array<std::array<Channel, kMostChannels>, kWarpSize> lane{};
};

/// Reads an element a lane; false when one lies where it may not.
template <class Add>
bool read_tap(Warp& w, const Insn& i, const Texture& t, Mask lanes,
              const std::array<Tap, kWarpSize>& taps, Add add) {
    Addresses at;
    Mask inside = 0;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        if (taps[l].at) {
            at.lane[l] = *taps[l].at;
            inside |= Mask{1} << l;
        }
    }
    HostPointers where;
    if (w.execution->is_watched())
        tell_watchers(w, i, inside, at, t.element_bytes(), Access::read, nullptr);
    const Mask fine = locate(w, i, inside, at, t.element_bytes(), Access::read, where);
    if (fine != inside) return false;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        std::array<std::byte, kMostTexelBytes> element{};
        if ((inside >> l & 1) != 0) {
            const PageLock hold(w.execution->pages, where.page[l]);
            std::memcpy(element.data(), where.lane[l], t.element_bytes());
        }
        add(l, (inside >> l & 1) != 0 ? element.data() : nullptr);
    }
    return true;
}

Channel border_channel(const Texture& t, std::size_t number) {
    return t.is_linear ? Channel{}
                       : Channel{t.border[number], std::bit_cast<std::uint32_t>(t.border[number])};
}

bool fetch(Warp& w, const Insn& i, const Texture& t, Mask lanes, Fetched& fetched) {
    const Coordinates c = coordinates_of(w, i);
    std::array<Spot, kWarpSize> spots;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        spots[l] = spot_of(t, i, c, l);
    }
    const bool gathers = (i.option & kGathers) != 0;
    const auto channel = static_cast<std::size_t>(i.option >> kChannelAt);
    // Of tld4 the elements come in this order: below left, below right, right, the place itself.
    static constexpr std::array<unsigned, 4> kAround{2, 3, 1, 0};
    const auto geometry = static_cast<Geometry>(i.option & kGeometryBits);
    const bool is_flat = geometry == Geometry::d1 || geometry == Geometry::layered_1d;
    const unsigned taps = gathers                    ? 4
                          : !t.interpolates          ? 1
                          : is_flat                  ? 2
                          : geometry == Geometry::d3 ? 8
                                                     : 4;
    for (unsigned k = 0; k < taps; ++k) {
        std::array<Tap, kWarpSize> tap;
        for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
            const auto l = static_cast<unsigned>(__builtin_ctz(rest));
            tap[l] = tap_of(t, spots[l], gathers ? kAround[k] : k);
        }
        const bool done = read_tap(w, i, t, lanes, tap, [&](unsigned l, const std::byte* element) {
            const auto value = [&](std::size_t n) {
                return element ? channel_of(t, element, n) : border_channel(t, n);
            };
            auto& result = fetched.lane[l];
            if (gathers) {
                result[k] = value(channel);
            } else if (taps == 1) {
                for (std::size_t n = 0; n < kMostChannels; ++n) result[n] = value(n);
            } else {
                for (std::size_t n = 0; n < kMostChannels; ++n)
                    result[n].real += tap[l].weight * value(n).real;
            }
        });
        if (!done) return false;
    }
    return true;
}

template <bool real>
Flow execute_fetch(Warp& w, const Insn& i, Mask active) {
    Fetched fetched;
    const bool done = each_object(w, i, active, false, 4, [&](const Texture& t, Mask lanes) {
        return fetch(w, i, t, lanes, fetched);
    });
    if (!done) return Flow::stop;
    for (std::size_t k = 0; k < kMostChannels; ++k) {
        auto* to = w.lanes<std::uint32_t>(i.operand[k]);
        for (Mask rest = active; rest != 0; rest &= rest - 1) {
            const auto l = static_cast<unsigned>(__builtin_ctz(rest));
            const Channel& value = fetched.lane[l][k];
            to[l] = real ? std::bit_cast<std::uint32_t>(value.real) : value.bits;
        }
    }
    return Flow::next;
}

bool is_wide(const Encoder& e, const std::string& name) {
    const auto found = e.scope.registers.find(name);
    return found != e.scope.registers.end() && found->second.first == Cell::wide;
}

/// Puts the object and the coordinates of [object, {x, ...}] in place.
void place_object(Encoder& e, const ptx::Operand& operand, const GeometryName& geometry) {
    const bool is_object = operand.kind == ptx::Operand::Kind::address &&
                           operand.elements.size() == 1 && operand.address.offset == 0 &&
                           is_wide(e, operand.address.base);
    if (!is_object) throw Unsupported{"with anything but a texture or surface object"};
    e.insn.operand[4] = e.scope.registers.at(operand.address.base).second;
    const ptx::Operand& coordinates = operand.elements[0];
    std::vector<std::uint32_t> list;
    const std::size_t given =
        coordinates.kind == ptx::Operand::Kind::tuple ? coordinates.elements.size() : 1;
    if (given < geometry.coordinates) throw Unsupported{"with so few coordinates"};
    for (std::size_t k = 0; k < geometry.coordinates; ++k)
        list.push_back(e.source_of(
            coordinates.kind == ptx::Operand::Kind::tuple ? coordinates.elements[k] : coordinates,
            Cell::word, true));
    e.insn.target = static_cast<std::uint32_t>(e.image.operand_lists.size());
    e.image.operand_lists.push_back(std::move(list));
    e.insn.space = Space::global;
    e.insn.option = static_cast<std::uint8_t>(geometry.geometry);
}

void place_elements(Encoder& e, const ptx::Operand& tuple) {
    if (tuple.kind != ptx::Operand::Kind::tuple || tuple.elements.size() != kMostChannels)
        throw Unsupported{"with a result of other than four elements"};
    for (std::size_t k = 0; k < kMostChannels; ++k)
        e.insn.operand[k] = e.result_of(tuple.elements[k], Cell::word);
}

void set_result_type(Encoder& e, std::string_view type) {
    if (type != "f32" && type != "u32" && type != "s32") throw Unsupported{""};
    e.insn.execute = type == "f32" ? execute_fetch<true> : execute_fetch<false>;
    e.insn.access_bytes = 4;
}

/// tex{.level|.grad|.base}.GEOMETRY.v4.RESULT.COORDINATES {...}, [object, {...}]{, level}. Textures
/// here have one level of detail, so that which one is asked for makes no difference.
void build_tex(Encoder& e) {
    auto m = e.ptx.modifiers;
    if (!m.empty() && (m[0] == "level" || m[0] == "grad" || m[0] == "base")) m.erase(m.begin());
    if (m.size() != 4 || m[1] != "v4" || e.operand_count() < 2) throw Unsupported{""};
    const GeometryName& geometry = geometry_of(m[0]);
    const bool whole = m[3] == "s32";
    const bool is_cube =
        geometry.geometry == Geometry::cube || geometry.geometry == Geometry::layered_cube;
    if ((!whole && m[3] != "f32") || (whole && is_cube)) throw Unsupported{""};
    set_result_type(e, m[2]);
    place_elements(e, e.operand(0));
    place_object(e, e.operand(1), geometry);
    if (whole) e.insn.option |= kWholeCoordinates;
}

/// tld4.CHANNEL.2d.v4.RESULT.f32 {...}, [object, {x, y}]
void build_gather(Encoder& e) {
    static constexpr std::string_view kChannels = "rgba";
    const auto& m = e.ptx.modifiers;
    if (m.size() != 5 || m[0].size() != 1 || m[1] != "2d" || m[2] != "v4" || m[4] != "f32")
        throw Unsupported{""};
    const auto channel = kChannels.find(m[0]);
    if (channel == std::string_view::npos || e.operand_count() != 2) throw Unsupported{""};
    set_result_type(e, m[3]);
    place_elements(e, e.operand(0));
    place_object(e, e.operand(1), geometry_of("2d"));
    e.insn.option |= static_cast<std::uint8_t>(kGathers | channel << kChannelAt);
}

/// Of a surface, x counts bytes. The first byte of a lane's access; nothing: outside.
std::optional<Address> surface_address(const Texture& t, const Insn& i, const Coordinates& c,
                                       unsigned lane) {
    const auto geometry = static_cast<Geometry>(i.option & kGeometryBits);
    const bool clamps = static_cast<Outside>(i.immediate) == Outside::clamp;
    const bool is_layered = has_layer(geometry);
    bool is_outside = false;
    const auto inside = [&](std::int64_t at, std::int64_t count) {
        if (clamps) return std::clamp<std::int64_t>(at, 0, count - 1);
        is_outside |= at < 0 || at >= count;
        return at;
    };
    const std::int64_t bytes = i.access_bytes;
    std::size_t k = is_layered ? 1 : 0;
    const std::int64_t row = std::int64_t{t.width} * t.element_bytes();
    std::int64_t x = c.whole(k++, lane);
    if (clamps) x = std::max<std::int64_t>(std::min(x, row - bytes), 0);  // a row may be too short
    is_outside |= x < 0 || x + bytes > row;
    std::int64_t y = 0, z = 0;
    if (k < c.list.size()) y = inside(c.whole(k++, lane), t.height);
    if (k < c.list.size()) z = inside(c.whole(k++, lane), t.depth);
    if (is_layered) z = inside(c.whole(0, lane), t.depth);
    if (is_outside) return {};
    return t.base + static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y) * t.row_bytes +
           static_cast<std::uint64_t>(z) * t.layer_bytes;
}

void report_outside(Warp& w, const Insn& i, const Texture& t, unsigned lane, bool is_write) {
    Finding finding = finding_at(w, i, Check::out_of_bounds, lane);
    finding.address = t.base;
    finding.access_bytes = i.access_bytes;
    finding.is_write = is_write;
    finding.cause = cause::OutsideSurface{t.width * t.element_bytes(), t.height, t.depth};
    report(w, std::move(finding), lane);
    w.execution->outcome = Outcome::illegal_address;
}

/// Finds the bytes of each lane; false when the launch must end. `inside`: lanes that have any.
/// `values`: what is stored.
bool locate_surface(Warp& w, const Insn& i, const Texture& t, Mask lanes, const NewBytes* values,
                    HostPointers& where, Mask& inside) {
    const Access access = values ? Access::write : Access::read;
    const Coordinates c = coordinates_of(w, i);
    Addresses at;
    inside = 0;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        const auto address = surface_address(t, i, c, l);
        if (address) {
            at.lane[l] = *address;
            inside |= Mask{1} << l;
        } else if (static_cast<Outside>(i.immediate) == Outside::trap) {
            report_outside(w, i, t, l, access == Access::write);
            return false;
        }
    }
    if (w.execution->is_watched()) tell_watchers(w, i, inside, at, i.access_bytes, access, values);
    return locate(w, i, inside, at, i.access_bytes, access, where) == inside;
}

/// A register's share of a surface access.
void put(Warp& w, std::uint32_t reg, unsigned lane, const std::byte* from, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, from, bytes);
    if (bytes == 8)
        w.lanes<std::uint64_t>(reg)[lane] = value;
    else
        w.lanes<std::uint32_t>(reg)[lane] = static_cast<std::uint32_t>(value);
}

Flow execute_surface_load(Warp& w, const Insn& i, Mask active) {
    const std::size_t each = i.access_bytes / i.vector;
    const bool done =
        each_object(w, i, active, false, i.access_bytes, [&](const Texture& t, Mask lanes) {
            HostPointers where;
            Mask inside = 0;
            if (!locate_surface(w, i, t, lanes, nullptr, where, inside)) return false;
            for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
                const auto l = static_cast<unsigned>(__builtin_ctz(rest));
                std::array<std::byte, kMostTexelBytes> element{};
                if ((inside >> l & 1) != 0) {
                    const PageLock hold(w.execution->pages, where.page[l]);
                    std::memcpy(element.data(), where.lane[l], i.access_bytes);
                }
                for (std::size_t k = 0; k < i.vector; ++k)
                    put(w, i.operand[k], l, element.data() + k * each, each);
            }
            return true;
        });
    return done ? Flow::next : Flow::stop;
}

Flow execute_surface_store(Warp& w, const Insn& i, Mask active) {
    const std::size_t each = i.access_bytes / i.vector;
    NewBytes values;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        for (std::size_t k = 0; k < i.vector; ++k) {
            const std::uint64_t value = each == 8 ? w.lanes<std::uint64_t>(i.operand[k])[l]
                                                  : w.lanes<std::uint32_t>(i.operand[k])[l];
            std::memcpy(values.lane[l] + k * each, &value, each);
        }
    }
    const bool done =
        each_object(w, i, active, true, i.access_bytes, [&](const Texture& t, Mask lanes) {
            HostPointers where;
            Mask inside = 0;
            if (!locate_surface(w, i, t, lanes, &values, where, inside)) return false;
            for (Mask rest = inside; rest != 0; rest &= rest - 1) {
                const auto l = static_cast<unsigned>(__builtin_ctz(rest));
                const PageLock hold(w.execution->pages, where.page[l]);
                std::memcpy(where.lane[l], values.lane[l], i.access_bytes);
            }
            return true;
        });
    return done ? Flow::next : Flow::stop;
}

/// suld.b.GEOMETRY{.v2|.v4}.TYPE.OUTSIDE {...}, [object, {...}], and sust.b with the operands the
/// other way round.
void build_surface(Encoder& e, bool is_store) {
    auto m = e.ptx.modifiers;
    if (m.size() < 4 || m[0] != "b" || e.operand_count() != 2) throw Unsupported{""};
    const GeometryName& geometry = geometry_of(m[1]);
    if (geometry.geometry == Geometry::cube || geometry.geometry == Geometry::layered_cube)
        throw Unsupported{""};
    const std::uint8_t vector = m[2] == "v2" ? 2 : m[2] == "v4" ? 4 : 1;
    if (vector != 1) m.erase(m.begin() + 2);
    static constexpr std::array<std::string_view, 3> kOutside{"trap", "clamp", "zero"};
    if (m.size() != 4) throw Unsupported{""};
    const ptx::Type type = ptx::parse_type(m[2]).value_or(ptx::Type{'u', 32});
    const auto outside = std::find(kOutside.begin(), kOutside.end(), m.back());
    if (type.kind != 'b' || type.bits > 64 || outside == kOutside.end()) throw Unsupported{""};
    const std::uint32_t bytes = type.size_bytes() * vector;
    if (bytes > kMostTexelBytes) throw Unsupported{"of this size"};
    const ptx::Operand& object = e.operand(is_store ? 0 : 1);
    const ptx::Operand& elements = e.operand(is_store ? 1 : 0);
    if (elements.kind != ptx::Operand::Kind::tuple || elements.elements.size() != vector)
        throw Unsupported{"with another number of elements"};
    const Cell cell = type.bits == 64 ? Cell::wide : Cell::word;
    place_object(e, object, geometry);
    for (std::size_t k = 0; k < vector; ++k)
        e.insn.operand[k] = is_store ? e.source_of(elements.elements[k], cell)
                                     : e.result_of(elements.elements[k], cell);
    e.insn.execute = is_store ? execute_surface_store : execute_surface_load;
    e.insn.vector = vector;
    e.insn.access_bytes = static_cast<std::uint8_t>(bytes);
    e.insn.immediate = outside - kOutside.begin();
}
void build_surface_load(Encoder& e) {
    build_surface(e, false);
}
void build_surface_store(Encoder& e) {
    build_surface(e, true);
}

}  // namespace

std::span<const BuilderRow> texture_builders() {
    static constexpr std::string_view kFile = "textures.cpp";
    static constexpr BuilderRow kBuilders[] = {{"tex", build_tex, kFile},
                                               {"tld4", build_gather, kFile},
                                               {"suld", build_surface_load, kFile},
                                               {"sust", build_surface_store, kFile}};
    return kBuilders;
}

}  // namespace vgpu

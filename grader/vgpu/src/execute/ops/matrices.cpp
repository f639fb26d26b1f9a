// Tensor core instructions: wmma.load, wmma.store, wmma.mma, mma.sync, ldmatrix, movmatrix. How a
// warp's registers hold a matrix is in matrices.h, the arithmetic in products.cpp.
//
// A wmma.load is carried out as the loads of registers that it stands for, each by all lanes: so
// it is checked and counted like any other.
#include "execute/ops/matrices.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "execute/block_barrier.h"
#include "execute/execution.h"
#include "execute/ops/table.h"

namespace vgpu {

bool meet_all(Warp& w, const Insn& i, Mask active) {
    const Mask here = converge(w, i, active, 5);
    if (here == 0) return false;
    if (here == kAllLanes) return true;
    const auto lane = static_cast<unsigned>(__builtin_ctz(here));
    Finding finding = finding_at(w, i, Check::absent_lane, lane);
    finding.occurrences = lane_count(here);
    finding.cause = cause::PartialWarp{static_cast<std::uint32_t>(__builtin_ctz(~here))};
    report(w, std::move(finding), lane);
    return true;
}

namespace {

struct Format {
    std::string_view name;
    std::uint8_t bits;
};
constexpr Format kFormats[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"f64", 64},
                               {"s8", 8},   {"u8", 8},    {"s4", 4},    {"u4", 4},
                               {"b1", 1},   {"f32", 32},  {"s32", 32}};

/// What the modifiers of a matrix instruction say, in any order.
struct MatrixForm {
    MatrixShape shape;
    std::vector<Format> formats;
    std::vector<bool> in_rows;  ///< of each matrix: row, not col
    bool clamps = false;
    std::string combination;  ///< of single bits: xor, and
};

std::optional<MatrixShape> parse_shape(std::string_view text) {
    MatrixShape shape;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (auto [letter, number] :
         {std::pair{'m', &shape.m}, std::pair{'n', &shape.n}, std::pair{'k', &shape.k}}) {
        if (at == end || *at != letter) return {};
        const auto [next, error] = std::from_chars(at + 1, end, *number);
        if (error != std::errc()) return {};
        at = next;
    }
    return at == end ? std::optional(shape) : std::nullopt;
}

/// Takes what such an instruction may say; `first` modifiers are the instruction's name.
MatrixForm take_form(Encoder& e, std::size_t first) {
    MatrixForm form;
    const auto& m = e.ptx.modifiers;
    e.insn.generic = true;
    for (std::size_t k = first; k < m.size(); ++k) {
        const auto format = std::find_if(std::begin(kFormats), std::end(kFormats),
                                         [&](const Format& f) { return f.name == m[k]; });
        if (format != std::end(kFormats)) {
            form.formats.push_back(*format);
        } else if (const auto shape = parse_shape(m[k])) {
            form.shape = *shape;
        } else if (m[k] == "row" || m[k] == "col") {
            form.in_rows.push_back(m[k] == "row");
        } else if (m[k] == "global" || m[k] == "shared" || m[k] == "shared::cta") {
            e.insn.generic = false;
            e.insn.space = m[k] == "global" ? Space::global : Space::shared;
        } else if (m[k] == "satfinite") {
            form.clamps = true;
        } else if (m[k] == "xor" || m[k] == "and") {
            form.combination = m[k];
        } else if (m[k] != "sync" && m[k] != "aligned" && m[k] != "popc" && m[k] != "rn") {
            throw Unsupported{""};
        }
    }
    const auto is_size = [](unsigned size) { return size == 8 || size == 16 || size == 32; };
    const MatrixShape& s = form.shape;
    if (!is_size(s.m) || !is_size(s.n) || s.m * s.n > kMostC || s.k == 0 || s.k > kMostA)
        throw Unsupported{""};
    return form;
}

/// Elements of A or B along a line of one block.
unsigned width_of(const Format& format) {
    return format.bits == 64 ? 4u : 128u / format.bits;
}

const ptx::Operand& element(const ptx::Operand& tuple, std::size_t index) {
    if (tuple.kind != ptx::Operand::Kind::tuple) {
        if (index == 0) return tuple;
        throw Unsupported{"with so few registers"};
    }
    if (index >= tuple.elements.size()) throw Unsupported{"with so few registers"};
    return tuple.elements[index];
}

/// Which matrix an access is of.
enum class Role : std::uint8_t { a, b, c };

Blocks blocks_of(const MatrixForm& form, Role role) {
    const Format& format = form.formats[0];
    if (role == Role::c) return form.shape.c();
    const unsigned width = width_of(format);
    if (form.shape.k % width != 0) throw Unsupported{""};
    return role == Role::a ? form.shape.a(width) : form.shape.b(width);
}

struct Registers {
    Encoder& e;
    const ptx::Operand& tuple;
    Cell cell;
    bool is_store;
    std::uint32_t operator[](std::size_t index) const {
        const auto& one = element(tuple, index);
        return is_store ? e.source_of(one, cell, true) : e.result_of(one, cell);
    }
};

/// Cuts a matrix into accesses of all lanes.
void place_parts(MatrixAccess& access, const Blocks& blocks, Role role, const Format& format,
                 const Registers& registers) {
    const unsigned per_block = role == Role::c && format.bits >= 32 ? 2 : 1;      // registers
    const unsigned each = role == Role::c ? 2 : std::max(1u, 32u / format.bits);  // elements a lane
    const unsigned width = 4 * each;
    access.step = static_cast<std::uint8_t>(each);
    access.count = static_cast<std::uint8_t>(access.lies_down ? per_block : 1);
    for (unsigned d = 0; d < blocks.down; ++d)
        for (unsigned a = 0; a < blocks.across; ++a) {
            const std::size_t first = std::size_t{blocks.number(d, a)} * per_block;
            if (access.lies_down) {
                MatrixAccess::Part part{8 * d, width * a, {}, 0};
                if (access.turns) std::swap(part.line, part.place);
                for (std::size_t r = 0; r < per_block; ++r)
                    part.registers.at(r) = registers[first + r];
                access.parts.push_back(part);
                continue;
            }
            for (unsigned j = 0; j < each; ++j) {
                const auto shift =
                    static_cast<std::uint8_t>(per_block == 2 ? 0 : j * format.bits % 64);
                access.parts.push_back({width * a + j,
                                        8 * d,
                                        {registers[per_block == 2 ? first + j : first], 0},
                                        shift});
            }
        }
    const std::size_t used = std::size_t{blocks.count()} * per_block;
    for (std::size_t r = used; !registers.is_store && r < registers.tuple.elements.size(); ++r)
        access.copies.push_back({registers[r], registers[r % used]});
}

/// Bytes of memory that a lane accesses in one part, and the register it has for them.
std::uint32_t part_bytes(const MatrixAccess& access, Role role, const Format& format) {
    if (!access.lies_down) return format.bits / 8;
    return role == Role::c ? format.bits / 4u : std::max(4u, format.bits / 8u);
}

/// wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {...}, [p], stride; and .store.d.
void build_matrix_access(Encoder& e, bool is_store) {
    const auto& m = e.ptx.modifiers;
    if (m.size() < 2) throw Unsupported{""};
    const Role role = m[1] == "a" ? Role::a : m[1] == "b" ? Role::b : Role::c;
    const MatrixForm form = take_form(e, 2);
    if (form.formats.size() != 1 || form.in_rows.size() != 1) throw Unsupported{""};
    const Format& format = form.formats[0];
    const Blocks blocks = blocks_of(form, role);
    const Cell cell = format.bits == 64 ? Cell::wide : Cell::word;
    MatrixAccess access;
    access.bits = format.bits;
    access.lies_down = (role == Role::b) != form.in_rows[0];
    if (format.bits == 16 && !access.lies_down) access.lies_down = access.turns = true;
    if (format.bits < 8 && !access.lies_down) throw Unsupported{""};
    place_parts(access, blocks, role, format, {e, e.operand(is_store ? 1 : 0), cell, is_store});
    const std::uint32_t bytes = part_bytes(access, role, format);
    if (access.turns || (!access.lies_down && format.bits < 32))
        access.as_stored = e.scratch(Cell::word);
    const Value in_memory = register_value(bytes / access.count),
                in_register = register_value(lane_bytes(cell));
    access.execute = handler(is_store ? Form{Job::store, in_memory, in_register}
                                      : Form{Job::load, in_register, in_memory});
    e.address(e.operand(is_store ? 0 : 1), 4);
    access.at = e.scratch(Cell::wide);
    const MatrixShape& s = form.shape;
    const unsigned least = role == Role::a   ? (form.in_rows[0] ? s.k : s.m)
                           : role == Role::b ? (form.in_rows[0] ? s.n : s.k)
                                             : (form.in_rows[0] ? s.n : s.m);
    access.stride = e.operand_count() > 2 ? e.source_of(e.operand(2), Cell::word)
                                          : e.constant(Cell::word, least);
    e.insn.access_bytes = static_cast<std::uint8_t>(bytes);
    e.insn.access = e.image.accesses;
    e.image.accesses += static_cast<std::uint32_t>(access.parts.size());
    e.insn.target = static_cast<std::uint32_t>(e.image.matrices.size());
    e.image.matrices.push_back(std::move(access));
}

/// Where a matrix lies, as each lane says. Read before the first part is loaded: a result may share
/// the address's register.
struct Origin {
    std::array<std::uint64_t, kWarpSize> base;
    std::array<std::uint32_t, kWarpSize> stride;
};
Origin origin_of(const Warp& w, const Insn& i, const MatrixAccess& access) {
    Origin origin;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const std::uint64_t base =
            i.wide_address
                ? w.lanes<std::uint64_t>(i.operand[4])[l]
                : static_cast<std::uint64_t>(std::int64_t{w.lanes<std::int32_t>(i.operand[4])[l]});
        origin.base[l] = base + static_cast<std::uint64_t>(i.immediate);
        origin.stride[l] = w.lanes<std::uint32_t>(access.stride)[l];
    }
    return origin;
}

/// Where each lane's elements of a part lie.
void find_part(const Warp& w, const Origin& origin, const MatrixAccess& access,
               const MatrixAccess::Part& part) {
    auto* at = w.lanes<std::uint64_t>(access.at);
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const std::uint64_t fourth = std::uint64_t{place_of(l)} * access.step;
        const std::uint64_t line = part.line + (access.lies_down ? line_of_lane(l) : fourth);
        const std::uint64_t place = part.place + (access.lies_down ? fourth : line_of_lane(l));
        at[l] = origin.base[l] + (line * origin.stride[l] + place) * access.bits / 8;
    }
}

/// Of a block of 8 x 8 halves.
void transpose(const std::uint32_t* from, std::uint32_t* to, Mask active) {
    std::array<std::uint32_t, kWarpSize> turned;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const unsigned first = 8 * place_of(l) + line_of_lane(l) / 2,
                       shift = 16 * (line_of_lane(l) % 2);
        turned[l] = (from[first] >> shift & 0xffff) | from[first + 4] >> shift << 16;
    }
    for (unsigned l = 0; l < kWarpSize; ++l)
        if ((active >> l & 1) != 0) to[l] = turned[l];
}

template <bool is_store>
Flow execute_matrix_access(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const MatrixAccess& access = w.execution->image.matrices[i.target];
    // It waits until all lanes are here: what they wrote before, all may load.
    note_warp_sync(w, active);
    const Origin origin = origin_of(w, i, access);
    Insn one = i;
    one.operand[4] = access.at;
    one.wide_address = true;
    one.immediate = 0;
    one.vector = access.count;
    one.counted_bytes = one.access_bytes;
    for (const auto& part : access.parts) {
        find_part(w, origin, access, part);
        std::copy(part.registers.begin(), part.registers.end(), one.operand.begin());
        if (access.as_stored != 0) one.operand[0] = access.as_stored;
        auto* stored = w.lanes<std::uint32_t>(one.operand[0]);
        auto* whole = w.lanes<std::uint32_t>(part.registers[0]);
        if (is_store && access.turns) transpose(whole, stored, kAllLanes);
        if (is_store && access.as_stored != 0 && !access.turns)
            for (unsigned l = 0; l < kWarpSize; ++l) stored[l] = whole[l] >> part.shift;
        if (const Flow flow = access.execute(w, one, active); flow != Flow::next) return flow;
        ++one.access;
        if (is_store || access.as_stored == 0) continue;
        if (access.turns) {
            transpose(stored, whole, active);
            continue;
        }
        for (Mask rest = active; rest != 0; rest &= rest - 1) {
            const int l = __builtin_ctz(rest);
            whole[l] = (part.shift == 0 ? 0 : whole[l]) | stored[l] << part.shift;
        }
    }
    for (const auto& [to, from] : access.copies)
        for (Mask rest = active; rest != 0; rest &= rest - 1)
            w.lanes<std::uint32_t>(to)[__builtin_ctz(rest)] =
                w.lanes<std::uint32_t>(from)[__builtin_ctz(rest)];
    return Flow::next;
}

/// Appends the registers of a matrix of products to a list.
void append_registers(Encoder& e, std::vector<std::uint32_t>& list, const ptx::Operand& tuple,
                      std::size_t count, Cell cell, bool is_result = false) {
    for (std::size_t r = 0; r < count; ++r)
        list.push_back(is_result ? e.result_of(element(tuple, r), cell)
                                 : e.source_of(element(tuple, r), cell, true));
}

/// d, a, b, c; the formats in that order, or, of wmma with halves, those of d and c alone.
void build_product(Encoder& e, std::size_t first) {
    MatrixForm form = take_form(e, first);
    auto& f = form.formats;
    if (f.size() == 2) f = {f[0], kFormats[0], kFormats[0], f[1]};
    if (f.size() != 4 || e.operand_count() != 4) throw Unsupported{""};
    std::string name = "product";
    for (const std::size_t k : std::initializer_list<std::size_t>{1, 2, 3, 0})
        name.append(":").append(f[k].name);
    if (form.clamps && f[0].name == "s32") name += ":satfinite";
    if (!form.combination.empty()) name += ":" + form.combination;
    if (f[1].bits == 1 && form.combination.empty()) name += ":xor";
    e.insn.execute = row(name).execute;

    const unsigned width = width_of(f[1]);
    if (form.shape.k % width != 0 || f[1].bits != f[2].bits) throw Unsupported{""};
    const unsigned steps = form.shape.k / (f[1].bits == 1 ? kBitsAStep : 1);
    if (form.shape.m * steps > kMostA || steps * form.shape.n > kMostB) throw Unsupported{""};
    std::vector<std::uint32_t> list{form.shape.m, form.shape.n, steps};
    const Cell cell = f[1].bits == 64 ? Cell::wide : Cell::word;
    const auto results = [&](const Format& format) {
        return std::size_t{form.shape.c().count()} * (format.bits == 16 ? 1 : 2);
    };
    append_registers(e, list, e.operand(1), form.shape.a(width).count(), cell);
    append_registers(e, list, e.operand(2), form.shape.b(width).count(), cell);
    append_registers(e, list, e.operand(3), results(f[3]), cell);
    append_registers(e, list, e.operand(0), results(f[0]), cell, true);
    e.insn.operand[5] = e.constant(Cell::word, kAllLanes);
    e.insn.target = static_cast<std::uint32_t>(e.image.operand_lists.size());
    e.image.operand_lists.push_back(std::move(list));
}

void build_mma(Encoder& e) {
    build_product(e, 0);
}
void build_wmma(Encoder& e) {
    const auto& m = e.ptx.modifiers;
    if (m.empty()) throw Unsupported{""};
    if (m[0] == "mma") return build_product(e, 1);
    if (m[0] == "load") e.insn.execute = execute_matrix_access<false>;
    if (m[0] == "store") e.insn.execute = execute_matrix_access<true>;
    if (!e.insn.execute) throw Unsupported{""};
    build_matrix_access(e, m[0] == "store");
}

/// Element `column` of the line of 8 halves that `lane` has loaded.
std::uint32_t half_of(const std::uint64_t* low, const std::uint64_t* high, unsigned lane,
                      unsigned column) {
    return static_cast<std::uint32_t>((column < 4 ? low : high)[lane] >> 16 * (column % 4)) &
           0xffff;
}

/// Lane 8q + r gives the address of row r of matrix q: eight halves. Operands: [0] to [3] what each
/// lane gets, [4] the address, [5] all lanes. Insn::target: the first of two scratch registers, for
/// the rows; Insn::reconvergence: the second; Insn::vector: matrices; Insn::option: transposed.
Flow execute_ldmatrix(Warp& w, const Insn& i, Mask active) {
    static const Handler load = handler({Job::load, register_value(8), register_value(8)});
    if (active == 0) return Flow::next;
    if (!meet_all(w, i, active)) return Flow::wait;
    Insn one = i;
    one.kind = Kind::load;
    one.operand[0] = i.target;
    one.operand[1] = i.reconvergence;
    one.vector = 2;
    one.counted_bytes = one.access_bytes;
    const Mask rows = i.vector == 4 ? kAllLanes : (Mask{1} << 8 * i.vector) - 1;
    if (const Flow flow = load(w, one, rows & w.live); flow != Flow::next) return flow;
    const auto* low = w.lanes<std::uint64_t>(i.target);
    const auto* high = w.lanes<std::uint64_t>(i.reconvergence);
    for (unsigned q = 0; q < i.vector; ++q)
        for (unsigned l = 0; l < kWarpSize; ++l) {
            std::uint32_t pair = 0;
            for (unsigned j = 0; j < 2; ++j) {
                const unsigned place = 2 * place_of(l) + j;
                const unsigned line = i.option != 0 ? place : line_of_lane(l);
                const unsigned column = i.option != 0 ? line_of_lane(l) : place;
                pair |= half_of(low, high, 8 * q + line, column) << 16 * j;
            }
            w.lanes<std::uint32_t>(i.operand[q])[l] = pair;
        }
    return Flow::next;
}

/// ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {...}, [p];
void build_ldmatrix(Encoder& e) {
    e.insn.space = Space::shared;
    e.insn.generic = true;
    bool is_halves = false;
    for (const auto& m : e.ptx.modifiers) {
        if (m == "x1" || m == "x2" || m == "x4")
            e.insn.vector = static_cast<std::uint8_t>(m[1] - '0');
        else if (m == "trans")
            e.insn.option = 1;
        else if (m == "shared" || m == "shared::cta")
            e.insn.generic = false;
        else if (m == "b16")
            is_halves = true;
        else if (m != "sync" && m != "aligned" && m != "m8n8")
            throw Unsupported{""};
    }
    if (!is_halves) throw Unsupported{""};
    e.insn.execute = execute_ldmatrix;
    for (std::size_t q = 0; q < e.insn.vector; ++q)
        e.insn.operand[q] = e.result_of(element(e.operand(0), q), Cell::word);
    e.address(e.operand(1), 4);
    e.insn.operand[5] = e.constant(Cell::word, kAllLanes);
    e.insn.target = e.scratch(Cell::wide);
    e.insn.reconvergence = e.scratch(Cell::wide);
    e.insn.access_bytes = 16;
    e.insn.access = e.image.accesses++;
}

/// Transposes 8 x 8 halves in registers. Operands: [0] result, [1] source, [5] all lanes.
Flow execute_movmatrix(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    if (!meet_all(w, i, active)) return Flow::wait;
    transpose(w.lanes<std::uint32_t>(i.operand[1]), w.lanes<std::uint32_t>(i.operand[0]),
              kAllLanes);
    return Flow::next;
}

/// movmatrix.sync.aligned.m8n8.trans.b16 d, a;
void build_movmatrix(Encoder& e) {
    if (e.ptx.modifiers != std::vector<std::string>{"sync", "aligned", "m8n8", "trans", "b16"})
        throw Unsupported{""};
    e.insn.execute = execute_movmatrix;
    e.result(0, Cell::word);
    e.source(1, Cell::word);
    e.insn.operand[5] = e.constant(Cell::word, kAllLanes);
}

}  // namespace

std::span<const BuilderRow> matrix_builders() {
    static constexpr std::string_view kFile = "matrices.cpp";
    static constexpr BuilderRow kBuilders[] = {{"mma", build_mma, kFile},
                                               {"wmma", build_wmma, kFile},
                                               {"ldmatrix", build_ldmatrix, kFile},
                                               {"movmatrix", build_movmatrix, kFile}};
    return kBuilders;
}

}  // namespace vgpu

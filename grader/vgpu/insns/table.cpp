// Looks instructions up. See table.h.
#include "vgpu/insns/table.h"

#include <fmt/format.h>

#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "vgpu/insns/atomic_places.h"
#include "vgpu/insns/families.h"

namespace vgpu {
namespace {

struct Family {
    Rows rows;
    std::string_view file;
};

#define VGPU_FAMILIES_OF(ISA)                                                                     \
    std::vector<Family> {                                                                         \
        {ISA::integer_rows(), "integer.cpp"}, {ISA::bits_rows(), "bits.cpp"},                     \
            {ISA::floating_rows(), "floating.cpp"}, {ISA::approximate_rows(), "approximate.cpp"}, \
            {ISA::half_rows(), "half.cpp"}, {ISA::fp8_rows(), "fp8.cpp"},                         \
            {ISA::compare_rows(), "compare.cpp"}, {ISA::convert_rows(), "convert.cpp"},           \
            {ISA::move_rows(), "move.cpp"}, {ISA::memory_rows(), "memory.cpp"}, {                 \
            ISA::product_rows(), "products.cpp"                                                   \
        }                                                                                         \
    }

#ifdef VGPU_WIDE_ISAS
enum class HostIsa { baseline, avx2, avx512 };

/// The best instruction set that this computer has; VGPU_HOST_ISA asks for a lesser one
/// ("baseline", "avx2"), so that tests can try all on one machine.
HostIsa host_isa() {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    const char* asked = std::getenv("VGPU_HOST_ISA");
    const std::string_view most = asked ? asked : "avx512";
    if (avx512 && most == "avx512") return HostIsa::avx512;
    if (avx2 && most != "baseline") return HostIsa::avx2;
    return HostIsa::baseline;
}

/// What `OF` makes of the namespace that is compiled for this computer.
#define VGPU_FOR_HOST(OF)        \
    switch (host_isa()) {        \
        case HostIsa::avx512:    \
            return OF(avx512);   \
        case HostIsa::avx2:      \
            return OF(avx2);     \
        case HostIsa::baseline:  \
            return OF(baseline); \
    }                            \
    return OF(baseline)
#else
#define VGPU_FOR_HOST(OF) return OF(baseline)
#endif

std::vector<Family> families() {
    VGPU_FOR_HOST(VGPU_FAMILIES_OF);
}

std::string_view base_of(std::string_view name) {
    return name.substr(0, name.find_first_of(".:"));
}

struct Table {
    std::unordered_map<std::string_view, const Row*> rows;
    std::unordered_map<std::string_view, const BuilderRow*> builders;
    std::unordered_map<std::string_view, std::string_view> files;  // of each opcode

    Table() {
        for (const auto& family : families()) {
            for (const Row& row : family.rows) {
                rows.emplace(row.name, &row);
                files.emplace(base_of(row.name), family.file);
            }
        }
        for (const auto list :
             {move_builders(), compare_builders(), convert_builders(), carry_builders(),
              access_builders(), atomic_builders(), copy_builders(), control_builders(),
              call_builders(), barrier_builders(), exchange_builders(), texture_builders(),
              mbarrier_builders(), matrix_builders()})
            for (const BuilderRow& builder : list) {
                builders.emplace(builder.opcode, &builder);
                files.insert_or_assign(base_of(builder.opcode), builder.file);
            }
    }
};

const Table& table() {
    static const Table instance;
    return instance;
}

Accepts needed(const Modifiers& m) {
    using R = Modifiers::Rounding;
    return static_cast<Accepts>((m.rounding == R::none ? 0
                                 : m.rounding <= R::rp ? kRounding
                                                       : kIntegerRounding) |
                                (m.flush_subnormals ? kFlush : 0) | (m.saturate ? kSaturate : 0));
}

}  // namespace

PlaceAtomics atomic_places() {
#define VGPU_PLACES_OF(ISA) ISA::place_atomics
    VGPU_FOR_HOST(VGPU_PLACES_OF);
}

bool take_modifier(Modifiers& modifiers, std::string_view name) {
    using R = Modifiers::Rounding;
    static const std::unordered_map<std::string_view, R> kRoundings{
        {"rn", R::rn},   {"rz", R::rz},   {"rm", R::rm},   {"rp", R::rp},
        {"rni", R::rni}, {"rzi", R::rzi}, {"rmi", R::rmi}, {"rpi", R::rpi}};
    if (const auto found = kRoundings.find(name); found != kRoundings.end())
        return modifiers.rounding = found->second, true;
    if (name == "ftz") return modifiers.flush_subnormals = true;
    if (name == "sat") return modifiers.saturate = true;
    return false;
}

const Row& row(std::string_view name) {
    const auto found = table().rows.find(name);
    if (found == table().rows.end()) throw Unsupported{""};
    return *found->second;
}

void apply(Encoder& e, const Row& row) {
    if (e.operand_count() != row.shape.count) throw Unsupported{"with this number of operands"};
    e.insn.execute = row.execute;
    for (std::size_t i = 0; i < row.shape.count; ++i) {
        if (i == 0)
            e.result(0, row.shape.cells[0]);
        else
            e.source(i, row.shape.cells[i], (row.shape.floats >> i & 1) != 0);
    }
}

void build(Encoder& e) {
    const std::string opcode = e.ptx.opcode + (e.ptx.has("cc") ? ".cc" : "");
    if (const auto found = table().builders.find(opcode); found != table().builders.end())
        return found->second->build(e);
    if (const auto found = table().builders.find(e.ptx.opcode); found != table().builders.end())
        return found->second->build(e);
    std::string name = e.ptx.opcode;
    for (const auto& modifier : e.ptx.modifiers)
        if (!take_modifier(e.insn.modifiers, modifier)) name += "." + modifier;
    // Where a modifier makes another instruction of it, the row says so after a colon.
    const Modifiers& m = e.insn.modifiers;
    for (const std::string& special : {name + ":sat", name + ":ftz"}) {
        const bool said = special.ends_with(":sat") ? m.saturate : m.flush_subnormals;
        if (said && table().rows.contains(special)) return apply(e, row(special));
    }
    const Row& found = row(name);
    if ((needed(m) & ~found.accepts) != 0) throw Unsupported{""};
    apply(e, found);
}

std::string file_for(std::string_view opcode) {
    const auto found = table().files.find(opcode);
    if (found != table().files.end()) return fmt::format("grader/vgpu/insns/{}", found->second);
    return fmt::format("grader/vgpu/insns/{}.cpp (a new file)", opcode);
}

}  // namespace vgpu

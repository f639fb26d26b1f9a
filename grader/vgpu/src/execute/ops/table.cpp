// Looks instructions up. See table.h.
#include "execute/ops/table.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "execute/ops/atomic_places.h"
#include "execute/ops/families.h"
#include "execute/special_registers.h"
#include "vgpu/host_isa.h"

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
            {ISA::move_rows(), "move_ops.cpp"}, {                                                 \
            ISA::product_rows(), "products.cpp"                                                   \
        }                                                                                         \
    }

/// What is compiled for one instruction set of the host.
struct CompiledIsa {
    HostIsa isa;
    std::vector<Family> (*families)();
    std::array<FormRows, 4> forms;
    PlaceAtomics place_atomics;
};

/// Best first, as HostIsa.cmake lists them.
const CompiledIsa kCompiled[] = {
#define VGPU_ISA(ISA)                                                                    \
    {HostIsa::ISA,                                                                       \
     []() -> std::vector<Family> { return VGPU_FAMILIES_OF(ISA); },                      \
     {ISA::access_forms(), ISA::move_forms(), ISA::convert_forms(), ISA::carry_forms()}, \
     ISA::place_atomics},
#include "execute/ops/compiled_isas.inc"
#undef VGPU_ISA
};

/// The best that this processor has. VGPU_HOST_ISA asks for a lesser one ("baseline", "avx2"), so
/// that tests can try all on one machine.
const CompiledIsa& choose_isa() {
    const char* const asked = std::getenv("VGPU_HOST_ISA");
    const CompiledIsa* best = nullptr;
    std::string names;
    for (const CompiledIsa& compiled : kCompiled) {
        names += fmt::format(" {}", to_string(compiled.isa));
        if (!has_isa(compiled.isa)) continue;
        if (best == nullptr || asked != nullptr) best = &compiled;
        if (asked == nullptr || to_string(compiled.isa) == asked) break;
    }
    if (best != nullptr) return *best;
    throw std::runtime_error(
        fmt::format("The virtual GPU was built for processors with{}, which this one lacks. Run "
                    "./lab grade: it "
                    "builds what this processor needs.",
                    names));
}

const CompiledIsa& host_isa() {
    static const CompiledIsa& chosen = choose_isa();
    return chosen;
}

std::string_view base_of(std::string_view name) {
    return name.substr(0, name.find_first_of(".:"));
}

struct Table {
    std::unordered_map<std::string_view, const Row*> rows;
    std::unordered_map<std::uint64_t, Handler> forms;  // by Form::key()
    std::unordered_map<std::string_view, const BuilderRow*> builders;
    std::unordered_map<std::string_view, std::string_view> files;  // of each opcode

    Table() {
        for (const auto& family : host_isa().families()) {
            for (const Row& row : family.rows) {
                rows.emplace(row.name, &row);
                files.emplace(base_of(row.name), family.file);
            }
        }
        for (const FormRows& rows_of_family : host_isa().forms)
            for (const FormRow& row : rows_of_family) forms.emplace(row.form.key(), row.execute);
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

void require_host_isa() {
    host_isa();
}

PlaceAtomics atomic_places() {
    return host_isa().place_atomics;
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

Handler handler(const Form& form) {
    const auto found = table().forms.find(form.key());
    if (found == table().forms.end()) throw Unsupported{""};
    return found->second;
}

Handler move_handler(Cell cell) {
    return handler({Job::move, register_value(lane_bytes(cell)), {}, 1});
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

namespace {

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
    if (found != table().files.end())
        return fmt::format("grader/vgpu/src/execute/ops/{}", found->second);
    return fmt::format("grader/vgpu/src/execute/ops/{}.cpp (a new file)", opcode);
}

}  // namespace

const InstructionSet& instruction_set() {
    static const InstructionSet set{build, file_for, special_register, unsupported_handler(),
                                    undefined_function_handler()};
    return set;
}

}  // namespace vgpu

// Decoding: lay out memory and registers of the kernel's functions, then encode each instruction.
#include "decode/decode.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_set>

#include "decode/call_graph.h"
#include "decode/clock_loops.h"
#include "decode/demangle.h"
#include "decode/encoder.h"
#include "decode/load_coalescing.h"
#include "decode/loop_slice.h"
#include "decode/named_registers.h"

namespace vgpu {
namespace {

/// Local memory of threads whose functions call themselves, or use alloca; chosen: eight times
/// CUDA's default stack, since frames here are not optimised by ptxas.
constexpr std::uint32_t kRecursionBytes = 8192;
/// The compiler's limit; more must be asked for at launch.
constexpr std::uint32_t kMostStaticShared = 48 << 10;
/// Of a kernel, since CUDA 12.1 and for sm_70 and newer.
constexpr std::uint32_t kMostParameters = 32764;
/// Chosen: what a call takes of a GPU's stack even if the function keeps nothing there.
constexpr std::uint32_t kLeastFrame = 16;

/// What a GPU keeps for CUDA at the begin of each block's shared memory (1 KiB since sm_80). Here
/// only kernels have it that ask where it is: cooperative groups of several warps meet there.
const ptx::Variable kReservedShared = [] {
    ptx::Variable variable;
    variable.name = "what CUDA reserves";
    variable.space = ptx::StateSpace::shared;
    variable.type = {'b', 64};
    variable.is_array = true;
    variable.array_length = 128;
    return variable;
}();

/// What a CallGraph puts at the end of each function.
const ptx::Instruction kReturn = [] {
    ptx::Instruction instruction;
    instruction.opcode = "ret";
    return instruction;
}();

class Decoder {
public:
    Decoder(const ptx::Module& module, const ptx::Function& kernel, const ModuleSymbols& symbols,
            const InstructionSet& instructions)
        : module_(module),
          symbols_(symbols),
          instructions_(instructions),
          graph_(module, kernel),
          plans_(graph_.plans),
          has_alloca_(graph_.has_alloca) {
        image_.name = kernel.name;
        image_.demangled = demangle(kernel.name);
        image_.module = &module;
        for (const auto& name : graph_.with_address)
            image_.callees.push_back({name, *function_address(module, name), 0, 0, {}});
        std::sort(image_.callees.begin(), image_.callees.end(),
                  [](const auto& a, const auto& b) { return a.address < b.address; });
    }

    Image decode() {
        describe_kernel();
        lay_out_shared();
        collect_symbols();
        for (auto& plan : plans_) lay_out(*plan);
        image_.all_true = append(64);
        image_.all_false = append(64);
        image_.carry = append(64);
        image_.frame = append(256);
        image_.cleared.push_back({0, image_.frame, 256});
        if (has_alloca_) {
            image_.stack_top = append(256);
            image_.specials.push_back(
                {image_.stack_top, 8, instructions_.special_register("%local_end")});
        }
        for (auto& plan : plans_) encode(*plan);
        connect_calls();
        size_local_memory();
        return std::move(image_);
    }

private:
    std::uint32_t append(std::uint64_t bytes) { return take_registers(image_, bytes); }

    void describe_kernel() {
        const FunctionPlan& kernel = *plans_[0];
        KernelInfo& info = image_.info;
        info.name = image_.name;
        Layout layout;
        for (const auto& parameter : kernel.function.parameters) {
            const std::uint32_t at = layout.place(parameter);
            info.parameters.push_back({at, static_cast<std::uint32_t>(parameter.size_bytes())});
        }
        info.parameter_bytes = layout.bytes();
        require_at_most(kMostParameters, layout.bytes(), "of parameters");
        // ptxas adds some of its own; two hold the stack and a base address. An estimate, no more.
        for (const auto& plan : plans_)
            info.registers_estimate =
                std::max(info.registers_estimate, plan->registers.pressure + 2);
        const auto threads = [](const std::uint32_t(&n)[3]) {
            return std::uint64_t{n[0]} * std::max(n[1], 1u) * std::max(n[2], 1u);
        };
        const auto limit = std::max(threads(kernel.function.required_threads),
                                    threads(kernel.function.max_threads));
        if (limit != 0)
            info.max_threads_per_block =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(limit, 1024));
        for (const auto& instruction : kernel.function.body) {
            const auto& frames = module_.sources[instruction.source];
            if (frames.empty() || frames.back().file >= module_.files.size()) continue;
            image_.file = module_.files[frames.back().file];
            break;
        }
    }

    static void mention(const ptx::Operand& operand, std::set<std::string>& names) {
        names.insert(operand.kind == ptx::Operand::Kind::address ? operand.address.base
                                                                 : operand.text);
        for (const auto& element : operand.elements) mention(element, names);
    }

    void lay_out_shared() {
        std::set<std::string> names;
        for (const auto& plan : plans_)
            for (const auto& instruction : plan->function.body)
                for (const auto& operand : instruction.operands) mention(operand, names);
        Layout layout;
        if (std::any_of(names.begin(), names.end(), [](const std::string& name) {
                return name.starts_with("%reserved_smem_offset");
            })) {
            const std::uint32_t at = layout.place(kReservedShared);
            image_.reserved_shared_bytes = layout.bytes();
            image_.shared_variables.push_back({at, layout.bytes(), kReservedShared.name});
        }
        std::vector<const ptx::Variable*> dynamic;
        const auto consider = [&](const ptx::Variable& variable) {
            if (variable.space != ptx::StateSpace::shared) return;
            if (variable.is_extern || (variable.is_array && variable.array_length == 0)) {
                dynamic.push_back(&variable);
                return;
            }
            if (!names.contains(variable.name)) return;
            place_shared(variable, layout.place(variable));
        };
        for (const auto& variable : module_.variables) consider(variable);
        for (const auto& plan : plans_)
            for (const auto& variable : plan->function.variables) consider(variable);
        image_.static_shared_bytes = image_.info.static_shared_bytes =
            layout.bytes() - image_.reserved_shared_bytes;
        require_at_most(kMostStaticShared, image_.static_shared_bytes, "of __shared__ variables");
        // Dynamic shared memory begins behind the static one; 16 bytes are what CUDA promises.
        std::uint32_t align = 16;
        for (const auto* variable : dynamic)
            if (names.contains(variable->name)) align = std::max(align, alignment(*variable));
        image_.dynamic_shared_offset = align_up(layout.bytes(), align);
        for (const auto* variable : dynamic)
            if (names.contains(variable->name))
                place_shared(*variable, image_.dynamic_shared_offset);
    }

    void place_shared(const ptx::Variable& variable, std::uint32_t at) {
        module_symbols_[variable.name] = {Space::shared, at, false};
        std::string name = demangle(variable.name);  // "kernel(float*)::tile" -> "tile"
        if (const auto colon = name.rfind("::"); colon != std::string::npos)
            name = name.substr(colon + 2);
        const auto size = variable.is_extern ? 0 : variable.size_bytes();
        image_.shared_variables.push_back({at, size, std::move(name)});
    }

    /// What all functions know by name, beside shared variables.
    void collect_symbols() {
        for (const auto& [name, variable] : symbols_.variables)
            module_symbols_.try_emplace(
                name, Symbol{variable.is_constant ? Space::constant : Space::global,
                             variable.address, false});
        for (const auto& function : module_.functions)
            if (const auto address = function_address(module_, function.name))
                module_symbols_.try_emplace(function.name, Symbol{Space::global, *address, false});
    }

    /// Frame, registers and names of a function.
    void lay_out(FunctionPlan& plan) {
        const ptx::Function& function = plan.function;
        Scope& scope = plan.scope;
        scope.instructions = &instructions_;
        scope.function = &function;
        scope.flow = &plan.flow;
        scope.module_symbols = &module_symbols_;

        Layout frame;
        const bool in_frame = !function.is_entry;
        if (function.is_entry) {
            for (std::size_t i = 0; i < function.parameters.size(); ++i)
                scope.symbols[function.parameters[i].name] = {
                    Space::parameter, image_.info.parameters[i].offset_bytes, false};
        } else {
            signature(function.parameters, function.results, frame);
            if (has_alloca_) frame.place(kStackTop);
            const auto name_places = [&](const auto& variables, const auto& places) {
                for (std::size_t i = 0; i < variables.size(); ++i)
                    scope.symbols[variables[i].name] = {Space::local, places[i].at, true};
            };
            name_places(function.parameters, plan.signature.parameters);
            name_places(function.results, plan.signature.results);
        }
        for (const auto& variable : function.variables) {
            if (variable.space != ptx::StateSpace::local &&
                variable.space != ptx::StateSpace::param)
                continue;
            scope.symbols[variable.name] = {Space::local, frame.place(variable), in_frame};
        }
        plan.used_bytes = frame.bytes();
        plan.frame_bytes = scope.frame_bytes = align_up(frame.bytes(), 16);

        const RegisterPlan& registers = plan.registers;
        plan.registers_begin = append(align_up(registers.predicates * 4, 64));
        plan.words_at = append(std::uint64_t{registers.words} * register_bytes(Cell::word));
        plan.wides_at = append(std::uint64_t{registers.wides} * register_bytes(Cell::wide));
        plan.registers_end = image_.register_bytes;
        for (const auto& [name, r] : registers.registers) {
            const std::uint32_t begin = r.cell == Cell::predicate ? plan.registers_begin
                                        : r.cell == Cell::word    ? plan.words_at
                                                                  : plan.wides_at;
            const std::uint32_t at = begin + r.slot * register_bytes(r.cell);
            scope.registers[name] = {r.cell, at};
            if (r.read_before_written) image_.cleared.push_back({0, at, register_bytes(r.cell)});
        }
        // Names that never hold a value still need a place, as a result nobody reads.
        for (const auto& [name, cell] : named_registers(function))
            scope.registers.try_emplace(name, cell, 0);
        scope.first = next_pc_;
        next_pc_ += static_cast<std::uint32_t>(function.body.size());
        image_.functions.push_back({function.name, scope.first});
    }

    /// Registers whose value does something else than go to the stack, to a called function, or
    /// into a choice between two.
    static std::unordered_set<std::string_view> used_registers(const ptx::Function& function) {
        std::unordered_set<std::string_view> used;
        const auto use = [&](const ptx::Operand& operand, const auto& again) -> void {
            used.insert(operand.kind == ptx::Operand::Kind::address ? operand.address.base
                                                                    : operand.text);
            for (const auto& element : operand.elements) again(element, again);
        };
        for (const auto& instruction : function.body) {
            const bool has_result = instruction.opcode == "ld";
            const auto& all = instruction.operands;
            const bool to_stack = instruction.opcode == "st" && !all.empty() &&
                                  (all[0].address.base == "%SP" || all[0].address.base == "%SPL" ||
                                   instruction.has("param"));
            if (to_stack) continue;
            // What selp may choose it need not: the compiler reads a variable on the stack early,
            // and drops the value where the source does not read it.
            if (instruction.opcode == "selp" && all.size() == 4) {
                use(all[3], use);
                continue;
            }
            for (std::size_t i = has_result ? 1 : 0; i < all.size(); ++i) use(all[i], use);
        }
        return used;
    }

    static bool copies_object(const ptx::Instruction& instruction,
                              const std::unordered_set<std::string_view>& used) {
        if (instruction.opcode != "ld" || instruction.operands.empty()) return false;
        const auto& to = instruction.operands[0];
        return !used.contains(to.text) &&
               std::none_of(to.elements.begin(), to.elements.end(),
                            [&](const auto& element) { return used.contains(element.text); });
    }

    void encode(FunctionPlan& plan) {
        for (const auto& instruction : module_.function(plan.function.name)->body)
            image_.instructions.push_back(&instruction);
        image_.instructions.push_back(&kReturn);
        const auto used = used_registers(plan.function);
        std::set<std::string_view> reads;  // found when an atomic needs it
        for (const auto& instruction : plan.function.body) {
            Insn& insn = image_.code.emplace_back();
            insn.pc = static_cast<std::uint32_t>(image_.code.size() - 1);
            insn.guard = image_.all_true;
            insn.used_bytes = instruction.used_bytes;
            insn.kind = kind_of(instruction);
            insn.access = image_.accesses;
            if (insn.kind == Kind::load || insn.kind == Kind::store || insn.kind == Kind::atomic ||
                insn.kind == Kind::copy || instruction.opcode == "mbarrier")
                ++image_.accesses;
            if (copies_object(instruction, used)) insn.option = kCopiesObject;
            if (insn.kind == Kind::atomic) {
                if (reads.empty()) reads = read_registers(plan.function);
                insn.reduces = is_reduction(instruction, reads);
                insn.overwrites = overwrites(instruction, reads);
                insn.accumulates = accumulates(instruction, reads);
            }
            image_.sources.push_back(instruction.source);
            image_.pipes.push_back(pipe_of(instruction));
            image_.pipe_uses.push_back(pipe_uses(instruction));
            image_.flops.push_back(flop_of(instruction));
            image_.folded.push_back(is_folded(instruction) ? 1 : 0);
            Encoder encoder(image_, plan.scope, instruction, insn);
            try {
                instructions_.build(encoder);
            } catch (const Unsupported& unsupported) {
                insn.execute = instructions_.unsupported;
                std::string what = instruction.full_opcode();
                if (!unsupported.reason.empty()) what += " " + unsupported.reason;
                image_.impossible[insn.pc] = fmt::format(
                    "{} is to be added in {}", what, instructions_.file_for(instruction.opcode));
            } catch (const UndefinedFunction& undefined) {
                insn.execute = instructions_.undefined_function;
                image_.impossible[insn.pc] = demangle(undefined.name);
            }
            insn.counted_bytes = insn.access_bytes;
            if (instruction.guard.empty()) continue;
            const auto guard = plan.scope.registers.find(instruction.guard);
            if (guard == plan.scope.registers.end())
                throw Error(fmt::format("PTX line {}: no predicate '{}' in function {}",
                                        instruction.ptx_line, instruction.guard,
                                        plan.function.name));
            insn.guard = guard->second.second;
            insn.guard_flip = instruction.guard_negated ? kAllLanes : 0;
        }
        call_owner_.resize(image_.calls.size(), &plan);
        image_.depends_on_order |= depends_on_order(plan.function);
        image_.allocates |= allocates(plan.function);
        find_stretches(plan);
        find_clock_loops(image_, plan.scope.first,
                         plan.scope.first + static_cast<std::uint32_t>(plan.function.body.size()));
        find_loop_slices(image_, plan.scope);
        coalesce_shared_loads(image_, plan.scope);
    }

    /// Within a basic block, instructions run straight on up to the first that may move the paths.
    void find_stretches(const FunctionPlan& plan) {
        for (const auto& node : plan.flow.nodes) {
            std::uint32_t stretch = 0;
            for (auto i = node.end; i-- > node.begin;) {
                Insn& insn = image_.code[plan.scope.first + i];
                insn.stretch = stretch = moves_paths(insn.kind) ? 1 : stretch + 1;
            }
        }
    }

    void connect_calls() {
        for (Callee& callee : image_.callees) {
            const FunctionPlan& plan = *graph_.plan_of(callee.name);
            callee.entry = plan.scope.first;
            callee.frame_bytes = plan.used_bytes;
            callee.signature = plan.signature;
        }
        for (std::size_t i = 0; i < image_.calls.size(); ++i) {
            CallSite& site = image_.calls[i];
            const FunctionPlan& caller = *call_owner_[i];
            const auto connect = [&](const Signature& signature) {
                site.frame_bytes = caller.frame_bytes;
                if (has_alloca_) site.stack_top_at = align_up(signature.end, alignment(kStackTop));
                const auto pair_up = [](auto& copies, const auto& places, auto member) {
                    copies.resize(std::min(copies.size(), places.size()));
                    for (std::size_t k = 0; k < copies.size(); ++k) {
                        copies[k].*member = places[k].at;
                        copies[k].bytes = places[k].bytes;
                    }
                };
                pair_up(site.arguments, signature.parameters, &FrameCopy::to);
                pair_up(site.results, signature.results, &FrameCopy::from);
            };
            bool comes_back = false;
            if (const auto* callee = site.callee.empty() ? nullptr : graph_.plan_of(site.callee)) {
                connect(callee->signature);
                site.entry = callee->scope.first;
                site.callee_frame_bytes = callee->used_bytes;
                comes_back = graph_.comes_back(caller, *callee);
            } else if (site.through_pointer) {
                connect(site.signature);
                comes_back = graph_.comes_back(caller, site.signature);
            }
            if (!comes_back) continue;
            recursive_ = true;
            site.saved_begin = caller.registers_begin;
            site.saved_bytes = caller.registers_end - caller.registers_begin;
            site.saved_predicates = caller.registers.predicates;
            site.saved_words = caller.registers.words;
            site.saved_wides = caller.registers.wides;
            site.saved_words_at = caller.words_at;
            site.saved_wides_at = caller.wides_at;
        }
    }

    /// What the compiler for a GPU refuses, or the driver.
    void require_at_most(std::uint64_t most, std::uint64_t bytes, const char* of_what) const {
        if (bytes <= most) return;
        throw Error(fmt::format("kernel {} has {} bytes {}; a GPU takes at most {}",
                                demangle(image_.name), bytes, of_what, most));
    }

    void size_local_memory() {
        const std::uint64_t stack_bytes = graph_.deepest_bytes();
        require_at_most(kMostLocalBytes, stack_bytes, "of variables on each thread's stack");
        image_.info.local_bytes = static_cast<std::uint32_t>(stack_bytes);
        image_.local_bytes =
            image_.info.local_bytes + (recursive_ || has_alloca_ ? kRecursionBytes : 0);
        image_.most_calls = static_cast<std::uint32_t>(plans_.size()) +
                            (recursive_ ? kRecursionBytes / kLeastFrame : 0);
    }

    const ptx::Module& module_;
    const ModuleSymbols& symbols_;
    const InstructionSet& instructions_;
    Image image_;
    CallGraph graph_;
    std::vector<std::unique_ptr<FunctionPlan>>& plans_;  // graph_'s
    const bool has_alloca_;
    std::unordered_map<std::string, Symbol> module_symbols_;
    std::vector<const FunctionPlan*> call_owner_;
    std::uint32_t next_pc_ = 0;
    bool recursive_ = false;
};

}  // namespace

std::optional<Address> function_address(const ptx::Module& module, std::string_view name) {
    constexpr Address kApart = 16;  // chosen: small enough that the index can be read off
    const ptx::Function* function = module.function(name);
    if (!function || function->is_entry) return {};
    return kCodeWindow + kApart * static_cast<Address>(function - module.functions.data() + 1);
}

Image decode(const ptx::Module& module, const ptx::Function& kernel, const ModuleSymbols& symbols,
             const InstructionSet& instructions) {
    return Decoder(module, kernel, symbols, instructions).decode();
}

}  // namespace vgpu

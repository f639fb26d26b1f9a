// Who calls whom. See call_graph.h.
#include "vgpu/machine/call_graph.h"

#include <algorithm>
#include <map>

#include "vgpu/device.h"

namespace vgpu {
namespace {

/// The instruction's first part of "call (r), f, (p)".
std::string callee_of(const ptx::Instruction& instruction) {
    if (instruction.opcode != "call" || instruction.operands.empty()) return "";
    const bool has_result = instruction.operands[0].kind == ptx::Operand::Kind::tuple;
    if (has_result && instruction.operands.size() < 2) return "";
    return instruction.operands[has_result ? 1 : 0].text;
}

}  // namespace

std::uint32_t align_up(std::uint32_t value, std::uint32_t to) {
    return (value + to - 1) / to * to;
}

std::uint32_t alignment(const ptx::Variable& variable) {
    const std::uint32_t natural = variable.type.size_bytes() * variable.vector;
    return std::max({variable.align_bytes, variable.align_bytes == 0 ? natural : 1u, 1u});
}

std::uint32_t Layout::place(const ptx::Variable& variable) {
    const std::uint32_t at = align_up(bytes_, alignment(variable));
    if (variable.size_bytes() > kMostLocalBytes || at + variable.size_bytes() > kMostLocalBytes)
        throw Error("'" + variable.name +
                    "' is larger than a GPU's shared, local and parameter memory");
    bytes_ = at + static_cast<std::uint32_t>(variable.size_bytes());
    return at;
}

Signature signature(const std::vector<ptx::Variable>& parameters,
                    const std::vector<ptx::Variable>& results, Layout& frame) {
    Signature signature;
    const auto place = [&](const auto& variables, auto& places) {
        for (const auto& variable : variables)
            places.push_back(
                {frame.place(variable), static_cast<std::uint32_t>(variable.size_bytes())});
    };
    place(parameters, signature.parameters);
    place(results, signature.results);
    signature.end = frame.bytes();
    return signature;
}

const ptx::Variable kStackTop = [] {
    ptx::Variable variable;
    variable.type = {'b', 64};
    return variable;
}();

CallGraph::CallGraph(const ptx::Module& module, const ptx::Function& kernel) : module_(module) {
    find_functions(kernel);
    find_called_through_pointers();
}

FunctionPlan* CallGraph::plan_of(const std::string& name) const {
    const auto found = std::find_if(plans.begin(), plans.end(),
                                    [&](const auto& plan) { return plan->function.name == name; });
    return found == plans.end() ? nullptr : found->get();
}

/// The kernel and what it calls by name, each once.
void CallGraph::find_functions(const ptx::Function& function) {
    auto& plan = *plans.emplace_back(std::make_unique<FunctionPlan>());
    plan.function = function;
    ptx::Instruction end;
    end.opcode = "ret";
    if (!plan.function.body.empty()) end.source = plan.function.body.back().source;
    plan.function.body.push_back(end);
    plan.flow = control_flow(plan.function);
    plan.registers = plan_registers(plan.function, plan.flow);
    if (!function.is_entry) {
        Layout frame;
        plan.signature = signature(function.parameters, function.results, frame);
    }
    for (const auto& prototype : function.prototypes) {
        Layout frame;
        plan.scope.prototypes[prototype.name] =
            signature(prototype.parameters, prototype.results, frame);
    }
    for (const auto& instruction : function.body) {
        has_alloca = has_alloca || instruction.opcode == "alloca";
        const std::string name = callee_of(instruction);
        if (name.empty()) continue;
        const ptx::Function* callee = module_.function(name);
        if (!callee || callee->is_declaration) continue;
        plan.callees.insert(name);
        if (!plan_of(name)) find_functions(*callee);
    }
}

/// Functions whose address some code or variable of the module holds.
std::set<std::string> CallGraph::functions_with_address() const {
    std::set<std::string> names;
    const auto consider = [&](const std::string& name) {
        const ptx::Function* function = module_.function(name);
        if (function && !function->is_declaration && !function->is_entry) names.insert(name);
    };
    for (const auto& variable : module_.variables)
        for (const auto& reference : variable.references) consider(reference.symbol);
    for (const auto& function : module_.functions)
        for (const auto& instruction : function.body)
            if (instruction.opcode == "mov" && instruction.operands.size() == 2 &&
                !instruction.operands[1].text.starts_with('%'))
                consider(instruction.operands[1].text);
    return names;
}

/// A call through a pointer may reach each of those that have its signature, and through them
/// others.
void CallGraph::find_called_through_pointers() {
    const auto calls = [](const auto& plan) { return !plan->scope.prototypes.empty(); };
    if (std::none_of(plans.begin(), plans.end(), calls)) return;
    with_address = functions_with_address();
    for (const auto& name : with_address)
        if (!plan_of(name)) find_functions(*module_.function(name));
    for (const auto& name : with_address) {
        const FunctionPlan& callee = *plan_of(name);
        for (auto& plan : plans)
            for (const auto& [prototype, called] : plan->scope.prototypes)
                if (called == callee.signature) plan->callees.insert(name);
    }
}

bool CallGraph::reaches(const FunctionPlan& from, const std::string& to,
                        std::set<std::string>& seen) const {
    for (const auto& name : from.callees) {
        if (name == to) return true;
        if (!seen.insert(name).second) continue;
        if (const auto* plan = plan_of(name); plan && reaches(*plan, to, seen)) return true;
    }
    return false;
}

bool CallGraph::comes_back(const FunctionPlan& caller, const FunctionPlan& callee) const {
    std::set<std::string> seen;
    return &caller == &callee || reaches(callee, caller.function.name, seen);
}

/// What a search of the deepest chain knows.
struct CallGraph::Depths {
    std::set<std::string> active;                ///< the chain so far
    std::map<std::string, std::uint64_t> known;  ///< of functions, whatever the chain before them
    std::size_t skipped = 0;                     ///< calls back into the chain, which were left out
};

std::uint64_t CallGraph::deepest(const FunctionPlan& plan, Depths& depths) const {
    const std::string& name = plan.function.name;
    if (const auto found = depths.known.find(name); found != depths.known.end())
        return found->second;
    const std::size_t skipped = depths.skipped;
    std::uint64_t most = plan.used_bytes;
    depths.active.insert(name);
    for (const auto& called : plan.callees) {
        const auto* callee = plan_of(called);
        if (!callee) continue;
        if (depths.active.contains(called))
            ++depths.skipped;
        else
            most = std::max(most, plan.frame_bytes + deepest(*callee, depths));
    }
    depths.active.erase(name);
    // Without recursion below it, it is as deep from anywhere: without this, a few dozen functions
    // that call each other would take for ever.
    if (depths.skipped == skipped) depths.known[name] = most;
    return most;
}

std::uint64_t CallGraph::deepest_bytes() const {
    Depths depths;
    return deepest(*plans[0], depths);
}

}  // namespace vgpu

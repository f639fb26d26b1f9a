// Who calls whom. See call_graph.h.
#include "decode/call_graph.h"

#include <algorithm>

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
    find_cycles();
}

FunctionPlan* CallGraph::plan_of(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : plans[found->second].get();
}

FunctionPlan& CallGraph::add(const ptx::Function& function) {
    const auto place = static_cast<std::uint32_t>(plans.size());
    auto& plan = *plans.emplace_back(std::make_unique<FunctionPlan>());
    places_[function.name] = plan.place = place;
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
        const ptx::Function* callee = name.empty() ? nullptr : module_.function(name);
        if (callee && !callee->is_declaration) plan.callees.push_back(callee);
    }
    return plan;
}

/// The function and what it calls by name, each once, callees behind their first caller. Chains
/// of calls may be as long as the text: they are kept here, not on the stack.
void CallGraph::find_functions(const ptx::Function& first) {
    struct Place {
        const FunctionPlan* plan = nullptr;
        std::size_t callee = 0;
    };
    std::vector<Place> chain{{&add(first)}};
    while (!chain.empty()) {
        Place& at = chain.back();
        if (at.callee == at.plan->callees.size()) {
            chain.pop_back();
            continue;
        }
        const ptx::Function& callee = *at.plan->callees[at.callee++];
        if (!plan_of(callee.name)) chain.push_back({&add(callee)});
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
}

/// The calls: from function to function, and through pointers by way of the signature, so that
/// there are as many as the text has.
std::vector<std::vector<std::uint32_t>> CallGraph::edges() {
    std::vector<std::vector<std::uint32_t>> next(plans.size());
    for (const auto& plan : plans)
        for (const auto* callee : plan->callees)
            next[plan->place].push_back(places_.at(callee->name));
    const auto node_of = [&](const Signature& signature) {
        const auto [node, is_new] =
            signatures_.try_emplace(signature, static_cast<std::uint32_t>(next.size()));
        if (is_new) next.emplace_back();
        return node->second;
    };
    for (const auto& name : with_address) {
        const FunctionPlan& callee = *plan_of(name);
        next[node_of(callee.signature)].push_back(callee.place);
    }
    for (const auto& plan : plans)
        for (const auto& [name, called] : plan->scope.prototypes) {
            const auto node = node_of(called);
            next[plan->place].push_back(node);
        }
    return next;
}

/// Tarjan's algorithm for strongly connected components, without recursion: those that are called
/// come before those that call them.
void CallGraph::find_cycles() {
    const auto next = edges();
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    struct Visit {
        std::uint32_t node = 0;
        std::size_t edge = 0;
    };
    std::vector<std::uint32_t> number(next.size(), kNone), low(next.size()), open;
    std::uint32_t numbers = 0;
    cycle_of_.assign(next.size(), kNone);
    std::vector<Visit> chain;
    const auto begin = [&](std::uint32_t node) {
        number[node] = low[node] = numbers++;
        open.push_back(node);
        chain.push_back({node});
    };
    for (std::uint32_t root = 0; root < next.size(); ++root) {
        if (number[root] == kNone) begin(root);
        while (!chain.empty()) {
            auto& [node, edge] = chain.back();
            if (edge < next[node].size()) {
                const std::uint32_t to = next[node][edge++];
                if (number[to] == kNone)
                    begin(to);
                else if (cycle_of_[to] == kNone)
                    low[node] = std::min(low[node], number[to]);
                continue;
            }
            const std::uint32_t done = node;
            chain.pop_back();
            if (!chain.empty()) {
                auto& caller = low[chain.back().node];
                caller = std::min(caller, low[done]);
            }
            if (low[done] == number[done]) close_cycle(done, open, next);
        }
    }
}

/// The nodes from `first` on in `open` are a cycle of their own.
void CallGraph::close_cycle(std::uint32_t first, std::vector<std::uint32_t>& open,
                            const std::vector<std::vector<std::uint32_t>>& next) {
    const auto number = static_cast<std::uint32_t>(cycles_.size());
    Cycle& cycle = cycles_.emplace_back();
    std::uint32_t node = 0;
    do {
        node = open.back();
        open.pop_back();
        cycle_of_[node] = number;
        cycle.nodes.push_back(node);
    } while (node != first);
    for (const auto member : cycle.nodes)
        for (const auto to : next[member])
            if (cycle_of_[to] != number) cycle.next.push_back(cycle_of_[to]);
}

bool CallGraph::comes_back(const FunctionPlan& caller, const FunctionPlan& callee) const {
    return cycle_of_[caller.place] == cycle_of_[callee.place];
}

bool CallGraph::comes_back(const FunctionPlan& caller, const Signature& called) const {
    return cycle_of_[caller.place] == cycle_of_[signatures_.at(called)];
}

std::uint64_t CallGraph::deepest_bytes() const {
    std::vector<std::uint64_t> deepest;  // of each cycle; what it calls has smaller numbers
    for (const Cycle& cycle : cycles_) {
        std::uint64_t own = 0, frames = 0, below = 0;
        for (const auto node : cycle.nodes) {
            if (node >= plans.size()) continue;  // a signature
            own = plans[node]->used_bytes;
            frames += plans[node]->frame_bytes;
        }
        for (const auto called : cycle.next) below = std::max(below, deepest[called]);
        // Functions that call each other may each be there once.
        if (cycle.nodes.size() > 1) own = frames;
        deepest.push_back(cycle.next.empty() ? own : std::max(own, frames + below));
    }
    return deepest[cycle_of_[0]];
}

}  // namespace vgpu

// Basic blocks and immediate post-dominators: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
// Algorithm", on the reversed graph with one added exit.
#include "decode/control_flow.h"

#include <algorithm>
#include <set>

#include "vgpu/device.h"

namespace vgpu {
namespace {

/// Chosen: a switch has a few thousand cases. Each brx has all labels of its table, so that their
/// number grows with the square of the text's length.
constexpr std::size_t kMostTargets = 1 << 20;

/// Chosen, about a second's work: it grows with the square of how deep loops are nested.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 28;

bool leaves(const ptx::Instruction& instruction) {
    return instruction.opcode == "ret" || instruction.opcode == "exit" ||
           instruction.opcode == "trap";
}

bool branches(const ptx::Instruction& instruction) {
    return instruction.opcode == "bra" || instruction.opcode == "brx";
}

/// Whether a node does nothing but leave: a ret, or a jump to one.
bool only_leaves(const ptx::Function& function, const std::vector<ControlFlow::Node>& nodes,
                 std::uint32_t node) {
    for (std::size_t steps = 0; steps < nodes.size(); ++steps) {
        const auto& [begin, end, next] = nodes[node];
        const auto& instruction = function.body[begin];
        if (end - begin != 1 || !instruction.guard.empty()) return false;
        if (leaves(instruction)) return true;
        if (instruction.opcode != "bra" || next.size() != 1) return false;
        node = next[0];
    }
    return false;
}

bool falls_through(const ptx::Instruction& instruction) {
    return !instruction.guard.empty() || !(leaves(instruction) || branches(instruction));
}

std::vector<std::uint32_t> post_dominators(const ptx::Function& function,
                                           const std::vector<ControlFlow::Node>& nodes) {
    constexpr auto kNoNode = ControlFlow::kNoNode;
    const auto exit = static_cast<std::uint32_t>(nodes.size());
    std::vector<std::vector<std::uint32_t>> next(exit + 1), previous(exit + 1);
    for (std::uint32_t n = 0; n < exit; ++n) next[n] = nodes[n].next;
    for (std::uint32_t n = 0; n < exit; ++n)
        if (next[n].empty()) next[n].push_back(exit);
    for (std::uint32_t n = 0; n < exit; ++n)
        for (const auto to : next[n]) previous[to].push_back(n);

    // Post-order of the reversed graph. A loop without an exit is not reached from the exit; it
    // meets nowhere, which kNoNode says.
    std::vector<std::uint32_t> order, number(exit + 1, kNoNode);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{exit, 0}};
    std::vector<bool> seen(exit + 1);
    seen[exit] = true;
    while (!stack.empty()) {
        auto& [node, child] = stack.back();
        if (child < previous[node].size()) {
            const auto to = previous[node][child++];
            if (!seen[to]) {
                seen[to] = true;
                stack.emplace_back(to, 0);
            }
        } else {
            number[node] = static_cast<std::uint32_t>(order.size());
            order.push_back(node);
            stack.pop_back();
        }
    }

    std::uint64_t steps = 0;
    std::vector<std::uint32_t> meet(exit + 1, kNoNode);
    meet[exit] = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (auto i = order.size(); i-- > 0;) {
            const auto node = order[i];
            if (node == exit) continue;
            auto best = kNoNode;
            for (auto to : next[node]) {
                if (meet[to] == kNoNode) continue;
                if (best == kNoNode) {
                    best = to;
                    continue;
                }
                for (; best != to; ++steps) {
                    while (number[best] < number[to]) best = meet[best], ++steps;
                    while (number[to] < number[best]) to = meet[to], ++steps;
                }
                if (steps > kMostSteps)
                    throw Error("the branches of function " + function.name +
                                " are nested too deep");
            }
            if (meet[node] != best) {
                meet[node] = best;
                changed = true;
            }
        }
    }
    meet.pop_back();
    for (auto& node : meet)
        if (node == exit) node = kNoNode;
    return meet;
}

}  // namespace

std::vector<std::uint32_t> branch_targets(
    const ptx::Function& function, const ptx::Instruction& instruction,
    const std::unordered_map<std::string, std::uint32_t>& labels) {
    if (!branches(instruction) || instruction.operands.empty()) return {};
    std::vector<std::string> names;
    if (instruction.opcode == "bra") {
        names.push_back(instruction.operands[0].text);
    } else {
        for (const auto& table : function.branch_targets)
            if (instruction.operands.size() > 1 && table.name == instruction.operands[1].text)
                names = table.labels;
    }
    std::vector<std::uint32_t> targets;
    for (const auto& name : names) {
        const auto found = labels.find(name);
        if (found == labels.end())
            throw Error("PTX line " + std::to_string(instruction.ptx_line) + ": no label '" + name +
                        "' in function " + function.name);
        targets.push_back(found->second);
    }
    return targets;
}

ControlFlow control_flow(const ptx::Function& function) {
    ControlFlow flow;
    const auto size = static_cast<std::uint32_t>(function.body.size());
    for (const auto& label : function.labels) flow.labels[label.name] = label.at;

    std::set<std::uint32_t> leaders{0};
    std::size_t targets = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
        const auto& instruction = function.body[i];
        if (!leaves(instruction) && !branches(instruction)) continue;
        leaders.insert(i + 1);
        const auto reached = branch_targets(function, instruction, flow.labels);
        leaders.insert(reached.begin(), reached.end());
        if ((targets += reached.size()) > kMostTargets)
            throw Error("the branches of function " + function.name + " have more than " +
                        std::to_string(kMostTargets) + " targets");
    }
    leaders.erase(leaders.lower_bound(size), leaders.end());

    flow.node_of.resize(size);
    for (auto leader = leaders.begin(); leader != leaders.end(); ++leader) {
        const auto after = std::next(leader);
        const auto end = after == leaders.end() ? size : *after;
        for (auto i = *leader; i < end; ++i)
            flow.node_of[i] = static_cast<std::uint32_t>(flow.nodes.size());
        if (*leader < end) flow.nodes.push_back({*leader, end, {}});
    }
    for (auto& node : flow.nodes) {
        const auto& last = function.body[node.end - 1];
        for (const auto target : branch_targets(function, last, flow.labels))
            if (target < size) node.next.push_back(flow.node_of[target]);
        if (falls_through(last) && node.end < size) node.next.push_back(flow.node_of[node.end]);
    }
    flow.meeting_node = post_dominators(function, flow.nodes);
    for (auto& node : flow.meeting_node)
        if (node != ControlFlow::kNoNode && function.is_entry &&
            only_leaves(function, flow.nodes, node))
            node = ControlFlow::kNoNode;
    return flow;
}

}  // namespace vgpu

// The control-flow graph of a function, and where the paths of a divergent branch meet again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace vgpu {

struct ControlFlow {
    struct Node {
        std::uint32_t begin = 0, end = 0;  ///< instructions [begin, end)
        std::vector<std::uint32_t> next;   ///< nodes; a node that only leaves has none
    };
    std::vector<Node> nodes;             ///< in the order of the text
    std::vector<std::uint32_t> node_of;  ///< of each instruction
    std::unordered_map<std::string, std::uint32_t> labels;

    /// Of each node: its immediate post-dominator, or kNoNode when its paths meet only at the end.
    /// A node that does nothing but leave the kernel is the end: a thread that returns early must
    /// not wait there for the others, who may be waiting for it to be gone.
    std::vector<std::uint32_t> meeting_node;
    static constexpr std::uint32_t kNoNode = ~std::uint32_t{0};
};

/// Instruction indices that a bra or brx.idx may go to; empty for other instructions.
std::vector<std::uint32_t> branch_targets(const ptx::Function&, const ptx::Instruction&,
                                          const std::unordered_map<std::string, std::uint32_t>&);

ControlFlow control_flow(const ptx::Function&);

}  // namespace vgpu

// A kernel's functions: those that it calls by name, and those that it may call through pointers.
// Also lays out their parameters and variables in frames.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "decode/encoder.h"

namespace vgpu {

std::uint32_t align_up(std::uint32_t value, std::uint32_t to);
std::uint32_t alignment(const ptx::Variable&);

/// Of a thread, in all: CUDA's limit.
inline constexpr std::uint32_t kMostLocalBytes = 512 << 10;

/// Offsets of variables one behind the other.
class Layout {
public:
    /// Throws Error beyond kMostLocalBytes, of which there are fewer in every other space.
    std::uint32_t place(const ptx::Variable&);
    std::uint32_t bytes() const { return bytes_; }

private:
    std::uint32_t bytes_ = 0;
};

/// Where a function's parameters, then its results, lie in its frame.
Signature signature(const std::vector<ptx::Variable>& parameters,
                    const std::vector<ptx::Variable>& results, Layout& frame);

/// Behind a function's results, if the program uses alloca: the stack's top to return to.
extern const ptx::Variable kStackTop;

struct FunctionPlan {
    ptx::Function function;  ///< with a ret at its end
    ControlFlow flow;
    RegisterPlan registers;
    Scope scope;
    std::uint32_t used_bytes = 0, frame_bytes = 0;  ///< local memory; frames begin aligned
    Signature signature;                            ///< of a function; a kernel has none
    std::uint32_t registers_begin = 0, words_at = 0, wides_at = 0, registers_end = 0;
    std::vector<const ptx::Function*> callees;  ///< by name, in the order of the calls
    std::uint32_t place = 0;                    ///< in CallGraph::plans
};

struct CallGraph {
    CallGraph(const ptx::Module&, const ptx::Function& kernel);

    FunctionPlan* plan_of(const std::string& name) const;
    /// Whether this call, by name or through a pointer, may come back to `caller`'s own code.
    bool comes_back(const FunctionPlan& caller, const FunctionPlan& callee) const;
    bool comes_back(const FunctionPlan& caller, const Signature& called) const;
    /// Local memory that the deepest chain of frames takes; of functions that call each other in a
    /// cycle, each counts once.
    std::uint64_t deepest_bytes() const;

    std::vector<std::unique_ptr<FunctionPlan>> plans;  ///< [0] is the kernel
    std::set<std::string>
        with_address;  ///< what calls through pointers may reach, if there are any
    bool has_alloca = false;

private:
    /// Functions, and signatures of calls through pointers, that may all reach each other; most
    /// are one function alone. Nodes below plans.size() are functions.
    struct Cycle {
        std::vector<std::uint32_t> nodes, next;  ///< next: other cycles
    };

    FunctionPlan& add(const ptx::Function&);
    void find_functions(const ptx::Function&);
    void find_called_through_pointers();
    std::set<std::string> functions_with_address() const;
    std::vector<std::vector<std::uint32_t>> edges();
    void find_cycles();
    void close_cycle(std::uint32_t first, std::vector<std::uint32_t>& open,
                     const std::vector<std::vector<std::uint32_t>>& next);

    const ptx::Module& module_;
    std::unordered_map<std::string, std::uint32_t> places_;  ///< in `plans`
    std::map<Signature, std::uint32_t> signatures_;          ///< to nodes
    std::vector<std::uint32_t> cycle_of_;                    ///< of each node
    std::vector<Cycle> cycles_;                              ///< callees first
};

}  // namespace vgpu

// A kernel's functions: those that it calls by name, and those that it may call through pointers.
// And how their parameters and variables lie one behind the other in a frame.
//
// Interface: CallGraph, FunctionPlan; Layout, signature, kStackTop: places in a frame.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "vgpu/machine/encoder.h"

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
    std::set<std::string> callees;
};

struct CallGraph {
    CallGraph(const ptx::Module&, const ptx::Function& kernel);

    FunctionPlan* plan_of(const std::string& name) const;
    /// Whether a call of `callee` may come back to `caller`'s own code.
    bool comes_back(const FunctionPlan& caller, const FunctionPlan& callee) const;
    /// Local memory that the deepest chain of frames takes, recursion aside.
    std::uint64_t deepest_bytes() const;

    std::vector<std::unique_ptr<FunctionPlan>> plans;  ///< [0] is the kernel
    std::set<std::string>
        with_address;  ///< what calls through pointers may reach, if there are any
    bool has_alloca = false;

private:
    void find_functions(const ptx::Function&);
    void find_called_through_pointers();
    std::set<std::string> functions_with_address() const;
    bool reaches(const FunctionPlan& from, const std::string& to,
                 std::set<std::string>& seen) const;
    struct Depths;
    std::uint64_t deepest(const FunctionPlan&, Depths&) const;

    const ptx::Module& module_;
};

}  // namespace vgpu

// Follows what a launch reads from shared and local memory where nothing was written, through
// registers, until something depends on it. To move such a value is no mistake: kernels that shift
// their planes or rows by one move what they have not loaded yet, and overwrite it.
//
//     ld  r1, [unwritten]    r1 is unset
//     mov r2, r1             so is r2
//     st.shared [a], r2      the bytes at a count as never written
//     add r3, r2, 1          r3 is made of it
//     st [a], r3             a mistake: that of the load. So is a store of r2 to global memory, and
//                            an address, a branch, a shuffle or a call that needs r1, r2 or r3
//
// Slow: for the second run of a launch whose first one had such reads (launch_runner.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "state/warp.h"
#include "vgpu/finding.h"

namespace vgpu {

class UnsetValues {
public:
    /// Executes an instruction, and follows what it does with unset values.
    Flow execute(Warp&, const Insn&, Mask active);

    /// Of a plain load that is being executed: what `lanes` read was never written. Whether this
    /// is followed; else it is to be reported now.
    bool follow(Warp&, const Insn&, Mask lanes, const Finding&);

private:
    struct Value {
        std::string_view name;       ///< of the register
        std::uint32_t function = 0;  ///< that it belongs to: its first pc
        Mask lanes = 0;
        bool is_copy = false;      ///< of what was read, and not made of it
        std::uint32_t origin = 0;  ///< the load: among findings_
    };
    struct OfWarp {
        std::uint64_t block = ~std::uint64_t{0};
        std::vector<Value> values;
    };

    std::vector<Value>& values_of(const Warp&);
    void report_use(Warp&, const Value&, Mask lanes);

    std::unordered_map<const Warp*, OfWarp> warps_;
    std::vector<Finding> findings_;
};

}  // namespace vgpu

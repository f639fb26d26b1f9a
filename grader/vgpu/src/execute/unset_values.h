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
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
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
    /// A number for each register that an instruction names: registers are of their function.
    using Register = std::uint32_t;
    static constexpr Register kNone = ~Register{0};
    struct Value {
        Register at = kNone;
        Mask lanes = 0;
        bool is_copy = false;      ///< of what was read, and not made of it
        std::uint32_t origin = 0;  ///< the place of the load: among findings_
    };
    struct OfWarp {
        std::uint64_t block = ~std::uint64_t{0};
        std::vector<Value> values;
    };

    /// What an instruction does with registers.
    struct Facts {
        Register guard = kNone;
        std::vector<Register> results, address, reads;  ///< `address`: of a plain store
        bool has_result = false, is_plain_store = false, is_move = false;
    };

    Register number_of(std::uint32_t function, std::string_view name);
    void collect(const ptx::Operand&, std::uint32_t function, std::vector<Register>& into);
    const Facts& facts_of(const Image&, std::uint32_t pc);
    static void add(std::vector<Value>&, const Value&);
    std::vector<Value>& values_of(const Warp&);
    void report_use(Warp&, const Value&, Mask lanes);

    std::map<std::pair<std::uint32_t, std::string_view>, Register> registers_;
    std::vector<std::optional<Facts>> facts_;  ///< by pc
    std::unordered_map<const Warp*, OfWarp> warps_;
    /// Of each source place where a warp loads, its latest: findings are one a place, too.
    std::vector<Finding> findings_;
    std::map<std::pair<const Warp*, std::uint32_t>, std::uint32_t> origins_;  ///< among findings_
};

}  // namespace vgpu

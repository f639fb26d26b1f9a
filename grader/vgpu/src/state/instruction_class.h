// Classifies instructions without executing them: whether they may move a warp's paths, how they
// count, and whether a kernel's result may depend on the order of blocks.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>

#include "ptx/module.h"

namespace vgpu {

enum class Kind : std::uint8_t {
    plain,  ///< registers to registers
    load,
    store,
    atomic,
    copy,  ///< cp.async: reads global, writes shared memory
    branch,
    barrier,    ///< of a block
    warp_sync,  ///< lanes of a warp meet: bar.warp.sync, shfl, vote, match, redux, mma
    fence,
    call,
    leave,  ///< ret, exit, trap
    pause,  ///< nanosleep, and reading a clock, which shows how far the warp got
};

Kind kind_of(const ptx::Instruction&);

/// Whether it may change which lanes run, or make them wait. All others run straight on.
bool moves_paths(Kind);

/// Whether its first operand is what it writes.
bool has_result(const ptx::Instruction&);

/// Whether nobody sees the old value of an atomic that ptxas then makes a reduction of. `reads`:
/// read_registers of its function.
bool is_reduction(const ptx::Instruction&, const std::set<std::string_view>& reads);
/// Whether an atomic operation stores what it is given, and nobody reads what was there.
bool overwrites(const ptx::Instruction&, const std::set<std::string_view>& reads);
/// Whether an atomic operation changes what is there by an amount, and nobody reads what was there.
bool accumulates(const ptx::Instruction&, const std::set<std::string_view>& reads);
/// Registers that some instruction reads; an atomic's own result does not count.
std::set<std::string_view> read_registers(const ptx::Function&);

/// Whether it calls malloc or free.
bool allocates(const ptx::Function&);

/// Whether blocks of a kernel with this function might give other results in another order although
/// no two of them race: atomics whose old value is used or which do not commute, flags, printf.
bool depends_on_order(const ptx::Function&);

}  // namespace vgpu

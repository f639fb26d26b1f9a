// Who executes what, in the words of the student's source.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "state/code.h"
#include "state/warp.h"
#include "vgpu/device.h"

namespace vgpu {

/// The thread in `lane` of a warp, in a block of this size.
Dim3 thread_of(const Dim3& block_size, const Warp&, unsigned lane);
/// Whether a file is the student's own, as far as its name tells: the kernel's, or one beside it.
bool is_own(const Image&, std::string_view file);
/// The innermost of the frames inlined at `pc` that lies in a file of the student's, if one does.
std::optional<SourceLine> own_line(const Image&, std::uint32_t pc);
/// The line of the student's own source at `pc`: own_line(), of callers where a function's own
/// lines are all in headers from elsewhere.
SourceLine where_is(const Image&, const Warp&, std::uint32_t pc);
/// Whether the instruction comes from the toolkit's own headers (CUB, Thrust, libcu++), as far as
/// line information tells.
bool is_of_toolkit(const Image&, std::uint32_t pc);

struct ThreadPlace {
    Dim3 block, thread;
};
/// A finding with everything filled in that follows from who does it where.
Finding finding_at(const Image&, const ThreadPlace&, Check, SourceLine);

}  // namespace vgpu

// The state of one launch: what is shared by its blocks, and what it found out so far.
//
// Interface: Execution; thread_of, where_is: who executes, and at which line of the student's.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/checks/findings.h"
#include "vgpu/device.h"
#include "vgpu/machine/code.h"
#include "vgpu/machine/memory.h"
#include "vgpu/machine/warp.h"

namespace vgpu {

struct Execution {
    const Image& image;
    const Launch& launch;
    DeviceMemory& memory;
    const Options& options;
    Findings findings;

    Counts counts;
    std::string printed;
    Outcome outcome = Outcome::ok;
    Region parameters;
    Address grid_workspace = 0;  ///< of a cooperative launch: the words behind grid.sync()
    std::vector<Region*> memo;   ///< one an Insn

    Execution(const Image&, const Launch&, DeviceMemory&, const Options&);
};

/// The thread in `lane` of a warp.
Dim3 thread_of(const Warp&, unsigned lane);
/// The line of the student's own source at `pc`: the innermost inlined frame that lies in the
/// kernel's file, looking at callers where a function's own lines are all in headers.
SourceLine where_is(const Warp&, std::uint32_t pc);
/// A finding with everything filled in that follows from who executes what.
Finding finding_at(const Warp&, const Insn&, Check, unsigned lane);
/// Adds a finding of `occurrences` accesses, made first by `lane`.
void report(const Warp&, Finding, unsigned lane);

}  // namespace vgpu

// One launch from beginning to end, in as many attempts as it takes to be sure of what happened:
//
//     side by side on all cores ---- nothing doubtful -----------------------> done
//          | a finding, or two blocks touched one word
//        undo, in order ------------ nothing that looks like a race ---------> done
//          | suspected words
//        undo, in order, a witness watches those words ----------------------> done
//
// The last attempt's results count: they are those of blocks in order, however many cores there
// are.
//
// Interface: run_launch.
#pragma once

#include "vgpu/machine/execution.h"
#include "vgpu/machine/workers.h"

namespace vgpu {

/// `grid_workspace`: where blocks of a cooperative launch count each other, zeroed; else 0.
/// `changed_nothing`, unless null: becomes true if memory is as it was before, and only kernels can
/// have changed it in the meantime (not the host, which shares some of it).
LaunchResult run_launch(const Image&, const Launch&, DeviceMemory&, Undo&, const Options&, Workers&,
                        Address grid_workspace, bool* changed_nothing = nullptr);

}  // namespace vgpu

// Runs one launch, in as many attempts as it takes to be sure of the result. The last attempt's
// results count: they are those of blocks in order, however many cores there are.
#pragma once

#include "device/launch_cache.h"
#include "execute/execution.h"
#include "execute/workers.h"
#include "profile/latency.h"

//     in parallel on all cores ------ nothing doubtful -----------------------> done
//          | a finding, or two blocks touched one word
//        undo, in order ------------- nothing that looks like a race ---------> done
//          | suspected words
//        undo, in order, a happens-before checker watches those words -----------------------> done

namespace vgpu {

/// The table is the image's. `grid_workspace`: where blocks of a cooperative launch count each
/// other, zeroed; else 0. `most_pages`, if any: finds out what the launch read and changed, if no
/// more than this many pages, and leaves it in `effects`; unless others can have changed what it
/// read in the meantime (the host, which shares some memory).
LaunchResult run_launch(const Image&, LatencyTable&, const Launch&, DeviceMemory&, Undo&,
                        const Options&, Workers&, Address grid_workspace,
                        std::optional<std::size_t> most_pages, std::optional<Effects>& effects);

}  // namespace vgpu

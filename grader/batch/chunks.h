// A batch in chunks of a few jobs each, for other machines: each chunk is a file, and `./lab chunk
// FILE` grades it. What passes between the machines are files on a shared disk, each of which
// appears whole or not at all. A chunk may run twice, or at the same time as itself: what has a
// result is not graded again, and equal jobs have equal results.
#pragma once

#include <string>
#include <vector>

#include "batch/queue.h"
#include "batch/store.h"

namespace lab {

struct Chunk {
    DeviceKind device = DeviceKind::vgpu;
    fs::path gradings;  ///< where results go
    fs::path failed;    ///< where gradings leave a file that failed by no fault of a submission's
    std::vector<Job> jobs;
    fs::path evidence{};  ///< where gradings keep what their replays need; empty: nowhere
};

/// Writes the jobs as 0.json, 1.json, ... into the folder. Returns the files in order.
std::vector<fs::path> write_chunks(const fs::path& folder, const Chunk& all_jobs,
                                   std::size_t jobs_a_chunk);

/// Throws Failure (usage) for a file that is no chunk.
Chunk read_chunk(const fs::path& file);

/// The jobs of a chunk that have no result yet.
std::vector<Job> missing(const Chunk& chunk);

/// Leaves a file about a failed grading; throws Failure (our fault).
void leave_failure(const Chunk& chunk, const Failed& failure);

/// Takes such files over into the store, and removes them.
void take_failures(const fs::path& failed, Store& store);

}  // namespace lab

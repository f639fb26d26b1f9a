// Replays a result of the virtual GPU from its evidence (core/evidence.h): the stored programs run
// again, with the same seeds. nvcc does not run. Whether the object was made of the source is the
// word of whoever graded.
#pragma once

#include <string>
#include <vector>

#include "core/course/project.h"
#include "verify/compare.h"

namespace lab {

struct Replay {
    std::string lab;
    /// False: another version of the grader made the result, so it may differ without any fault.
    bool same_grader = true;
    std::vector<ResultDifference> differences;  ///< empty: the same to the byte, times left out
};

/// `evidence` is the folder with the result's files. Throws Failure: usage if the file is no
/// result, or one that cannot be replayed (of a GPU, of a file that did not build, without
/// evidence, with evidence that is missing or not what the hashes say); our fault if the replay
/// itself fails.
Replay replay(const Project& project, const fs::path& result, const fs::path& evidence);

/// Where the files of a result lie: in its own folder, or in "evidence" next to one of its parents,
/// as in a batch's folder. Throws Failure (usage) if in none of them.
fs::path find_evidence(const fs::path& result);

}  // namespace lab

// Keeps what a replay of a grading needs: compiled files and source, named by their hashes, and the
// result. verify/replay.h replays it without nvcc, on any machine.
//
//     LAB-SOURCE-SEED.jsonl   the result, as `lab grade --json` prints it
//     SHA256.cu, SHA256.o     its source, and the compiled submission and reference
#pragma once

#include <string>

#include "core/grade.h"
#include "core/results.h"

namespace lab {

/// The hashes of the files that `runners` were made of. `grader` is grader_source_hash().
Evidence evidence_of(const std::string& grader, const Runners& runners);

/// The file of a compiled submission or reference in a folder of evidence.
fs::path object_in(const fs::path& folder, const std::string& sha256);
/// The same of a source.
fs::path source_in(const fs::path& folder, const std::string& sha256);

/// Writes the result, and those of its files that the folder does not have. Makes the folder.
/// Throws Failure (our fault) when it cannot be written.
void keep_evidence(const fs::path& folder, const Grading& grading, const Runners& runners);

}  // namespace lab

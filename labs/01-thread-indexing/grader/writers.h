// Checks that the right values come from the right threads. Only the virtual GPU knows which thread
// wrote what; on a GPU nothing is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/check.h"

/// Calls of at most so many elements are asked who wrote what.
inline constexpr int kMostWithWriters = 12'000;

/// ids: element 0 is thread 0's, and those that follow are of the threads that follow, until thread
/// 0 or the first one of the block begins again. `writers`: Output::writers().
void check_writers_in_order(const std::vector<std::int64_t>& writers,
                            const std::vector<lab::LaunchRecord>& launches);

/// owner: element i is written by thread i % threads.
void check_writers_by_stride(const std::vector<std::int64_t>& writers, int threads);

/// places: element (0, 0, 0) is written by thread 0. The grid's axes may lie along any of the
/// array's, and its blocks may have any shape, so more is not asked for.
void check_writers_of_places(const std::vector<std::int64_t>& writers,
                             const std::vector<lab::LaunchRecord>& launches);

/// records: those of a block are written by its threads.
void check_writers_of_records(const std::vector<std::int64_t>& writers, int threads_per_block);

// Checks that the launch and its threads keep lab 01's contract: each element is stored by its own
// thread. Only the virtual GPU reports launches; on a GPU nothing is checked.
#pragma once

#include <cstddef>
#include <vector>

#include "check/check.h"

/// A kernel was launched, and all its threads together store each element about once. `what` names
/// an element: "id".
void check_own_threads(const std::vector<lab::LaunchRecord>& launches, int elements,
                       std::size_t element_bytes, const char* what);

/// global_ids: each block has as many threads as the caller asked for.
void check_block_size(const std::vector<lab::LaunchRecord>& launches, int threads_per_block);

/// global_ids: no launch has as many blocks as a block should have threads, and the other way
/// round.
void check_not_swapped(const std::vector<lab::LaunchRecord>& launches, int elements,
                       int threads_per_block);

/// global_ids: no block comes after the last one that has an element, as with n / threads + 1
/// blocks.
void check_no_block_too_many(const std::vector<lab::LaunchRecord>& launches, int elements,
                             int threads_per_block);

/// A kernel that stored something ran on `blocks` blocks of `threads_per_block` threads.
void check_grid(const std::vector<lab::LaunchRecord>& launches, int blocks, int threads_per_block);

/// unfold_3d: there were as many threads as elements.
void check_thread_for_each(const std::vector<lab::LaunchRecord>& launches, int elements);

/// The threads of a warp stored together, more than `most_alone_bytes` at a time. If they must,
/// less means that one thread does the work of others, however many were launched.
void check_shared_out(const std::vector<lab::LaunchRecord>& launches, std::size_t most_alone_bytes);

// What the contract of lab 01 says of the launch and of the threads: whose result each element is.
// The virtual GPU tells; on a GPU nothing of it is known, and nothing is checked.
//
// Interface: check_own_threads, check_block_size, check_grid, check_thread_for_each,
// check_shared_out.
#pragma once

#include <cstddef>
#include <vector>

#include "check/check.h"

/// There is a kernel, and all its threads together store each element about once. `what` an element
/// is: "id".
void check_own_threads(const std::vector<lab::LaunchRecord>& launches, int elements,
                       std::size_t element_bytes, const char* what);

/// global_ids: a block is as long as the caller wants it.
void check_block_size(const std::vector<lab::LaunchRecord>& launches, int threads_per_block);

/// global_ids: there is no block behind the last one that has an element, as n / threads + 1 has.
void check_no_block_too_many(const std::vector<lab::LaunchRecord>& launches, int elements,
                             int threads_per_block);

/// A kernel that stored something ran on `blocks` blocks of `threads_per_block` threads.
void check_grid(const std::vector<lab::LaunchRecord>& launches, int blocks, int threads_per_block);

/// unfold_3d: there were as many threads as elements.
void check_thread_for_each(const std::vector<lab::LaunchRecord>& launches, int elements);

/// The threads of a warp stored together, more than `most_alone_bytes` at a time. Where they must,
/// less says that one thread does the work of others, however many were launched.
void check_shared_out(const std::vector<lab::LaunchRecord>& launches, std::size_t most_alone_bytes);

// Contract of lab 01: the four functions that thread_indexing.cu defines and the grader calls.
//
// Every function launches one kernel whose threads record who they are and which element they
// handle. All pointers are device pointers. A kernel may still be running when its function
// returns: the caller synchronizes.
#pragma once

#include "protocol/contract.h"

/// ids[i] = i for 0 <= i < n: thread i of the grid writes its own id, and no other thread writes.
///
/// The grid has just enough blocks of `threads_per_block` threads (1 to 1024). Any n >= 0 is legal;
/// with n = 0 nothing happens, and no CUDA error is left behind.
LAB_FUNCTION(void, global_ids, (int* ids, int n, int threads_per_block),
             lab::device_out("ids", "n"), lab::value("n"), lab::value("threads_per_block"))

/// owner[i] = id of the thread that handles element i, for 0 <= i < n, on a grid of exactly
/// `blocks` blocks of `threads_per_block` threads: the thread with id t handles the elements t, t +
/// T, t + 2T, ..., where T is the number of threads in the grid.
///
/// T may be smaller or greater than n. Any n >= 0 is legal; blocks >= 1, threads_per_block is 1 to
/// 1024.
LAB_FUNCTION(void, grid_stride_ids, (int* owner, int n, int blocks, int threads_per_block),
             lab::device_out("owner", "n"), lab::value("n"), lab::value("blocks"),
             lab::value("threads_per_block"))

/// A place in a three-dimensional array.
struct Index3 {
    int i, j, k;
};

/// Element (i, j, k) of `places` becomes {i, j, k}, for 0 <= i < I, 0 <= j < J, 0 <= k < K, each
/// written by its own thread of a three-dimensional grid.
///
/// `places` has the shape (I, J, K) and is row-major: k runs fastest. Any I, J, K >= 0 are legal;
/// if one of them is 0 there are no elements, nothing happens, and no CUDA error is left behind.
LAB_FUNCTION(void, unfold_3d, (Index3 * places, int I, int J, int K),
             lab::device_out("places", "I * J * K"), lab::value("I"), lab::value("J"),
             lab::value("K"))

/// Who a thread is.
struct ThreadRecord {
    int block;   ///< number of its block in the grid
    int thread;  ///< number of the thread in its block
    int warp;    ///< number of its warp in its block
    int lane;    ///< number of the thread in its warp, 0 to 31
};

/// records[g] describes the thread whose global id is g, for every thread of a one-dimensional grid
/// of `blocks` blocks (at least 1) of `threads_per_block` threads (1 to 1024, not always a multiple
/// of 32).
LAB_FUNCTION(void, who_am_i, (ThreadRecord * records, int blocks, int threads_per_block),
             lab::device_out("records", "blocks * threads_per_block"), lab::value("blocks"),
             lab::value("threads_per_block"))

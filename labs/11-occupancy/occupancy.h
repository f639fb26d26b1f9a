// Contract of lab 11: the functions that occupancy.cu defines and the grader calls.
//
// fused and power_sums take device pointers; no two arrays overlap. Any n from 0 to 1,000,000,000
// is legal. Kernels may still be running when they return: the caller synchronizes. No CUDA error
// is left behind.
#pragma once

#include "protocol/contract.h"

/// A launch: <<<blocks, threads>>>.
struct LaunchShape {
    int blocks, threads;
};

/// How many blocks one multiprocessor could hold if that resource were the only limit. 0: not one.
struct BlockLimits {
    int by_threads;    ///< its places for warps
    int by_blocks;     ///< its places for blocks
    int by_registers;  ///< its registers
    int by_shared;     ///< its shared memory
};

/// The number of sums that power_sums computes, one for each power.
constexpr int kPowers = 72;

/// The launch that fused makes for n elements, of which each gets a thread (at least): blocks as
/// large as the occupancy API proposes for its kernel, or of another size that fills a
/// multiprocessor with as many threads. n = 0: 0 blocks, or any.
LAB_FUNCTION(LaunchShape, choose_launch, (int n), lab::value("n"))

/// c[i] = a[i] + 2 * b[i] for 0 <= i < n.
LAB_FUNCTION(void, fused, (float* c, const float* a, const float* b, int n),
             lab::device_out("c", "n"), lab::device_in("a", "n"), lab::device_in("b", "n"),
             lab::value("n"))

/// How many blocks of power_sums_kernel one multiprocessor holds at once, if each has `threads`
/// threads and `shared_bytes` bytes of dynamic shared memory. 0: such a block cannot be launched.
/// 1 <= threads <= 1024, 0 <= shared_bytes <= 49,152.
LAB_FUNCTION(int, resident_blocks, (int threads, int shared_bytes), lab::value("threads"),
             lab::value("shared_bytes"))

/// The four limits of the same blocks. The lowest of them is resident_blocks.
LAB_FUNCTION(BlockLimits, block_limits, (int threads, int shared_bytes), lab::value("threads"),
             lab::value("shared_bytes"))

/// sums[k] = x[0]^(k + 1) + ... + x[n - 1]^(k + 1) for 0 <= k < kPowers, added in any order.
/// -1 <= x[i] <= 1. n = 0: all are 0.
LAB_FUNCTION(void, power_sums, (const float* x, float* sums, int n), lab::device_in("x", "n"),
             lab::device_out("sums", "72"), lab::value("n"))

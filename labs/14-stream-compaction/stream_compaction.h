// Contract of lab 14: the three functions that stream_compaction.cu defines and the grader calls.
//
// compact_any and compact_stable keep the elements of `a` that are larger than 0. NaN is not, and
// neither are 0 and -0. Their number is not known before. The kept elements fill the beginning of
// `kept`; what stands behind the last of them is not changed. Any n from 0 to 1,000,000,000 is
// legal.
//
// Pointers are device pointers, as cudaMalloc gives them, unless it says otherwise. No two arrays
// overlap, and inputs are not changed. Scratch memory holds garbage before the call. All functions
// may be called again, with other data. No CUDA error is left behind.
#pragma once

#include "protocol/contract.h"

/// kept[0] to kept[*count - 1] = the elements of a[0] to a[n - 1] that are larger than 0, in any
/// order.
LAB_FUNCTION(void, compact_any, (const float* a, float* kept, int* count, int n),
             lab::device_in("a", "n"), lab::device_out("kept", "n"), lab::device_out("count", "1"),
             lab::value("n"))

/// The number of elements in a tile: the part of `a` that one block handles.
constexpr int kTile = 2048;

/// The same in the order of `a`. `offsets` is scratch memory: an int for each tile, and one more.
LAB_FUNCTION(void, compact_stable, (const float* a, int* offsets, float* kept, int* count, int n),
             lab::device_in("a", "n"), lab::device_scratch("offsets", "(n + 2047) / 2048 + 1"),
             lab::device_out("kept", "n"), lab::device_out("count", "1"), lab::value("n"))

/// A value that job number `job` has made: a prime factor of its number.
struct Entry {
    int job;
    int factor;
};

/// What fills slots that were reserved and not used.
constexpr Entry kEmpty = {-1, 0};

/// A warp reserves slots in ranges of this many.
constexpr int kRange = 64;

/// Appends all prime factors of numbers[0] to numbers[jobs - 1] to `entries`, in any order: an
/// Entry for each, so 12 gives three, {job, 2}, {job, 2} and {job, 3}. A 1 gives none.
///
///   slots       Warps reserve ranges of kRange slots: the first from 0 to 63, the next from 64 to
///               127, and so on. When all is done, each warp has fewer than kRange unused slots.
///   capacity    `entries` has this many slots. A value whose slot is not below capacity is
///               dropped.
///   gaps        A slot below capacity that was reserved and not used holds kEmpty. One that was
///               not reserved is not changed.
///   *made       host memory: the number of values made, those dropped included.
///   *reserved   host memory: the number of slots reserved, those past capacity included.
///
/// jobs and capacity may be 0; both are at most 100,000,000. Numbers are from 1 to 1,000,000,000.
/// The function returns when all of this is there.
LAB_FUNCTION(void, append,
             (const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity),
             lab::device_in("numbers", "jobs"),
             lab::device_out("entries", "capacity").complete_at_return(),
             lab::host_out("made", "1"), lab::host_out("reserved", "1"), lab::value("jobs"),
             lab::value("capacity"))

// Contract of lab 09: the four functions that streams.cu defines and the grader calls, and the
// kernels that they launch. The kernels are given: this lab is about when they run, not what they
// do.
#pragma once

#include <cuda_runtime_api.h>

#include "protocol/contract.h"
#include "protocol/delay.h"

// ---------------------------------------------------------------------------
// Functions that you write.

/// Launches late_double_kernel(a, b, n, delay_us) on `stream`, in blocks of 256 threads, and
/// returns how many milliseconds the stream was busy with it, measured with events in the same
/// stream.
///
/// a and b are device pointers to n floats, n >= 1. `stream` does not wait for the default stream.
LAB_FUNCTION(float, time_kernel,
             (const float* a, float* b, int n, int delay_us, cudaStream_t stream),
             lab::device_in("a", "n"), lab::device_out("b", "n"), lab::value("n"),
             lab::value("delay_us"), lab::stream("stream"))

/// Runs `jobs` independent jobs at the same time: for each k from 0 to jobs - 1, in this order,
/// launches work_kernel with one block of 256 threads on the k-th n elements of in and out, and
/// then calls log_start(started). When the function returns, all jobs are done.
///
/// in and out are device pointers to jobs * n floats, started is one to an int, to which log_start
/// adds. jobs >= 0, n >= 1.
LAB_FUNCTION(void, run_jobs,
             (const float* in, float* out, int* started, int jobs, int n, int rounds),
             lab::device_in("in", "jobs * n"),
             lab::device_out("out", "jobs * n").complete_at_return(),
             lab::device_in_out("started", "1"), lab::value("jobs"), lab::value("n"),
             lab::value("rounds"))

/// Sends a long array through the device: out gets work_kernel's results for in. The n elements
/// travel in `chunks` pieces of the same size (the last ones may be shorter, or empty); piece k is
/// copied to the device, worked on by kWorkBlocks blocks of 256 threads, and copied back in stream
/// number k % streams, so that the copies of one piece run during the kernel of another.
///
/// in and out are pinned host memory, and do not overlap. Any n >= 0, chunks >= 1 and streams >= 1
/// are legal. The function allocates the memory that it needs, and frees it. When it returns, out
/// is complete.
LAB_FUNCTION(void, pipeline,
             (const float* in, float* out, int n, int chunks, int streams, int rounds),
             lab::pinned_in("in", "n"), lab::pinned_out("out", "n"), lab::value("n"),
             lab::value("chunks"), lab::value("streams"), lab::value("rounds"))

/// c[i] = a[i] * a[i] + 2 * a[i], by three kernels in blocks of 256 threads:
///
///   first    late_double_kernel(a, b, n, delay_us)
///   second   late_square_kernel(a, c, n, delay_us), which does not wait for the first stream,
///            then add_kernel(b, c, n), which must
///
/// `doubled` is an event to use for it. a, b and c are device pointers to n floats, n >= 1. None of
/// the streams waits for the default stream. The kernels may still be running when the function
/// returns.
LAB_FUNCTION(void, join_streams,
             (const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
              cudaStream_t second, cudaEvent_t doubled),
             lab::device_in("a", "n"), lab::device_out("b", "n"), lab::device_out("c", "n"),
             lab::value("n"), lab::value("delay_us"), lab::stream("first"), lab::stream("second"),
             lab::event("doubled"))

// ---------------------------------------------------------------------------
// Kernels that are given.

inline constexpr int kThreads = 256;    ///< a block, everywhere
inline constexpr int kWorkBlocks = 32;  ///< for work_kernel in the pipeline

#ifdef __CUDACC__

/// Work that takes time: out[i] is in[i] with other digits, after `rounds` rounds of a random
/// number generator. Right for any launch configuration.
__global__ void work_kernel(const float* in, float* out, int n, int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned bits = __float_as_uint(in[i]);
        unsigned digits = bits;
#pragma unroll 1
        for (int round = 0; round < rounds; ++round) digits = digits * 1664525u + 1013904223u;
        out[i] = __uint_as_float((bits & 0xff800000u) | (digits & 0x007fffffu));
    }
}

/// b[i] = 2 * a[i], but late: the grader chooses how many microseconds.
__global__ void late_double_kernel(const float* a, float* b, int n, int delay_us) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    lab::spin_us(delay_us);
    if (i < n) b[i] = 2 * a[i];
}

/// c[i] = a[i] * a[i], also late.
__global__ void late_square_kernel(const float* a, float* c, int n, int delay_us) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    lab::spin_us(delay_us);
    if (i < n) c[i] = a[i] * a[i];
}

/// c[i] += b[i].
__global__ void add_kernel(const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] += b[i];
}

__global__ void log_kernel(int* started) {
    *started += 1;
}

/// Stands for someone else's library, whose code you cannot change: it counts, with a kernel on the
/// default stream.
inline void log_start(int* started) {
    log_kernel<<<1, 1>>>(started);
}

#endif

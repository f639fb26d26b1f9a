// Contract of lab 16: what the ten functions of debugging.cu must do, and bug(k), which says what
// was wrong with each.
//
// Pointers are device pointers, as cudaMalloc gives them, unless it says otherwise. No two arrays
// overlap. All sizes are at least 1; any others are legal. Kernels may still be running when a
// function returns, unless it says otherwise. No CUDA error is left behind, and no memory that a
// call allocates.
#pragma once

#include <cuda_runtime_api.h>

#include "protocol/contract.h"
#include "protocol/delay.h"

// ---------------------------------------------------------------------------
// What you find.

/// What is wrong. Each kind occurs once in debugging.cu.
enum class Kind {
    not_found,          ///< not yet
    bound,              ///< an index that lies outside its array
    copy_size,          ///< a copy of the wrong number of bytes
    divergent_barrier,  ///< a barrier that only some threads of the block reach
    mask,               ///< a warp function that counts on lanes that do not come
    misaligned,         ///< a wide access at an address that is no multiple of its width
    missing_barrier,    ///< threads of a block that do not wait for each other
    overflow,           ///< a number that is too large for its type
    stream_order,       ///< work in one stream that does not wait for work in another
    unchecked_launch,   ///< a launch that fails, and nobody asks for its error
    uninitialised,      ///< memory that is read before anything was written there
};

struct Finding {
    char line;  ///< the letter in front of it; ' ': not found yet
    Kind kind;
};

/// The mistake of function k, 1 <= k <= 10, in debugging.cu as it is handed out. Named are:
///
///   a wrong line                        by its letter
///   a line that stands in a wrong place by its letter
///   a line that is missing              by the letter of a line next to its place
///
/// Where two lines are to blame together, or either could be changed, name one of them.
LAB_FUNCTION(Finding, bug, (int k), lab::value("k"))

// ---------------------------------------------------------------------------
// The ten functions.

constexpr int kThreads = 256;  ///< of a block, and the length of the rows of reverse_rows
constexpr int kBins = 16;

/// 1: d[i] = a[i + 1] - a[i], for the n - 1 pairs of neighbours.
LAB_FUNCTION(void, differences, (const float* a, float* d, int n), lab::device_in("a", "n"),
             lab::device_out("d", "n - 1"), lab::value("n"))

/// 2: bins[v] = how many of the n numbers are v. They are all from 0 to kBins - 1.
LAB_FUNCTION(void, histogram, (const int* a, int* bins, int n), lab::device_in("a", "n"),
             lab::device_out("bins", "16"), lab::value("n"))

/// 3: b[i] = 2 * a[first + i] for 0 <= i < n. n is a multiple of 4, and first >= 0 is any number.
LAB_FUNCTION(void, double_from, (const float* a, float* b, int first, int n),
             lab::device_in("a", "first + n"), lab::device_out("b", "n"), lab::value("first"),
             lab::value("n"))

/// 4: b[y][x] = a[y][x] - a[y][0], in dense rows: element (y, x) is y * width + x.
LAB_FUNCTION(void, from_first, (const float* a, float* b, int height, int width),
             lab::device_in("a", "height * width"), lab::device_out("b", "height * width"),
             lab::value("height"), lab::value("width"))

/// 5: out[y][x] = in[y][width - 1 - x]: each row is reversed, by a kernel. in and out are in *host*
/// memory, in dense rows. When the function returns, out is complete.
LAB_FUNCTION(void, mirror_image, (const float* in, float* out, int height, int width),
             lab::host_in("in", "height * width"), lab::host_out("out", "height * width"),
             lab::value("height"), lab::value("width"))

/// 6: *sum = the sum of a[i] * a[i]. All a[i] are from -1,000,000 to 1,000,000.
LAB_FUNCTION(void, sum_of_squares, (const int* a, unsigned long long* sum, int n),
             lab::device_in("a", "n"), lab::device_out("sum", "1"), lab::value("n"))

/// 7: Each of the `rows` rows of kThreads floats is reversed: b[y][x] = a[y][kThreads - 1 - x].
LAB_FUNCTION(void, reverse_rows, (const float* a, float* b, int rows),
             lab::device_in("a", "rows * 256"), lab::device_out("b", "rows * 256"),
             lab::value("rows"))

/// 8: sums[b] = the sum of the elements of block b, a[kThreads * b] to a[kThreads * b + kThreads -
/// 1]. The last block may have fewer elements.
LAB_FUNCTION(void, block_sums, (const int* a, int* sums, int n), lab::device_in("a", "n"),
             lab::device_out("sums", "(n + 255) / 256"), lab::value("n"))

/// 9: maxima[w] = the largest element of warp w, a[32 * w] to a[32 * w + 31]. The last warp may
/// have fewer elements.
LAB_FUNCTION(void, warp_maxima, (const int* a, int* maxima, int n), lab::device_in("a", "n"),
             lab::device_out("maxima", "(n + 31) / 32"), lab::value("n"))

/// 10: b[i] = 2 * a[i] by late_double_kernel in stream `first`; then c[i] = a[i] + b[i] by
/// add_kernel in stream `second`. The host waits for neither, and the streams do not wait for the
/// default stream.
LAB_FUNCTION(void, two_streams,
             (const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
              cudaStream_t second),
             lab::device_in("a", "n"), lab::device_out("b", "n"), lab::device_out("c", "n"),
             lab::value("n"), lab::value("delay_us"), lab::stream("first"), lab::stream("second"))

// ---------------------------------------------------------------------------
// Kernels of function 10, which are right.

#ifdef __CUDACC__

/// b[i] = 2 * a[i], but late: the grader chooses how many microseconds.
__global__ void late_double_kernel(const float* a, float* b, int n, int delay_us) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    lab::spin_us(delay_us);
    if (i < n) b[i] = 2 * a[i];
}

/// c[i] = a[i] + b[i].
__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

#endif

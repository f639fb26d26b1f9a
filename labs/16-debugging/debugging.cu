// Lab 16: Debugging. Ten functions, each with one mistake. Find it, name it, fix it.
//
//   Handout   labs/16-debugging/README.md
//   Check     ./lab grade 16
//   Stuck     ./lab hint 16

#include "debugging.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>

// ---------------------------------------------------------------------------
// Error checking: every CUDA call goes through CUDA_CHECK. All of this is right.

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kWarp = 32;

/// Enough blocks of kThreads threads for n elements.
inline int blocks_for(int n) {
    return (n - 1) / kThreads + 1;
}

// ---------------------------------------------------------------------------
// What you found: the letter in front of the line, and the kind (debugging.h).
// Each function has one mistake.

constexpr Finding kFindings[] = {
    {' ', Kind::not_found},  // 1   differences
    {' ', Kind::not_found},  // 2   histogram
    {' ', Kind::not_found},  // 3   double_from
    {' ', Kind::not_found},  // 4   from_first
    {' ', Kind::not_found},  // 5   mirror_image
    {' ', Kind::not_found},  // 6   sum_of_squares
    {' ', Kind::not_found},  // 7   reverse_rows
    {' ', Kind::not_found},  // 8   block_sums
    {' ', Kind::not_found},  // 9   warp_maxima
    {' ', Kind::not_found},  // 10  two_streams
};

Finding bug(int k) {
    return kFindings[k - 1];
}

// The ten functions. A letter stands in front of each line that may be to blame.

// clang-format off

// ---------------------------------------------------------------------------
// TODO(1/10): The first verdict is a report on this one. Fix the line to blame,
//             and name it above. 1 line. Handout: "A report".
//
//     a   [0]  [1]  [2]  ...  [n - 1]
//     d     [0]  [1]  ...  [n - 2]        differences of neighbours

__global__ void differences_kernel(const float* a, float* d, int n) {
    /* a */ const int i = blockIdx.x * blockDim.x + threadIdx.x;
    /* b */ if (i >= n) return;
    /* c */ const float next = a[i + 1];
    /* d */ d[i] = next - a[i];
}

// TODO(1/10) again: or is it on the host?
void differences(const float* a, float* d, int n) {
    /* e */ differences_kernel<<<blocks_for(n), kThreads>>>(a, d, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// TODO(2/10): The counts are nonsense, or right by chance. 1 line.
//             Handout: "The line to blame is another one".
//
//     block 0    of_block  [3|0|5| ... ] ---\
//     block 1    of_block  [1|2|4| ... ] ----+--->  bins  [9|7|8| ... ]
//     block 2    of_block  [5|5|0| ... ] ---/

__global__ void histogram_kernel(const int* a, int* bins, int n) {
    /* a */ __shared__ int of_block[kBins];
    /* b */ const int v = threadIdx.x;
    /* c */ if (v < kBins) of_block[v] = 0;
    /* d */ __syncthreads();
    /* e */ const int i = blockIdx.x * blockDim.x + threadIdx.x;
    /* f */ if (i < n) atomicAdd(&of_block[a[i]], 1);
    /* g */ __syncthreads();
    /* h */ if (v < kBins) atomicAdd(&bins[v], of_block[v]);
}

// TODO(2/10) again: or is it on the host?
void histogram(const int* a, int* bins, int n) {
    /* i */ histogram_kernel<<<blocks_for(n), kThreads>>>(a, bins, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// TODO(3/10): For some values of `first` it is right, for others it stops. About
//             2 lines. Handout: "Right for some numbers".

__global__ void double_from_kernel(const float* a, float* b, int first, int n) {
    /* a */ const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    /* b */ if (i >= n) return;
    /* c */ const float4 v = *reinterpret_cast<const float4*>(&a[first + i]);
    /* d */ const float4 twice = {2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w};
    /* e */ *reinterpret_cast<float4*>(&b[i]) = twice;
}

// TODO(3/10) again: or is it on the host?
void double_from(const float* a, float* b, int first, int n) {
    /* f */ double_from_kernel<<<blocks_for(n / 4), kThreads>>>(a, b, first, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// TODO(4/10): Right for narrow rows. Of wide ones nothing is written. About 4
//             lines. Handout: "A wrong result, and no line".

__global__ void from_first_kernel(const float* a, float* b, int width) {
    /* a */ const float* row = a + blockIdx.x * width;
    /* b */ float* result = b + blockIdx.x * width;
    /* c */ const int x = threadIdx.x;
    /* d */ result[x] = row[x] - row[0];
}

// TODO(4/10) again: or is it on the host?
void from_first(const float* a, float* b, int height, int width) {
    /* e */ from_first_kernel<<<height, width>>>(a, b, width);
}

// ---------------------------------------------------------------------------
// TODO(5/10): Most of the image is missing: ./lab picture 16 shows it. in and out
//             are in host memory. 1 line. Handout: "Most of it is missing".

__global__ void mirror_kernel(const float* in, float* out, int width, int pitch) {
    /* a */ const int begin = blockIdx.x * pitch;
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        /* b */ out[begin + x] = in[begin + width - 1 - x];
    }
}

// TODO(5/10) again: or is it on the host?
void mirror_image(const float* in, float* out, int height, int width) {
    float *d_in, *d_out;
    size_t pitch;  // bytes from one row on the device to the next
    /* c */ const size_t row = width * sizeof(float);
    /* d */ CUDA_CHECK(cudaMallocPitch(&d_in, &pitch, row, height));
    /* e */ CUDA_CHECK(cudaMallocPitch(&d_out, &pitch, row, height));
    /* f */ CUDA_CHECK(cudaMemcpy2D(d_in, pitch, in, row, row, height, cudaMemcpyHostToDevice));
    /* g */ mirror_kernel<<<height, kThreads>>>(d_in, d_out, width, pitch / sizeof(float));
    CUDA_CHECK(cudaGetLastError());
    /* h */ CUDA_CHECK(cudaMemcpy2D(out, row, d_out, pitch, width, height, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
}

// ---------------------------------------------------------------------------
// TODO(6/10): Right for small numbers, and far off for large ones. 1 line.
//             Handout: "Small numbers are right".

__global__ void sum_of_squares_kernel(const int* a, unsigned long long* sum, int n) {
    /* a */ const int stride = gridDim.x * blockDim.x;
    /* b */ unsigned long long mine = 0;
    /* c */ for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        /* d */ const int x = a[i];
        /* e */ mine += x * x;
    }
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        /* f */ mine += __shfl_down_sync(0xffffffff, mine, offset);
    }
    /* g */ if (threadIdx.x % kWarp == 0) atomicAdd(sum, mine);
}

// TODO(6/10) again: or is it on the host?
void sum_of_squares(const int* a, unsigned long long* sum, int n) {
    /* h */ CUDA_CHECK(cudaMemset(sum, 0, sizeof(*sum)));
    /* i */ sum_of_squares_kernel<<<std::min(blocks_for(n), 64), kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// TODO(7/10): Right, nearly always. 1 line. Handout: "Threads that do not wait".
//
//     row   [0][1][2] ... [255]   ->   tile   ->   [255] ... [2][1][0]

__global__ void reverse_rows_kernel(const float* a, float* b, int rows) {
    /* a */ __shared__ float tile[kThreads];
    /* b */ for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        /* c */ tile[threadIdx.x] = a[row * kThreads + threadIdx.x];
        /* d */ __syncthreads();
        /* e */ b[row * kThreads + threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
    }
}

// TODO(7/10) again: or is it on the host?
void reverse_rows(const float* a, float* b, int rows) {
    /* f */ reverse_rows_kernel<<<std::min(rows, 8), kThreads>>>(a, b, rows);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// TODO(8/10): On a GPU it may be right, or never end. About 2 lines.
//             Handout: "Not all of them come".

__global__ void block_sums_kernel(const int* a, int* sums, int n) {
    /* a */ __shared__ int part[kThreads];
    /* b */ const int i = blockIdx.x * blockDim.x + threadIdx.x;
    /* c */ part[threadIdx.x] = i < n ? a[i] : 0;
    /* d */ __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        /* e */ if (threadIdx.x < half) {
            /* f */ part[threadIdx.x] += part[threadIdx.x + half];
            /* g */ __syncthreads();
        }
    }
    /* h */ if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

// TODO(8/10) again: or is it on the host?
void block_sums(const int* a, int* sums, int n) {
    /* i */ block_sums_kernel<<<blocks_for(n), kThreads>>>(a, sums, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// TODO(9/10): Only the last maximum is wrong, and only for some n. About 3 lines.
//             Handout: "Lanes that are not there".

__global__ void warp_maxima_kernel(const int* a, int* maxima, int n) {
    /* a */ const int i = blockIdx.x * blockDim.x + threadIdx.x;
    /* b */ if (i >= n) return;
    /* c */ int mine = a[i];
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        /* d */ mine = max(mine, __shfl_down_sync(0xffffffff, mine, offset));
    }
    /* e */ if (i % kWarp == 0) maxima[i / kWarp] = mine;
}

// TODO(9/10) again: or is it on the host?
void warp_maxima(const int* a, int* maxima, int n) {
    /* f */ warp_maxima_kernel<<<blocks_for(n), kThreads>>>(a, maxima, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// TODO(10/10): There is an event, and yet nobody waits. About 2 lines.
//              Handout: "Two streams".
//
//     first    [late_double]--\
//                              \ waits
//     second                    [add]

void two_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                 cudaStream_t second) {
    cudaEvent_t doubled;
    /* a */ CUDA_CHECK(cudaEventCreate(&doubled));
    /* b */ CUDA_CHECK(cudaEventRecord(doubled, first));
    /* c */ late_double_kernel<<<blocks_for(n), kThreads, 0, first>>>(a, b, n, delay_us);
    CUDA_CHECK(cudaGetLastError());
    /* d */ CUDA_CHECK(cudaStreamWaitEvent(second, doubled));
    /* e */ add_kernel<<<blocks_for(n), kThreads, 0, second>>>(a, b, c, n);
    CUDA_CHECK(cudaGetLastError());
    /* f */ CUDA_CHECK(cudaEventDestroy(doubled));
}

// clang-format on

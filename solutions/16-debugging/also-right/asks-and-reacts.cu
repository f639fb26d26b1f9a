// Right: asks and reacts. A launch that fails is repeated in another shape; vector loads begin
// where the address is aligned; what a row's thread has read stays in a register over the barrier;
// sums end in a warp, under masks that name the lanes that are there.

#include <climits>
#include <cstdint>

#include "debugging.h"

constexpr Finding kFindings[] = {
    {'b', Kind::bound},
    {'i', Kind::uninitialised},
    {'c', Kind::misaligned},
    {'e', Kind::unchecked_launch},
    {'h', Kind::copy_size},
    {'e', Kind::overflow},
    {'c', Kind::missing_barrier},
    {'e', Kind::divergent_barrier},
    {'d', Kind::mask},
    {'b', Kind::stream_order},
};

Finding bug(int k) {
    return k >= 1 && k <= 10 ? kFindings[k - 1] : Finding{' ', Kind::not_found};
}

__global__ void differences_kernel(const float* a, float* d, int pairs) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
        d[i] = a[i + 1] - a[i];
    }
}

void differences(const float* a, float* d, int n) {
    differences_kernel<<<4, 256>>>(a, d, n - 1);
}

__global__ void histogram_kernel(const int* a, int* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // Lanes with the same value count together.
    const unsigned same = __match_any_sync(__activemask(), a[i]);
    if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&bins[a[i]], __popc(same));
}

void histogram(const int* a, int* bins, int n) {
    cudaMemsetAsync(bins, 0, kBins * sizeof(int));
    histogram_kernel<<<(n + 255) / 256, 256>>>(a, bins, n);
}

template <class Vector>
__global__ void double_kernel(const Vector* a, Vector* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Vector v = a[i];
    if constexpr (sizeof(Vector) == sizeof(float4)) {
        b[i] = {2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w};
    } else {
        b[i] = 2 * v;
    }
}

void double_from(const float* a, float* b, int first, int n) {
    const float* from = a + first;
    if (reinterpret_cast<std::uintptr_t>(from) % sizeof(float4) == 0) {
        const int count = n / 4;
        double_kernel<<<(count + 255) / 256, 256>>>(reinterpret_cast<const float4*>(from),
                                                    reinterpret_cast<float4*>(b), count);
    } else {
        double_kernel<<<(n + 255) / 256, 256>>>(from, b, n);
    }
}

__global__ void from_first_kernel(const float* a, float* b, int width) {
    const float* row = a + blockIdx.x * width;
    for (int x = threadIdx.x; x < width; x += blockDim.x) b[blockIdx.x * width + x] = row[x] - *row;
}

void from_first(const float* a, float* b, int height, int width) {
    for (int threads = width; threads > 0; threads /= 2) {
        from_first_kernel<<<height, threads>>>(a, b, width);
        if (cudaGetLastError() == cudaSuccess) return;
    }
}

__global__ void mirror_kernel(float* image, int width) {
    extern __shared__ float row[];
    float* mine = image + blockIdx.x * width;
    for (int x = threadIdx.x; x < width; x += blockDim.x) row[width - 1 - x] = mine[x];
    __syncthreads();
    for (int x = threadIdx.x; x < width; x += blockDim.x) mine[x] = row[x];
}

void mirror_image(const float* in, float* out, int height, int width) {
    const size_t row = width * sizeof(float);
    float* image;
    cudaMalloc(&image, height * row);
    cudaMemcpy(image, in, height * row, cudaMemcpyHostToDevice);
    mirror_kernel<<<height, 128, row>>>(image, width);
    cudaMemcpy2D(out, row, image, row, row, height, cudaMemcpyDeviceToHost);
    cudaFree(image);
}

__global__ void sum_of_squares_kernel(const int* a, unsigned long long* sum, int n) {
    __shared__ unsigned long long of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // Exact: a double has 53 binary digits, and a square here at most 40.
        const double square = static_cast<double>(a[i]) * a[i];
        atomicAdd(&of_block, static_cast<unsigned long long>(square));
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

void sum_of_squares(const int* a, unsigned long long* sum, int n) {
    cudaMemset(sum, 0, sizeof(*sum));
    sum_of_squares_kernel<<<(n + 255) / 256, 256>>>(a, sum, n);
}

__global__ void reverse_rows_kernel(const float* a, float* b, int rows) {
    __shared__ float tile[kThreads];
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        tile[threadIdx.x] = a[row * kThreads + threadIdx.x];
        __syncthreads();
        const float mine = tile[kThreads - 1 - threadIdx.x];
        __syncthreads();
        b[row * kThreads + threadIdx.x] = mine;
    }
}

void reverse_rows(const float* a, float* b, int rows) {
    reverse_rows_kernel<<<3, kThreads>>>(a, b, rows);
}

__global__ void block_sums_kernel(const int* a, int* sums, int n) {
    __shared__ int part[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    for (int half = kThreads / 2; half >= 32; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x >= 32) return;
    int sum = part[threadIdx.x];
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffff, sum, lanes);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void block_sums(const int* a, int* sums, int n) {
    block_sums_kernel<<<(n + 255) / 256, kThreads>>>(a, sums, n);
}

__global__ void warp_maxima_kernel(const int* a, int* maxima, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned there = __ballot_sync(0xffffffff, i < n);
    if (i >= n) return;
    const int largest = __reduce_max_sync(there, a[i]);
    if (i % 32 == 0) maxima[i / 32] = largest;
}

void warp_maxima(const int* a, int* maxima, int n) {
    warp_maxima_kernel<<<(n + 127) / 128, 128>>>(a, maxima, n);
}

void two_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                 cudaStream_t second) {
    const int blocks = (n + 255) / 256;
    late_double_kernel<<<blocks, 256, 0, first>>>(a, b, n, delay_us);
    cudaDeviceSynchronize();
    add_kernel<<<blocks, 256, 0, second>>>(a, b, c, n);
}

// Right: no barriers. The histogram counts in global memory, the rows are reversed without a tile,
// the blocks' sums and the warps' maxima come from atomic operations. Wide loads begin at an
// aligned element and shift.

#include "debugging.h"

#include <climits>

constexpr Finding kFindings[] = {
    {'b', Kind::bound},
    {'i', Kind::uninitialised},
    {'c', Kind::misaligned},
    {'e', Kind::unchecked_launch},
    {'h', Kind::copy_size},
    {'d', Kind::overflow},
    {'e', Kind::missing_barrier},
    {'g', Kind::divergent_barrier},
    {'b', Kind::mask},
    {'c', Kind::stream_order},
};

Finding bug(int k) {
    return kFindings[k - 1];
}

__global__ void differences_kernel(const float* a, float* d, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) d[i] = a[i + 1] - a[i];
}

void differences(const float* a, float* d, int n) {
    differences_kernel<<<(n + 255) / 256, 256>>>(a, d, n);
}

__global__ void fill_kernel(int* x, int value, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

__global__ void histogram_kernel(const int* a, int* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[a[i]], 1);
}

void histogram(const int* a, int* bins, int n) {
    fill_kernel<<<1, kBins>>>(bins, 0, kBins);
    histogram_kernel<<<(n + 255) / 256, 256>>>(a, bins, n);
}

/// Four elements from any place: of the aligned four that hold the first, and the next ones if
/// there is more than one piece.
__device__ float4 load_four(const float* a, int begin) {
    const int shift = begin % 4;
    const float4 low = *reinterpret_cast<const float4*>(a + begin - shift);
    if (shift == 0) return low;
    if (shift == 1) return {low.y, low.z, low.w, a[begin + 3]};
    if (shift == 2) return {low.z, low.w, a[begin + 2], a[begin + 3]};
    return {low.w, a[begin + 1], a[begin + 2], a[begin + 3]};
}

__global__ void double_from_kernel(const float* a, float* b, int first, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const float4 v = load_four(a, first + i);
    *reinterpret_cast<float4*>(&b[i]) = {2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w};
}

void double_from(const float* a, float* b, int first, int n) {
    double_from_kernel<<<(n / 4 + 255) / 256, 256>>>(a, b, first, n);
}

__global__ void from_first_kernel(const float* a, float* b, int width) {
    const int begin = blockIdx.x * width;
    for (int x = threadIdx.x; x < width; x += blockDim.x) b[begin + x] = a[begin + x] - a[begin];
}

void from_first(const float* a, float* b, int height, int width) {
    const int threads = width < 1024 ? width : 1024;
    from_first_kernel<<<height, threads>>>(a, b, width);
}

/// Each block reverses a row in place, by exchanges.
__global__ void mirror_kernel(float* image, int width) {
    float* row = image + blockIdx.x * width;
    for (int x = threadIdx.x; x < width / 2; x += blockDim.x) {
        const float left = row[x];
        row[x] = row[width - 1 - x];
        row[width - 1 - x] = left;
    }
}

void mirror_image(const float* in, float* out, int height, int width) {
    const size_t bytes = sizeof(float) * height * width;
    float* image;
    cudaMalloc(&image, bytes);
    cudaMemcpy(image, in, bytes, cudaMemcpyHostToDevice);
    mirror_kernel<<<height, 256>>>(image, width);
    cudaMemcpy(out, image, bytes, cudaMemcpyDeviceToHost);
    cudaFree(image);
}

__global__ void sum_of_squares_kernel(const int* a, unsigned long long* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, static_cast<unsigned long long>(1LL * a[i] * a[i]));
}

void sum_of_squares(const int* a, unsigned long long* sum, int n) {
    cudaMemset(sum, 0, sizeof(unsigned long long));
    sum_of_squares_kernel<<<(n + 255) / 256, 256>>>(a, sum, n);
}

__global__ void reverse_rows_kernel(const float* a, float* b) {
    const int begin = blockIdx.x * kThreads;
    b[begin + threadIdx.x] = a[begin + kThreads - 1 - threadIdx.x];
}

void reverse_rows(const float* a, float* b, int rows) {
    reverse_rows_kernel<<<rows, kThreads>>>(a, b);
}

__global__ void block_sums_kernel(const int* a, int* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[i / kThreads], a[i]);
}

void block_sums(const int* a, int* sums, int n) {
    const int blocks = (n + kThreads - 1) / kThreads;
    cudaMemset(sums, 0, blocks * sizeof(int));
    block_sums_kernel<<<blocks, kThreads>>>(a, sums, n);
}

__global__ void warp_maxima_kernel(const int* a, int* maxima, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(&maxima[i / 32], a[i]);
}

void warp_maxima(const int* a, int* maxima, int n) {
    const int warps = (n + 31) / 32;
    fill_kernel<<<(warps + 255) / 256, 256>>>(maxima, INT_MIN, warps);
    warp_maxima_kernel<<<(n + 255) / 256, 256>>>(a, maxima, n);
}

void two_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                 cudaStream_t second) {
    const int blocks = (n + 255) / 256;
    late_double_kernel<<<blocks, 256, 0, first>>>(a, b, n, delay_us);
    // Streams made without flags would wait for the default stream; these do not.
    cudaStreamSynchronize(first);
    add_kernel<<<blocks, 256, 0, second>>>(a, b, c, n);
}

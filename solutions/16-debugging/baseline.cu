// Lab 16, baseline: every function in its simplest form. Nothing is shared, so nobody waits for
// anybody, and one thread makes one element of the result.

#include "debugging.h"

#include <algorithm>
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
    {'b', Kind::stream_order},
};

Finding bug(int k) {
    return kFindings[k - 1];
}

static int blocks_for(int n) {
    return (n + kThreads - 1) / kThreads;
}

static __device__ int my_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

static __global__ void differences_kernel(const float* a, float* d, int count) {
    const int i = my_index();
    if (i < count) d[i] = a[i + 1] - a[i];
}

void differences(const float* a, float* d, int n) {
    if (n > 1) differences_kernel<<<blocks_for(n - 1), kThreads>>>(a, d, n - 1);
}

static __global__ void histogram_kernel(const int* a, int* bins, int n) {
    int count = 0;
    for (int i = 0; i < n; ++i) count += a[i] == static_cast<int>(threadIdx.x);
    bins[threadIdx.x] = count;
}

void histogram(const int* a, int* bins, int n) {
    histogram_kernel<<<1, kBins>>>(a, bins, n);
}

static __global__ void double_kernel(const float* a, float* b, int n) {
    const int i = my_index();
    if (i < n) b[i] = 2 * a[i];
}

void double_from(const float* a, float* b, int first, int n) {
    double_kernel<<<blocks_for(n), kThreads>>>(a + first, b, n);
}

static __global__ void from_first_kernel(const float* a, float* b, int width, int n) {
    const int i = my_index();
    if (i < n) b[i] = a[i] - a[i / width * width];
}

void from_first(const float* a, float* b, int height, int width) {
    const int n = height * width;
    from_first_kernel<<<blocks_for(n), kThreads>>>(a, b, width, n);
}

static __global__ void mirror_kernel(const float* in, float* out, int width, int n) {
    const int i = my_index();
    const int begin = i / width * width;
    if (i < n) out[i] = in[begin + width - 1 - (i - begin)];
}

void mirror_image(const float* in, float* out, int height, int width) {
    const int n = height * width;
    float* data;  // in, then out
    cudaMalloc(&data, 2 * n * sizeof(float));
    cudaMemcpy(data, in, n * sizeof(float), cudaMemcpyHostToDevice);
    mirror_kernel<<<blocks_for(n), kThreads>>>(data, data + n, width, n);
    cudaMemcpy(out, data + n, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(data);
}

static __global__ void sum_of_squares_kernel(const int* a, unsigned long long* sum, int n) {
    *sum = 0;
    for (int i = 0; i < n; ++i) *sum += static_cast<long long>(a[i]) * a[i];
}

void sum_of_squares(const int* a, unsigned long long* sum, int n) {
    sum_of_squares_kernel<<<1, 1>>>(a, sum, n);
}

void reverse_rows(const float* a, float* b, int rows) {
    mirror_kernel<<<rows, kThreads>>>(a, b, kThreads, rows * kThreads);
}

static __global__ void block_sums_kernel(const int* a, int* sums, int n) {
    const int block = my_index();
    if (block * kThreads >= n) return;
    int sum = 0;
    for (int i = block * kThreads; i < min((block + 1) * kThreads, n); ++i) sum += a[i];
    sums[block] = sum;
}

void block_sums(const int* a, int* sums, int n) {
    block_sums_kernel<<<blocks_for(blocks_for(n)), kThreads>>>(a, sums, n);
}

static __global__ void warp_maxima_kernel(const int* a, int* maxima, int n) {
    const int begin = 32 * my_index();
    int largest = INT_MIN;
    for (int i = begin; i < min(begin + 32, n); ++i) largest = max(largest, a[i]);
    if (begin < n) maxima[begin / 32] = largest;
}

void warp_maxima(const int* a, int* maxima, int n) {
    warp_maxima_kernel<<<blocks_for((n + 31) / 32), kThreads>>>(a, maxima, n);
}

void two_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                 cudaStream_t second) {
    late_double_kernel<<<blocks_for(n), kThreads, 0, first>>>(a, b, n, delay_us);
    cudaStreamSynchronize(first);
    add_kernel<<<blocks_for(n), kThreads, 0, second>>>(a, b, c, n);
}

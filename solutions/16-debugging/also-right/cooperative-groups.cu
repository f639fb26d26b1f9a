// Right: with cooperative groups. Tiles and blocks synchronise by name, and a group of the lanes
// that are there replaces the mask.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "debugging.h"

namespace cg = cooperative_groups;

constexpr Finding kFindings[] = {
    {'b', Kind::bound},
    {'i', Kind::uninitialised},
    {'c', Kind::misaligned},
    {'e', Kind::unchecked_launch},
    {'h', Kind::copy_size},
    {'e', Kind::overflow},
    {'c', Kind::missing_barrier},
    {'g', Kind::divergent_barrier},
    {'d', Kind::mask},
    {'b', Kind::stream_order},
};

Finding bug(int k) {
    return kFindings[k - 1];
}

__global__ void differences_kernel(const float* a, float* d, int n) {
    const int i = cg::this_grid().thread_rank();
    if (i < n - 1) d[i] = a[i + 1] - a[i];
}

void differences(const float* a, float* d, int n) {
    differences_kernel<<<(n + 255) / 256, 256>>>(a, d, n);
}

__global__ void histogram_kernel(const int* a, int* bins, int n) {
    const auto block = cg::this_thread_block();
    __shared__ int counts[kBins];
    if (block.thread_rank() < kBins) counts[block.thread_rank()] = 0;
    block.sync();
    // One block: its counts are all there are, so they are stored and not added.
    for (int i = block.thread_rank(); i < n; i += block.size()) atomicAdd(&counts[a[i]], 1);
    block.sync();
    if (block.thread_rank() < kBins) bins[block.thread_rank()] = counts[block.thread_rank()];
}

void histogram(const int* a, int* bins, int n) {
    histogram_kernel<<<1, 1024>>>(a, bins, n);
}

__global__ void double_from_kernel(const float* a, float* b, int first, int n) {
    const int i = cg::this_grid().thread_rank();
    if (i < n) b[i] = 2 * a[first + i];
}

void double_from(const float* a, float* b, int first, int n) {
    double_from_kernel<<<(n + 255) / 256, 256>>>(a, b, first, n);
}

__global__ void from_first_kernel(const float* a, float* b, int width) {
    const auto block = cg::this_thread_block();
    const int begin = block.group_index().x * width;
    for (int x = block.thread_rank(); x < width; x += block.size()) {
        b[begin + x] = a[begin + x] - a[begin];
    }
}

void from_first(const float* a, float* b, int height, int width) {
    from_first_kernel<<<height, 128>>>(a, b, width);
}

__global__ void mirror_kernel(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = in[y * width + width - 1 - x];
}

void mirror_image(const float* in, float* out, int height, int width) {
    const size_t bytes = sizeof(float) * height * width;
    float *d_in, *d_out;
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    cudaMemcpy(d_in, in, bytes, cudaMemcpyDefault);
    mirror_kernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(d_in, d_out, width,
                                                                              height);
    cudaMemcpy(out, d_out, bytes, cudaMemcpyDefault);
    cudaFree(d_in);
    cudaFree(d_out);
}

__global__ void sum_of_squares_kernel(const int* a, unsigned long long* sum, int n) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto grid = cg::this_grid();
    unsigned long long mine = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
        mine += static_cast<long long>(a[i]) * static_cast<long long>(a[i]);
    }
    mine = cg::reduce(warp, mine, cg::plus<unsigned long long>());
    if (warp.thread_rank() == 0) atomicAdd(sum, mine);
}

void sum_of_squares(const int* a, unsigned long long* sum, int n) {
    cudaMemset(sum, 0, sizeof(*sum));
    sum_of_squares_kernel<<<32, 256>>>(a, sum, n);
}

__global__ void reverse_rows_kernel(const float* a, float* b, int rows) {
    const auto block = cg::this_thread_block();
    __shared__ float tile[2][kThreads];  // in turn, so that one barrier a row is enough
    int turn = 0;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        tile[turn][threadIdx.x] = a[row * kThreads + threadIdx.x];
        block.sync();
        b[row * kThreads + threadIdx.x] = tile[turn][kThreads - 1 - threadIdx.x];
        turn = 1 - turn;
    }
}

void reverse_rows(const float* a, float* b, int rows) {
    reverse_rows_kernel<<<std::min(rows, 8), kThreads>>>(a, b, rows);
}

__global__ void block_sums_kernel(const int* a, int* sums, int n) {
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    __shared__ int parts[kThreads / 32];
    const int i = cg::this_grid().thread_rank();
    const int sum = cg::reduce(warp, i < n ? a[i] : 0, cg::plus<int>());
    if (warp.thread_rank() == 0) parts[warp.meta_group_rank()] = sum;
    block.sync();
    if (block.thread_rank() == 0) {
        int all = 0;
        for (const int part : parts) all += part;
        sums[blockIdx.x] = all;
    }
}

void block_sums(const int* a, int* sums, int n) {
    block_sums_kernel<<<(n + 255) / 256, kThreads>>>(a, sums, n);
}

__global__ void warp_maxima_kernel(const int* a, int* maxima, int n) {
    const int i = cg::this_grid().thread_rank();
    if (i >= n) return;
    // The lanes that are still there. They are those of one warp's elements.
    const auto there = cg::coalesced_threads();
    const int largest = cg::reduce(there, a[i], cg::greater<int>());
    if (there.thread_rank() == 0) maxima[i / 32] = largest;
}

void warp_maxima(const int* a, int* maxima, int n) {
    warp_maxima_kernel<<<(n + 255) / 256, 256>>>(a, maxima, n);
}

void two_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                 cudaStream_t second) {
    cudaEvent_t doubled, added;
    cudaEventCreate(&doubled);
    cudaEventCreate(&added);
    late_double_kernel<<<(n + 255) / 256, 256, 0, first>>>(a, b, n, delay_us);
    cudaEventRecord(doubled, first);
    cudaStreamWaitEvent(second, doubled);
    add_kernel<<<(n + 255) / 256, 256, 0, second>>>(a, b, c, n);
    // And who goes on in `first` finds c complete.
    cudaEventRecord(added, second);
    cudaStreamWaitEvent(first, added);
    cudaEventDestroy(doubled);
    cudaEventDestroy(added);
}

// Lab 04, baseline: right, and slow. Every block is one thread, so of the 32 lanes of each warp one
// works, and a multiprocessor, which takes 32 blocks at a time, runs 32 threads.

#include "julia_set.h"

#include <cstddef>

__device__ int escape_count(float re, float im) {
    for (int step = 0; step < julia_max_steps; ++step) {
        const float new_re = re * re - im * im + julia_c_re;
        im = 2 * re * im + julia_c_im;
        re = new_re;
        if (re * re + im * im > julia_bound) return step;
    }
    return julia_max_steps;
}

__global__ void julia_kernel(int* counts, int dim, float scale) {
    const int x = blockIdx.x, y = blockIdx.y;
    const float re = scale * (2 * x + 1 - dim) / dim;
    const float im = scale * (dim - 1 - 2 * y) / dim;
    counts[y * dim + x] = escape_count(re, im);
}

void launch_julia_set(int* counts, int dim, float scale) {
    if (dim == 0) return;
    julia_kernel<<<dim3(dim, dim), 1>>>(counts, dim, scale);
}

void julia_set(int* member, int* counts, int dim, float scale) {
    const int pixels = dim * dim;
    const std::size_t counts_bytes = pixels * sizeof(int);
    int* d_counts = nullptr;
    cudaMalloc(&d_counts, counts_bytes);
    launch_julia_set(d_counts, dim, scale);
    cudaMemcpy(counts, d_counts, counts_bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_counts);
    for (int i = 0; i < pixels; ++i) member[i] = counts[i] == julia_max_steps;
}

// Right: as many threads as the GPU holds; a warp that is done draws its next 128 pixels from a
// counter.

#include "julia_set.h"

__device__ int escape_count(float re, float im) {
    for (int step = 0; step < julia_max_steps; ++step) {
        const float new_re = re * re - im * im + julia_c_re;
        im = 2 * re * im + julia_c_im;
        re = new_re;
        if (re * re + im * im > julia_bound) return step;
    }
    return julia_max_steps;
}

__device__ int next_pixel;

__global__ void julia_kernel(int* counts, int dim, float scale) {
    constexpr int drawn = 128;
    const int lane = threadIdx.x % 32, pixels = dim * dim;
    while (true) {
        int first = 0;
        if (lane == 0) first = atomicAdd(&next_pixel, drawn);
        first = __shfl_sync(0xffffffff, first, 0);
        if (first >= pixels) return;
        for (int i = first + lane; i < first + drawn && i < pixels; i += 32) {
            const float re = scale * (2 * (i % dim) + 1 - dim) / dim;
            const float im = scale * (dim - 1 - 2 * (i / dim)) / dim;
            counts[i] = escape_count(re, im);
        }
        __syncwarp();
    }
}

void launch_julia_set(int* counts, int dim, float scale) {
    if (dim == 0) return;
    void* counter = nullptr;
    cudaGetSymbolAddress(&counter, next_pixel);
    cudaMemsetAsync(counter, 0, sizeof(int));
    julia_kernel<<<8 * 132, 256>>>(counts, dim, scale);
}

__global__ void member_kernel(const int* counts, int* member, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) member[i] = counts[i] == julia_max_steps;
}

void julia_set(int* member, int* counts, int dim, float scale) {
    if (dim == 0) return;
    const int pixels = dim * dim;
    int *d_member, *d_counts;
    cudaMalloc(&d_member, pixels * sizeof(int));
    cudaMalloc(&d_counts, pixels * sizeof(int));
    launch_julia_set(d_counts, dim, scale);
    member_kernel<<<(pixels + 255) / 256, 256>>>(d_counts, d_member, pixels);
    cudaMemcpy(counts, d_counts, pixels * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(member, d_member, pixels * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_counts);
    cudaFree(d_member);
}

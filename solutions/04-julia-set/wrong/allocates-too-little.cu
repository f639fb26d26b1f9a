// Wrong: writes past the end of its own array. cudaMalloc counts bytes, and there is one for each
// count.
//
// expect vgpu: "julia_set: both images on the host": "past the end of d_counts (allocated in line 44"
// expect gpu: needs sanitizer

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

__global__ void julia_kernel(int* counts, int dim, float scale) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dim || y >= dim) return;
    const float re = scale * (2 * x + 1 - dim) / dim;
    const float im = scale * (dim - 1 - 2 * y) / dim;
    counts[y * dim + x] = escape_count(re, im);
}

void launch_julia_set(int* counts, int dim, float scale) {
    if (dim == 0) return;
    const int side = (dim + 15) / 16;
    julia_kernel<<<dim3(side, side), dim3(16, 16)>>>(counts, dim, scale);
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
    cudaMalloc(&d_counts, pixels);
    launch_julia_set(d_counts, dim, scale);
    member_kernel<<<(pixels + 255) / 256, 256>>>(d_counts, d_member, pixels);
    cudaMemcpy(counts, d_counts, pixels * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(member, d_member, pixels * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_counts);
    cudaFree(d_member);
}

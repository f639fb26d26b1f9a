// Wrong: each image is copied to the other's place.
//
// expect vgpu: "julia_set: both images on the host": "swapped"
// expect gpu: "julia_set: both images on the host": "swapped"

#include "julia_set.h"

#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

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
    const dim3 threads(16, 16);
    const dim3 blocks((dim + 15) / 16, (dim + 15) / 16);
    julia_kernel<<<blocks, threads>>>(counts, dim, scale);
    CUDA_CHECK(cudaGetLastError());
}

__global__ void member_kernel(int* member, const int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) member[i] = counts[i] == julia_max_steps;
}

void julia_set(int* member, int* counts, int dim, float scale) {
    if (dim == 0) return;
    const int n = dim * dim;
    const size_t bytes = n * sizeof(int);
    int *d_member, *d_counts;
    CUDA_CHECK(cudaMalloc(&d_member, bytes));
    CUDA_CHECK(cudaMalloc(&d_counts, bytes));
    launch_julia_set(d_counts, dim, scale);
    member_kernel<<<(n + 255) / 256, 256>>>(d_member, d_counts, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(member, d_counts, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(counts, d_member, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_member));
    CUDA_CHECK(cudaFree(d_counts));
}

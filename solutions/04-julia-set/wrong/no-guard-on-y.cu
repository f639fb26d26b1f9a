// Wrong: no guard on y. The rows beneath the last one are stored as well.
//
// expect vgpu: "launch_julia_set: up to 16 x 16 pixels": "Such threads must do nothing"
// expect gpu: "launch_julia_set: up to 16 x 16 pixels": "past the end of counts"

#include "julia_set.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

inline int cpu_escape_count(float re, float im) {
    for (int step = 0; step < julia_max_steps; ++step) {
        const float new_re = re * re - im * im + julia_c_re;
        im = 2 * re * im + julia_c_im;
        re = new_re;
        if (re * re + im * im > julia_bound) return step;  // this step was one too many
    }
    return julia_max_steps;
}

inline void cpu_julia_set(int* member, int* counts, int dim, float scale) {
    for (int y = 0; y < dim; ++y) {
        for (int x = 0; x < dim; ++x) {
            const float re = scale * (2 * x + 1 - dim) / dim;
            const float im = scale * (dim - 1 - 2 * y) / dim;
            counts[y * dim + x] = cpu_escape_count(re, im);
            member[y * dim + x] = counts[y * dim + x] == julia_max_steps;
        }
    }
}

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
    if (x >= dim) return;
    const float re = scale * (2 * x + 1 - dim) / dim;
    const float im = scale * (dim - 1 - 2 * y) / dim;
    counts[y * dim + x] = escape_count(re, im);
}

void launch_julia_set(int* counts, int dim, float scale) {
    const dim3 threads(16, 16);

    if (dim == 0) return;
    const unsigned side = (dim - 1) / threads.x + 1;  // rounds up; the blocks are square
    const dim3 blocks(side, side);

    julia_kernel<<<blocks, threads>>>(counts, dim, scale);
    CUDA_CHECK(cudaGetLastError());
}

__global__ void member_kernel(const int* counts, int* member, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) member[i] = counts[i] == julia_max_steps;
}

void julia_set(int* member, int* counts, int dim, float scale) {
    if (dim == 0) return;
    const int pixels = dim * dim;
    const std::size_t size_bytes = pixels * sizeof(int);

    int *d_member, *d_counts;
    CUDA_CHECK(cudaMalloc(&d_member, size_bytes));
    CUDA_CHECK(cudaMalloc(&d_counts, size_bytes));

    launch_julia_set(d_counts, dim, scale);
    member_kernel<<<(pixels - 1) / 256 + 1, 256>>>(d_counts, d_member, pixels);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(member, d_member, size_bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(counts, d_counts, size_bytes, cudaMemcpyDeviceToHost));

    CUDA_CHECK(cudaFree(d_member));
    CUDA_CHECK(cudaFree(d_counts));
}

#ifdef JULIA_PROGRAM
int main(int argc, char** argv) {
    const int dim = argc > 1 ? std::atoi(argv[1]) : 1000;
    const float scale = argc > 2 ? std::atof(argv[2]) : 1.5;
    std::vector<int> member(dim * dim), counts(dim * dim);
    const auto compute = argc > 3 ? cpu_julia_set : julia_set;  // any third argument: on the CPU
    compute(member.data(), counts.data(), dim, scale);

    std::FILE* file = std::fopen("julia.dat", "w");
    for (int i = 0; i < dim * dim; ++i) {
        const int x = i % dim, y = i / dim;
        if (member[i]) {
            std::fprintf(file, "%g %g\n", scale * (2 * x + 1 - dim) / dim,
                         scale * (dim - 1 - 2 * y) / dim);
        }
    }
    std::fclose(file);
}
#endif

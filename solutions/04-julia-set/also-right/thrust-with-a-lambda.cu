// Right: the second kernel is Thrust's, with a lambda of the device.

#include "julia_set.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/transform.h>
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

void julia_set(int* member, int* counts, int dim, float scale) {
    thrust::device_vector<int> c(dim * dim), m(dim * dim);
    launch_julia_set(thrust::raw_pointer_cast(c.data()), dim, scale);
    thrust::transform(c.begin(), c.end(), m.begin(),
                      [] __device__(int k) { return int(k == julia_max_steps); });
    thrust::copy(c.begin(), c.end(), counts);
    thrust::copy(m.begin(), m.end(), member);
}

// Right: managed memory in julia_set, and the members made on the host; cooperative groups say
// where a thread is.

#include "julia_set.h"

#include <cooperative_groups.h>

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
    const dim3 at = cooperative_groups::this_grid().thread_index();
    const int x = at.x, y = at.y;
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

void julia_set(int* member, int* counts, int dim, float scale) {
    if (dim == 0) return;
    int* shared_counts;
    cudaMallocManaged(&shared_counts, dim * dim * sizeof(int));
    launch_julia_set(shared_counts, dim, scale);
    cudaDeviceSynchronize();
    for (int i = 0; i < dim * dim; ++i) {
        counts[i] = shared_counts[i];
        member[i] = counts[i] == julia_max_steps;
    }
    cudaFree(shared_counts);
}

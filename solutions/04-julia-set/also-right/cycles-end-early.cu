// Right: an orbit that comes back to a point where it was is a member, and is not followed any
// further; compact warps, stored by rows through shared memory; memory from a pool.

#include <cassert>
#include <cstdio>
#include "julia_set.h"
// Brent: an orbit that comes back to where it was never escapes.
__device__ int follow(float re, float im) {
    float seen_re = re, seen_im = im;
    int power = 1, lam = 0;
    for (int step = 0; step < julia_max_steps; ++step) {
        const float r = fmaf(re, re, fmaf(-im, im, julia_c_re));
        im = fmaf(re + re, im, julia_c_im);
        re = r;
        if (re * re + im * im > julia_bound) return step;
        if (re == seen_re && im == seen_im) return julia_max_steps;
        if (++lam == power) {
            power *= 2;
            lam = 0;
            seen_re = re;
            seen_im = im;
        }
    }
    return julia_max_steps;
}
__global__ void k(int* counts, int dim, float scale) {
    __shared__ int tile[8][33];
    assert(blockDim.x == 256);
    const int lx = threadIdx.x % 32, ly = threadIdx.x / 32;
    const int x = blockIdx.x * 32 + lx, y = blockIdx.y * 8 + ly;
    // compact warps, stored by rows
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int cx = (warp % 4) * 8 + lane % 8, cy = (warp / 4) * 4 + lane / 8;
    const int px = blockIdx.x * 32 + cx, py = blockIdx.y * 8 + cy;
    tile[cy][cx] = px < dim && py < dim
                       ? follow(scale * (2 * px + 1 - dim) / dim, scale * (dim - 1 - 2 * py) / dim)
                       : 0;
    __syncthreads();
    if (x < dim && y < dim) counts[(size_t)y * dim + x] = tile[ly][lx];
    if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0) printf("debug: %d\n", tile[0][0]);
}
__global__ void m(const int4* c, int4* mem, const int* c1, int* m1, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        const int4 v = c[i];
        mem[i] = make_int4(v.x == 200, v.y == 200, v.z == 200, v.w == 200);
    }
    if (i < n % 4) m1[n - 1 - i] = c1[n - 1 - i] == 200;
}
void launch_julia_set(int* counts, int dim, float scale) {
    if (dim > 0) k<<<dim3((dim + 31) / 32, (dim + 7) / 8), 256>>>(counts, dim, scale);
}
void julia_set(int* member, int* counts, int dim, float scale) {
    const int n = dim * dim;
    int *c = nullptr, *mm = nullptr;
    cudaStream_t s;
    cudaStreamCreate(&s);
    if (n) {
        cudaMallocAsync(&c, n * sizeof(int), s);
        cudaMallocAsync(&mm, n * sizeof(int), s);
        cudaStreamSynchronize(s);
        launch_julia_set(c, dim, scale);
        m<<<n / 4 / 64 + 1, 64, 0, s>>>((int4*)c, (int4*)mm, c, mm, n);
        cudaMemcpyAsync(counts, c, n * sizeof(int), cudaMemcpyDeviceToHost, s);
        cudaMemcpyAsync(member, mm, n * sizeof(int), cudaMemcpyDeviceToHost, s);
        cudaFreeAsync(c, s);
        cudaFreeAsync(mm, s);
    }
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
}

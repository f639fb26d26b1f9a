// Lab 04, expert: as few instructions as we know how to. Four ideas, each right for every dim:
//
//  - Half the work. z and -z have the same square, so their orbits agree from the first step on,
//    and their points are pixels i and pixels - 1 - i of the image. The formula is symmetric to the
//    last bit. One orbit, two pixels.
//  - Compact warps. A warp takes as long as its slowest lane, and near pixels have near counts:
//    8 x 4 pixels are nearer to each other than 32 x 1.
//  - Fewer looks. What has escaped stays outside, and |z|^2 is squared by every further step. So
//    looking after every fifth step is enough: how large it is by then tells when it escaped.
//    Where it is too near to a power of 1000 to tell (one orbit in 1000), the orbit is done again,
//    looking after each step. This happens behind the loop, where the warp is together.
//  - No division. An orbit is 24 steps on average, about a hundred instructions: the two divisions
//    of a pixel's coordinates would be another forty.

#include "julia_set.h"

#include <cstddef>

namespace {

constexpr int kTileWidth = 8, kTileHeight = 4;   // the pixels of a warp
constexpr int kWarpsAcross = 2, kWarpsDown = 4;  // the warps of a block
constexpr int kBlockWidth = kTileWidth * kWarpsAcross, kBlockHeight = kTileHeight * kWarpsDown;
constexpr int kWarpSize = kTileWidth * kTileHeight;
constexpr int kThreads = kWarpSize * kWarpsAcross * kWarpsDown;

constexpr int kGroup = 5;  // steps without a look between them: the most that growth() can tell
static_assert(julia_max_steps % kGroup == 0, "the last group must end with the last step");

__device__ void step(float& re, float& im) {
    const float new_re = fmaf(re, re, fmaf(-im, im, julia_c_re));
    im = fmaf(2 * re, im, julia_c_im);
    re = new_re;
}

__device__ float square_of_magnitude(float re, float im) {
    return fmaf(re, re, im * im);
}

/// How many steps ago |z|^2 passed 1000, if it is `square` now and it was at most three: a step
/// squares it, but for c, which moves it by less than 1 % in all. `grown` is slightly below 1 or
/// above, to stand on either side of that.
__device__ int growth(float square, float grown) {
    static_assert(julia_bound == 1000, "its powers are below");
    return (square > 1e6F * grown) + (square > 1e12F * grown) + (square > 1e24F * grown);
}

__device__ int count_with_every_look(float re, float im) {
    int survived = 0;
    for (; survived < julia_max_steps; ++survived) {
        step(re, im);
        if (square_of_magnitude(re, im) > julia_bound) break;
    }
    return survived;
}

__device__ int escape_count(float re, float im) {
    const float first_re = re, first_im = im;
    float before_re = re, before_im = im;  // before the last step of a group
    int survived = 0;
    for (; survived < julia_max_steps; survived += kGroup) {
#pragma unroll
        for (int i = 0; i < kGroup - 1; ++i) step(re, im);
        before_re = re;
        before_im = im;
        step(re, im);
        if (!(square_of_magnitude(re, im) <= julia_bound)) break;  // it may be NaN
    }
    if (survived == julia_max_steps) return survived;
    const float square = square_of_magnitude(before_re, before_im);  // not NaN after four steps
    if (square <= julia_bound) return survived + kGroup - 1;
    const int outside = growth(square, 1.01F);
    if (outside != growth(square, 0.99F)) return count_with_every_look(first_re, first_im);
    return survived + kGroup - 2 - outside;
}

__global__ void __launch_bounds__(kThreads)
    julia_kernel(int* counts, int* member, int dim, float half_pixel) {
    const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
    const int x = blockIdx.x * kBlockWidth + warp % kWarpsAcross * kTileWidth + lane % kTileWidth;
    const int y = blockIdx.y * kBlockHeight + warp / kWarpsAcross * kTileHeight + lane / kTileWidth;
    if (x >= dim || y >= dim) return;
    const int pixel = y * dim + x, twin = dim * dim - 1 - pixel;
    if (pixel > twin) return;  // the right half of an odd image's middle row
    const float re = half_pixel * (2 * x + 1 - dim), im = half_pixel * (dim - 1 - 2 * y);
    const int count = escape_count(re, im);
    counts[pixel] = count;
    if (twin != pixel) counts[twin] = count;
    if (member == nullptr) return;
    member[pixel] = member[twin] = count == julia_max_steps;
}

void launch(int* counts, int* member, int dim, float scale) {
    if (dim == 0) return;
    const int rows = (dim + 1) / 2;
    const dim3 blocks((dim - 1) / kBlockWidth + 1, (rows - 1) / kBlockHeight + 1);
    julia_kernel<<<blocks, kThreads>>>(counts, member, dim, scale / dim);
}

}  // namespace

void launch_julia_set(int* counts, int dim, float scale) {
    launch(counts, nullptr, dim, scale);
}

void julia_set(int* member, int* counts, int dim, float scale) {
    if (dim == 0) return;
    const std::size_t pixels = static_cast<std::size_t>(dim) * dim;
    int* d_counts = nullptr;
    int* d_member = nullptr;
    cudaMalloc(&d_counts, pixels * sizeof(int));
    cudaMalloc(&d_member, pixels * sizeof(int));
    launch(d_counts, d_member, dim, scale);
    cudaMemcpy(counts, d_counts, pixels * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(member, d_member, pixels * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_counts);
    cudaFree(d_member);
}

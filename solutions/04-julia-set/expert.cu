// Lab 04, expert: as few instructions as we know how to. Five ideas, each right for every dim:
//
//  - Half the work. z and -z have the same square, so their orbits agree from the first step on,
//    and their points are pixels i and pixels - 1 - i of the image. The formula is symmetric to the
//    last bit. One orbit, two pixels.
//  - Compact warps. A warp takes as long as its slowest lane, and near pixels have near counts:
//    8 x 4 pixels are nearer to each other than 32 x 1.
//  - Three places for each warp, far from each other. A block takes as long as its slowest warp,
//    and sums of three places differ less than single ones. The real part is the same in all.
//  - Fewer looks. What has escaped stays outside, and |z|^2 is squared by every further step. So
//    looking after every eighth step is enough: how large it was in the middle, or is by then,
//    tells when it escaped. Where it is too near to a power of 1000 to tell (one orbit in 2500),
//    the orbit is done again, looking after each step. This happens behind the loop, where the warp
//    is together.
//  - No division. An orbit is 24 steps on average, about a hundred instructions: the two divisions
//    of a pixel's coordinates would be another forty.

#include "julia_set.h"

#include <cstddef>

namespace {

constexpr int kTileWidth = 8, kTileHeight = 4;   // the pixels of a warp
constexpr int kWarpsAcross = 2, kWarpsDown = 2;  // the warps of a block
constexpr int kBlockWidth = kTileWidth * kWarpsAcross, kBlockHeight = kTileHeight * kWarpsDown;
constexpr int kWarpSize = kTileWidth * kTileHeight;
constexpr int kThreads = kWarpSize * kWarpsAcross * kWarpsDown;
constexpr int kPlaces = 3;

constexpr int kHalf = 4;  // steps of which one size tells in which |z|^2 passed 1000: the most
static_assert(julia_max_steps % (2 * kHalf) == 0, "the last group must end with the last step");

__device__ void step(float& re, float& im) {
    const float new_re = fmaf(re, re, fmaf(-im, im, julia_c_re));
    im = fmaf(2 * re, im, julia_c_im);
    re = new_re;
}

__device__ float square_of_magnitude(float re, float im) {
    return fmaf(re, re, im * im);
}

/// Whether |z|^2 may have passed 1000. If it has not, the next step will: |re| + |im| is at
/// most 1.42 times |z|. What overflowed may be NaN.
__device__ bool has_or_will(float re, float im) {
    static_assert(julia_bound == 1000, "its square root is below");
    return !(fabsf(re) + fabsf(im) <= 31.62F);
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
    float middle_re = re, middle_im = im;
    int survived = 0;
    for (; survived < julia_max_steps; survived += 2 * kHalf) {
#pragma unroll
        for (int i = 0; i < kHalf; ++i) step(re, im);
        middle_re = re;
        middle_im = im;
#pragma unroll
        for (int i = 0; i < kHalf; ++i) step(re, im);
        if (has_or_will(re, im)) break;
    }
    if (survived == julia_max_steps) return survived;

    const float middle = square_of_magnitude(middle_re, middle_im);
    const bool in_first_half = middle > julia_bound;
    const float square = in_first_half ? middle : square_of_magnitude(re, im);  // not NaN
    survived += (in_first_half ? kHalf : 2 * kHalf) - 1;

    // Its logarithm to the base 1000 is 1 to 2 if the last step passed 1000, 2 to 4 if the one
    // before, and so on; the binary logarithm of that is moved by c by at most 0.00017. Below 1000
    // and where it overflowed it is the nearest that can be.
    constexpr float kPerLog2 = 0.100343332F;  // 1 / log2(1000)
    const float above = __log2f(__log2f(square) * kPerLog2) - 0.5F;
    const float within = fminf(fmaxf(above, 0.F), kHalf - 1.F);
    const float outside = rintf(within);  // how many steps ago
    if (fabsf(within - outside) > 0.4997F) return count_with_every_look(first_re, first_im);
    return survived - static_cast<int>(outside) + (square <= julia_bound);
}

__global__ void __launch_bounds__(kThreads)
    julia_kernel(int* counts, int* member, int dim, float half_pixel) {
    const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
    const int x = blockIdx.x * kBlockWidth + warp % kWarpsAcross * kTileWidth + lane % kTileWidth;
    const int first_y =
        blockIdx.y * kBlockHeight + warp / kWarpsAcross * kTileHeight + lane / kTileWidth;
    if (x >= dim) return;
    const float re = half_pixel * (2 * x + 1 - dim);
#pragma unroll 1
    for (int place = 0; place < kPlaces; ++place) {
        const int y = first_y + place * gridDim.y * kBlockHeight;
        const int pixel = y * dim + x, twin = dim * dim - 1 - pixel;
        if (pixel > twin) return;  // below the middle
        const int count = escape_count(re, half_pixel * (dim - 1 - 2 * y));
        counts[pixel] = counts[twin] = count;
        if (member != nullptr) member[pixel] = member[twin] = count == julia_max_steps;
    }
}

void launch(int* counts, int* member, int dim, float scale) {
    if (dim == 0) return;
    const int rows = (dim + 1) / 2;
    const dim3 blocks((dim - 1) / kBlockWidth + 1, (rows - 1) / (kBlockHeight * kPlaces) + 1);
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

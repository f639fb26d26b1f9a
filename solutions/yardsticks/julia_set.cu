// How much of the rate of its loop the Julia set reaches: steps a second for the image, against
// those of the same loop when every thread follows the same orbit, 200 steps long.
//
// A step counts once if it was needed: an orbit of count c has c + 1 of them, or 200. The expert
// follows half of the orbits, and only the steps of these count for it.

#include "julia_set.h"

#include "yardsticks.h"

namespace julia_set_expert {
#include "../04-julia-set/expert.cu"
}
namespace julia_set_reference {
#include "../04-julia-set/julia_set.cu"
}
namespace julia_set_8_by_4 {
#include "../04-julia-set/also-right/warps-of-8-by-4.cu"
}

namespace yardsticks {

constexpr int kDim = 4096;
constexpr float kScale = 1.5F, kHalfPixel = kScale / kDim;
constexpr std::size_t kPixels = std::size_t{kDim} * kDim;

/// Every thread follows the orbit of the same point, by the loop of `Loop`.
template <class Loop>
static __global__ void __launch_bounds__(256) same_orbit_kernel(int* counts, float re, float im) {
    counts[blockIdx.x * 256 + threadIdx.x] = Loop::count(re, im);
}

struct ReferenceLoop {
    static __device__ int count(float re, float im) {
        return julia_set_reference::escape_count(re, im);
    }
};
struct ExpertLoop {
    static __device__ int count(float re, float im) {
        return julia_set_expert::escape_count(re, im);
    }
};

/// As the expert computes, step by step: its counts must be these to the last one.
static __global__ void check_counts_kernel(const int* counts, unsigned* wrong) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const float re = kHalfPixel * (2 * x + 1 - kDim), im = kHalfPixel * (kDim - 1 - 2 * y);
    if (counts[y * kDim + x] != julia_set_expert::count_with_every_look(re, im)) {
        atomicAdd(wrong, 1u);
    }
}

/// Whether the orbit of this point has all steps, by both loops: near the edge they may differ.
static bool is_member(float re, float im) {
    const DeviceArray<int> counts(512);
    same_orbit_kernel<ReferenceLoop><<<1, 256>>>(counts.get(), re, im);
    same_orbit_kernel<ExpertLoop><<<1, 256>>>(counts.get() + 256, re, im);
    const std::vector<int> got = counts.on_host();
    return std::all_of(got.begin(), got.end(), [](int c) { return c == julia_max_steps; });
}

void measure_julia_set() {
    const DeviceArray<int> counts(kPixels), same_counts(kPixels / 2);
    counts.poison();
    julia_set_expert::launch_julia_set(counts.get(), kDim, kScale);
    double steps = 0;
    const std::vector<int> image = counts.on_host();
    for (const int count : image) steps += std::min(count + 1, julia_max_steps);
    float re = 0, im = 0;
    for (int i = 0; !is_member(re, im); ++i) {
        while (image.at(i) < julia_max_steps) ++i;
        re = kHalfPixel * (2 * (i % kDim) + 1 - kDim);
        im = kHalfPixel * (kDim - 1 - 2 * (i / kDim));
    }

    const auto expert = [&] { julia_set_expert::launch_julia_set(counts.get(), kDim, kScale); };
    const auto expert_right = [&] {
        const WrongCount wrong;
        check_counts_kernel<<<dim3(kDim / 16, kDim / 16), dim3(16, 16)>>>(counts.get(),
                                                                          wrong.get());
        const std::vector<int> same = same_counts.on_host();
        return wrong.is_zero() && std::all_of(same.begin(), same.end(),
                                              [](int count) { return count == julia_max_steps; });
    };
    // Other sums, so other counts where an orbit is chaotic: at most 3 % of the pixels (notes.md).
    const auto nearly_right = [&] {
        const std::vector<int> got = counts.on_host();
        std::size_t different = 0;
        for (std::size_t i = 0; i < kPixels; ++i) different += got[i] != image[i];
        return different <= kPixels * 3 / 100;
    };
    const auto same_orbit = [&](auto loop) {
        return [&counts = same_counts, re, im] {
            same_orbit_kernel<decltype(loop)><<<kPixels / 2 / 256, 256>>>(counts.get(), re, im);
        };
    };
    const char* const reference_loop = "the reference's loop, every thread 200 steps";
    const double same_steps = 0.5 * kPixels * julia_max_steps;
    measure({"julia-set", "4096", reference_loop, 0.8, expert, same_orbit(ReferenceLoop{}),
             expert_right, 0.5e-6 * steps, 1e-6 * same_steps, "billion steps a second"});
    measure({"julia-set, against its own loop", "4096", "the expert's loop, every thread 200 steps",
             0.8, expert, same_orbit(ExpertLoop{}), expert_right, 0.5e-6 * steps, 1e-6 * same_steps,
             "billion steps a second"});
    measure({"julia-set, blocks of 16 x 16 (reference)", "4096", reference_loop, 0,
             [&] { julia_set_reference::launch_julia_set(counts.get(), kDim, kScale); },
             same_orbit(ReferenceLoop{}), nearly_right, 1e-6 * steps, 1e-6 * same_steps,
             "billion steps a second"});
    measure({"julia-set, warps of 8 x 4", "4096", reference_loop, 0,
             [&] { julia_set_8_by_4::launch_julia_set(counts.get(), kDim, kScale); },
             same_orbit(ReferenceLoop{}), nearly_right, 1e-6 * steps, 1e-6 * same_steps,
             "billion steps a second"});
}

}  // namespace yardsticks

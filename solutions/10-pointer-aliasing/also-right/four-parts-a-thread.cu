// Right: a grid-stride loop in a template, four independent parts at a time, and cooperative
// groups: differences reads into registers, and the whole grid waits before it writes.

#include "pointer_aliasing.h"

#include <cooperative_groups.h>

#include <algorithm>

template <int kParts>
__global__ void anneal_kernel(const float* start, const float* rate, const float* bath,
                              float* temperature, int n, int cycles) {
    const int stride = gridDim.x * blockDim.x;
    for (int first = blockIdx.x * blockDim.x + threadIdx.x; first < n; first += kParts * stride) {
        float t[kParts];
#pragma unroll
        for (int p = 0; p < kParts; ++p)
            t[p] = first + p * stride < n ? start[first + p * stride] : 0;
        for (int cycle = 0; cycle < cycles; ++cycle) {
            for (int k = 0; k < kBaths; ++k) {
#pragma unroll
                for (int p = 0; p < kParts; ++p) t[p] += rate[k] * (bath[k] - t[p]);
            }
        }
#pragma unroll
        for (int p = 0; p < kParts; ++p) {
            if (first + p * stride < n) temperature[first + p * stride] = t[p];
        }
    }
}

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n == 0) return;
    const int blocks = std::min(1056, (n + 255) / 256);
    anneal_kernel<4><<<blocks, 256>>>(start, rate, bath, temperature, n, cycles);
}

static bool share(int a, int a_count, int b, int b_count) {
    return a < b + b_count && b < a + a_count;
}

unsigned promise_breakers(const AnnealCall* calls, int count) {
    unsigned broken = 0;
    for (int k = 0; k < count; ++k) {
        const AnnealCall& call = calls[k];
        if (call.n == 0) continue;
        if (share(call.temperature, call.n, call.start, call.n) ||
            share(call.temperature, call.n, call.rate, kBaths) ||
            share(call.temperature, call.n, call.bath, kBaths)) {
            broken |= 1u << k;
        }
    }
    return broken;
}

// Out never leads in by more than `distance` elements in the direction in which the pieces go, so
// what a piece overwrites has been read by it, or by one before.
__global__ void piece_kernel(const float* in, float* out, int begin, int end) {
    const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    const float difference = i < end ? in[i + 1] - in[i] : 0;
    cooperative_groups::this_grid().sync();
    if (i < end) out[i] = difference;
}

static void launch_piece(const float* in, float* out, int begin, int end, int blocks) {
    void* arguments[] = {&in, &out, &begin, &end};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(piece_kernel), blocks, 256, arguments);
}

void differences(const float* in, float* out, int n) {
    if (n == 0) return;
    int blocks_a_multiprocessor = 0, multiprocessors = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_a_multiprocessor, piece_kernel, 256, 0);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int most = blocks_a_multiprocessor * multiprocessors, piece = most * 256;
    if (in < out) {  // from the end, as in memmove
        for (int end = n; end > 0; end -= piece) {
            const int begin = std::max(0, end - piece);
            launch_piece(in, out, begin, end, (end - begin + 255) / 256);
        }
    } else {
        for (int begin = 0; begin < n; begin += piece) {
            const int end = begin > n - piece ? n : begin + piece;
            launch_piece(in, out, begin, end, (end - begin + 255) / 256);
        }
    }
}

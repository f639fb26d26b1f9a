// What only GPUs of newer compute capabilities have instructions for: newer_test.cpp.
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda/annotated_ptr>

#define KERNEL extern "C" __global__ void

/// DPX functions on pairs of 16-bit numbers.
KERNEL pairs(const unsigned* a, const unsigned* b, unsigned* out) {
    const unsigned x = a[threadIdx.x], y = b[threadIdx.x];
    unsigned* mine = out + 8 * threadIdx.x;
    bool high = false, low = false;
    mine[0] = __vadd2(x, y);
    mine[1] = __vmaxs2(x, y);
    mine[2] = __vminu2(x, y);
    mine[3] = __vsub2(x, y);
    mine[4] = __viaddmax_s16x2(x, y, 0x0001'fff0);
    mine[5] = __vimax3_s16x2_relu(x, y, 0x8000'0003);
    mine[6] = __vibmax_s16x2(x, y, &high, &low);
    mine[7] = high + 2 * low;
}

struct alignas(16) Both {
    long long sum, steps;
};
/// All threads add to both numbers at once.
KERNEL add_both(Both* total, Both* before) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Both seen{0, 0};
    for (;;) {
        const Both was = atomicCAS(total, seen, Both{seen.sum + i, seen.steps + 1});
        if (was.sum == seen.sum && was.steps == seen.steps) break;
        seen = was;
    }
    before[i] = seen;
}
KERNEL exchange_both(Both* place, Both* before) {
    before[threadIdx.x] = atomicExch(place, Both{threadIdx.x, -(long long)threadIdx.x});
}

using Kept = cuda::annotated_ptr<int, cuda::access_property::persisting>;
using Passing = cuda::annotated_ptr<const int, cuda::access_property::streaming>;
/// Says what L2 is to keep.
KERNEL annotated(const int* from, int* to, int n) {
    const Passing in(from);
    const Kept out(to);
    const int i = threadIdx.x;
    out[i] = in[i] + 1;
    const cuda::access_property part(to, n * sizeof(int), n * sizeof(int),
                                     cuda::access_property::persisting{});
    cuda::annotated_ptr<int, cuda::access_property> both(to, part);
    both[i] = both[i] * 2;
}

KERNEL eight_bits(const float* in, __nv_fp8_e4m3* e4m3, __nv_fp8_e5m2* e5m2, float* out) {
    const int i = threadIdx.x;
    e4m3[i] = __nv_fp8_e4m3(in[i]);
    e5m2[i] = __nv_fp8_e5m2(in[i]);
    out[2 * i] = float(e4m3[i]);
    out[2 * i + 1] = float(e5m2[i]);
}

// Right: the library does it. CUB reduces pairs that an iterator makes of the elements, with an
// operator that knows about NaN; CUB's ArgMax does not. Its scratch memory is allocated in each
// call, in the order of the stream. One block uses CUB's BlockReduce.

#include "argmax.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>

#include <cmath>

static __device__ bool wins(Best x, Best y) {
    if (isnan(x.value) != isnan(y.value)) return isnan(x.value);
    if (x.value > y.value || x.value < y.value) return x.value > y.value;
    return static_cast<unsigned>(x.index) < static_cast<unsigned>(y.index);
}

struct Better {
    __device__ Best operator()(const Best& x, const Best& y) const { return wins(x, y) ? x : y; }
};

struct Element {
    const float* a;
    __device__ Best operator()(int i) const { return {a[i], i}; }
};

static __global__ void argmax_block_kernel(const float* a, Best* best, int n) {
    using Block = cub::BlockReduce<Best, 1024>;
    __shared__ Block::TempStorage storage;
    Best mine = {-INFINITY, -1};
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine = Better()({a[i], i}, mine);
    mine = Block(storage).Reduce(mine, Better());
    if (threadIdx.x == 0) *best = mine;
}

void argmax_block(const float* a, Best* best, int n) {
    argmax_block_kernel<<<1, 1024>>>(a, best, n);
}

void argmax(const float* a, Best*, Best* best, int n) {
    const auto elements =
        thrust::make_transform_iterator(thrust::counting_iterator<int>(0), Element{a});
    const Best nothing = {-INFINITY, -1};
    std::size_t needed_bytes = 0;
    cub::DeviceReduce::Reduce(nullptr, needed_bytes, elements, best, n, Better(), nothing);
    void* scratch = nullptr;
    cudaMallocAsync(&scratch, needed_bytes, nullptr);
    cub::DeviceReduce::Reduce(scratch, needed_bytes, elements, best, n, Better(), nothing);
    cudaFreeAsync(scratch, nullptr);
}

void argmax_packed(const float* a, unsigned long long*, Best* best, int n) {
    argmax(a, nullptr, best, n);
}

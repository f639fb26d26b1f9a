// CUB's algorithms for warps and blocks, each in a kernel of its own. cub_test.cpp does the same
// with the standard library.
#include <cub/cub.cuh>

#define KERNEL extern "C" __global__ void

constexpr int kThreads = 128, kItems = 4;

KERNEL warp_sums(const int* in, int* out) {
    using Reduce = cub::WarpReduce<int>;
    __shared__ Reduce::TempStorage storage[kThreads / 32];
    const int warp = threadIdx.x / 32, x = in[threadIdx.x];
    const int sum = Reduce(storage[warp]).Sum(x);
    __syncwarp();
    const int most = Reduce(storage[warp]).Reduce(x, cuda::maximum<>{}, 20);
    if (threadIdx.x % 32 == 0) out[2 * warp] = sum, out[2 * warp + 1] = most;
}
KERNEL warp_scans(const int* in, int* out) {
    using Scan = cub::WarpScan<int>;
    __shared__ Scan::TempStorage storage[kThreads / 32];
    Scan(storage[threadIdx.x / 32]).ExclusiveSum(in[threadIdx.x], out[threadIdx.x]);
}
KERNEL warp_exchange(const int* in, int* out) {
    using Exchange = cub::WarpExchange<int, kItems>;
    __shared__ Exchange::TempStorage storage[kThreads / 32];
    int items[kItems];
    for (int k = 0; k < kItems; ++k) items[k] = in[threadIdx.x * kItems + k];
    Exchange(storage[threadIdx.x / 32]).BlockedToStriped(items, items);
    for (int k = 0; k < kItems; ++k) out[threadIdx.x * kItems + k] = items[k];
}
KERNEL warp_merge_sort(int* data) {
    using Sort = cub::WarpMergeSort<int, kItems>;
    __shared__ Sort::TempStorage storage[kThreads / 32];
    int items[kItems];
    for (int k = 0; k < kItems; ++k) items[k] = data[threadIdx.x * kItems + k];
    Sort(storage[threadIdx.x / 32]).Sort(items, [](int a, int b) { return a < b; });
    for (int k = 0; k < kItems; ++k) data[threadIdx.x * kItems + k] = items[k];
}

template <cub::BlockReduceAlgorithm algorithm>
__device__ void block_sum(const int* in, int* out) {
    using Reduce = cub::BlockReduce<int, kThreads, algorithm>;
    __shared__ typename Reduce::TempStorage storage;
    const int sum = Reduce(storage).Sum(in[blockIdx.x * kThreads + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
KERNEL block_sum_raking(const int* in, int* out) {
    block_sum<cub::BLOCK_REDUCE_RAKING>(in, out);
}
KERNEL block_sum_commutative(const int* in, int* out) {
    block_sum<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(in, out);
}
KERNEL block_sum_warps(const int* in, int* out) {
    block_sum<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in, out);
}

template <cub::BlockScanAlgorithm algorithm>
__device__ void block_scan(const int* in, int* out) {
    using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<int, kThreads, algorithm>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
    } storage;
    int items[kItems];
    Load(storage.load).Load(in, items);
    __syncthreads();
    Scan(storage.scan).InclusiveSum(items, items);
    __syncthreads();
    Store(storage.store).Store(out, items);
}
KERNEL block_scan_raking(const int* in, int* out) {
    block_scan<cub::BLOCK_SCAN_RAKING>(in, out);
}
KERNEL block_scan_memoize(const int* in, int* out) {
    block_scan<cub::BLOCK_SCAN_RAKING_MEMOIZE>(in, out);
}
KERNEL block_scan_warps(const int* in, int* out) {
    block_scan<cub::BLOCK_SCAN_WARP_SCANS>(in, out);
}

KERNEL block_radix_sort(int* keys, int* values) {
    using Sort = cub::BlockRadixSort<int, kThreads, kItems, int>;
    __shared__ Sort::TempStorage storage;
    int key[kItems], value[kItems];
    cub::LoadDirectBlocked(threadIdx.x, keys, key);
    cub::LoadDirectBlocked(threadIdx.x, values, value);
    Sort(storage).Sort(key, value);
    cub::StoreDirectBlocked(threadIdx.x, keys, key);
    cub::StoreDirectBlocked(threadIdx.x, values, value);
}
KERNEL block_merge_sort(int* keys) {
    using Sort = cub::BlockMergeSort<int, kThreads, kItems>;
    __shared__ Sort::TempStorage storage;
    int key[kItems];
    cub::LoadDirectBlocked(threadIdx.x, keys, key);
    Sort(storage).StableSort(key, [](int a, int b) { return a > b; });
    cub::StoreDirectBlocked(threadIdx.x, keys, key);
}
KERNEL block_exchange(const int* in, int* out) {
    using Exchange = cub::BlockExchange<int, kThreads, kItems>;
    __shared__ Exchange::TempStorage storage;
    int items[kItems];
    cub::LoadDirectStriped<kThreads>(threadIdx.x, in, items);
    Exchange(storage).StripedToBlocked(items, items);
    cub::StoreDirectBlocked(threadIdx.x, out, items);
}

template <cub::BlockHistogramAlgorithm algorithm>
__device__ void block_histogram(const int* in, unsigned* out) {
    using Histogram = cub::BlockHistogram<unsigned char, kThreads, kItems, 64, algorithm>;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ unsigned bins[64];
    unsigned char items[kItems];
    for (int k = 0; k < kItems; ++k) items[k] = in[threadIdx.x * kItems + k] & 63;
    Histogram(storage).Histogram(items, bins);
    __syncthreads();
    if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];
}
KERNEL block_histogram_atomic(const int* in, unsigned* out) {
    block_histogram<cub::BLOCK_HISTO_ATOMIC>(in, out);
}
KERNEL block_histogram_sort(const int* in, unsigned* out) {
    block_histogram<cub::BLOCK_HISTO_SORT>(in, out);
}
KERNEL block_heads(const int* in, int* out) {
    using Discontinuity = cub::BlockDiscontinuity<int, kThreads>;
    __shared__ Discontinuity::TempStorage storage;
    int items[kItems], flags[kItems];
    cub::LoadDirectBlocked(threadIdx.x, in, items);
    Discontinuity(storage).FlagHeads(flags, items, cuda::std::not_equal_to<>{});
    cub::StoreDirectBlocked(threadIdx.x, out, flags);
}

// Cooperative groups: blocks, tiles, coalesced threads, partitions, collective functions, the grid.
// groups_test.cpp computes the same on the host.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

#define KERNEL extern "C" __global__ void

KERNEL blocks(int* out) {
    __shared__ int box[256];
    const auto block = cg::this_thread_block();
    const int i = block.thread_rank(), n = block.num_threads();
    box[i] = i;
    block.sync();
    out[blockIdx.x * n + i] = box[n - 1 - i] + 1000 * block.group_index().x;
}

template <int size>
__device__ void tile_sums(const int* in, int* out) {
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    const int x = in[threadIdx.x];
    int sum = x;
    for (int by = tile.size() / 2; by > 0; by /= 2) sum += tile.shfl_down(sum, by);
    int* mine = out + 8 * threadIdx.x;
    mine[0] = tile.shfl(sum, 0);
    mine[1] = cg::reduce(tile, x, cg::plus<int>());
    mine[2] = cg::reduce(tile, x, cg::greater<int>());
    mine[3] = cg::inclusive_scan(tile, x);
    mine[4] = cg::exclusive_scan(tile, x);
    mine[5] = tile.any(x % 5 == 0) + 2 * tile.all(x >= 0) + 4 * int(tile.ballot(x % 2));
    mine[6] = tile.match_any(x % 3);
    mine[7] = 100 * tile.meta_group_rank() + tile.thread_rank();
}
KERNEL tiles_32(const int* in, int* out) {
    tile_sums<32>(in, out);
}
KERNEL tiles_16(const int* in, int* out) {
    tile_sums<16>(in, out);
}
KERNEL tiles_4(const int* in, int* out) {
    tile_sums<4>(in, out);
}
KERNEL tiles_1(const int* in, int* out) {
    tile_sums<1>(in, out);
}

/// Tiles whose size is known only at run time.
KERNEL dynamic_tiles(const int* in, int* out, int size) {
    const auto tile = cg::tiled_partition(cg::this_thread_block(), size);
    int sum = 0;
    for (int k = 0; k < tile.size(); ++k)
        sum += __shfl_sync(~0u, in[threadIdx.x], threadIdx.x % 32 / size * size + k);
    tile.sync();
    out[threadIdx.x] = 100 * sum + tile.thread_rank();
}

/// The lanes that are there count together: one atomic operation for all of them.
KERNEL coalesced(const int* in, int* out, int* counter) {
    const int i = threadIdx.x;
    out[i] = -1;
    if (in[i] % 3 != 0) {
        const auto there = cg::coalesced_threads();
        int first = 0;
        if (there.thread_rank() == 0) first = atomicAdd(counter, there.size());
        out[i] = there.shfl(first, 0) + there.thread_rank();
    }
}

KERNEL partitions(const int* in, int* out) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = threadIdx.x, x = in[i];
    const auto labelled = cg::labeled_partition(tile, x % 5);
    const auto halves = cg::binary_partition(tile, x % 2 == 0);
    out[4 * i] = cg::reduce(labelled, x, cg::plus<int>());
    out[4 * i + 1] = labelled.size();
    out[4 * i + 2] = cg::reduce(halves, x, cg::less<int>());
    out[4 * i + 3] = halves.thread_rank();
}

KERNEL copies(const int* in, int* out, int n) {
    extern __shared__ int box[];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, box, in + blockIdx.x * n, sizeof(int) * n);
    cg::wait(block);
    for (int i = block.thread_rank(); i < n; i += block.size())
        out[blockIdx.x * n + i] = box[n - 1 - i];
}

KERNEL grid_group(int* out) {
    const auto grid = cg::this_grid();
    out[grid.thread_rank()] = grid.is_valid() ? int(grid.size()) : -1;
}
/// Each step reads what another block wrote in the step before.
KERNEL grid_steps(int* out, int steps) {
    const auto grid = cg::this_grid();
    const int n = grid.size(), i = grid.thread_rank();
    int* in = out + n;
    for (int k = 0; k < steps; ++k) {
        out[i] = in[(i + blockDim.x) % n] + 1;
        grid.sync();
        in[i] = out[i];
        grid.sync();
    }
}

#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
/// Tiles of several warps find the memory they meet in by themselves.
#define TILE_MEMORY(threads) cg::this_thread_block()
#else
#define TILE_MEMORY(threads)                           \
    []() -> decltype(auto) {                           \
        __shared__ cg::block_tile_memory<threads> own; \
        return cg::this_thread_block(own);             \
    }()
#endif

template <int size>
__device__ void large_tiles(const int* in, int* out) {
    __shared__ int box[256];
    const auto block = TILE_MEMORY(256);
    const auto tile = cg::tiled_partition<size>(block);
    const int x = in[threadIdx.x], rank = tile.thread_rank();
    int* mine = out + 5 * threadIdx.x;
    mine[0] = cg::reduce(tile, x, cg::plus<int>());
    mine[1] = tile.shfl(x, 5);
    mine[2] = tile.any(x == 7) + 2 * tile.all(x >= 0);
    mine[3] = cg::inclusive_scan(tile, x);
    box[threadIdx.x] = x;
    tile.sync();
    mine[4] = box[threadIdx.x - rank + size - 1 - rank];
}
KERNEL large_tiles_64(const int* in, int* out) {
    large_tiles<64>(in, out);
}
KERNEL large_tiles_128(const int* in, int* out) {
    large_tiles<128>(in, out);
}

KERNEL sync_grid(int* out) {
    if (blockDim.x > 32) __trap();
    const auto grid = cg::this_grid();
    grid.sync();
    out[grid.thread_rank()] = 1;
}

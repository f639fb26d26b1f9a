// Lab 14, expert: as fast as the memory delivers. Each element is read once.
//
//   tiles      4096 elements a block, as float4. The kept ones move together in shared memory, so
//              that they are stored in whole rows.
//   any        one atomic operation a tile.
//   stable     one pass, by decoupled look-back. Each tile has a word in `offsets`: 2 bits of
//              state, 30 bits of value. A tile first publishes how many elements it keeps, then
//              looks back over the words before it, 32 at a time, until it meets one that knows
//              the sum of all before; then it publishes its own. Tiles take their numbers from a
//              counter: a tile waits only for those that have begun. A warp that waits sleeps
//              between two looks: hundreds that ask for the same words all the time hold up those
//              who publish them.
//   append     as the reference, but a warp fetches jobs only when half of its lanes are idle, and
//              adds up what it has made by shuffles.

#include "stream_compaction.h"

#include <algorithm>

constexpr int kThreads = 256, kWarp = 32, kWarps = kThreads / kWarp;
constexpr int kLoads = 4;  // float4 of a thread
constexpr int kElements = kThreads * kLoads * 4;
constexpr unsigned kAllLanes = 0xffffffff;

static __device__ bool keep(float x) {
    return x > 0;
}

static __device__ int lane_of() {
    return threadIdx.x % kWarp;
}

static __device__ int lanes_before(unsigned lanes) {
    return __popc(lanes & ((1u << lane_of()) - 1));
}

/// A tile in registers: the elements of this thread, and their places among the warp's kept ones.
struct Tile {
    float x[kLoads][4];
    int place[kLoads][4];
    int in_warp;  ///< how many the warp keeps
};

static __device__ void load(Tile& tile, const float* __restrict__ a, int number, int n) {
    const long long begin = 1LL * number * kElements + threadIdx.x / kWarp * (kLoads * 4 * kWarp);
    const bool whole = 1LL * (number + 1) * kElements <= n;
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
        const long long i = begin + (k * kWarp + lane_of()) * 4;
        if (whole) {
            const float4 four = __ldcs(reinterpret_cast<const float4*>(a + i));
            tile.x[k][0] = four.x;
            tile.x[k][1] = four.y;
            tile.x[k][2] = four.z;
            tile.x[k][3] = four.w;
        } else {
#pragma unroll
            for (int c = 0; c < 4; ++c) tile.x[k][c] = i + c < n ? a[i + c] : 0;
        }
    }
    tile.in_warp = 0;
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
        int place = tile.in_warp;
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const unsigned lanes = __ballot_sync(kAllLanes, keep(tile.x[k][c]));
            place += lanes_before(lanes);
            tile.in_warp += __popc(lanes);
        }
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            tile.place[k][c] = place;
            place += keep(tile.x[k][c]) ? 1 : 0;
        }
    }
}

/// Moves what the block keeps to the front of `front`, in order; returns how many there are.
static __device__ int gather(const Tile& tile, float (&front)[kElements]) {
    __shared__ int in_warps[kWarps];
    const int warp = threadIdx.x / kWarp;
    if (lane_of() == 0) in_warps[warp] = tile.in_warp;
    __syncthreads();
    int begin = 0, all = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
        if (w < warp) begin += in_warps[w];
        all += in_warps[w];
    }
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            if (keep(tile.x[k][c])) front[begin + tile.place[k][c]] = tile.x[k][c];
        }
    }
    return all;
}

static __device__ void store(const float (&front)[kElements], float* kept, int begin, int count) {
    for (int k = threadIdx.x; k < count; k += kThreads) __stcs(&kept[begin + k], front[k]);
}

static int tiles_of(int n) {
    return (n + kElements - 1) / kElements;
}

static __global__ void __launch_bounds__(kThreads)
    any_kernel(const float* a, float* kept, int* count, int n) {
    __shared__ float front[kElements];
    __shared__ int begin;
    Tile tile;
    load(tile, a, blockIdx.x, n);
    const int in_tile = gather(tile, front);
    if (threadIdx.x == 0) begin = atomicAdd(count, in_tile);
    __syncthreads();
    store(front, kept, begin, in_tile);
}

void compact_any(const float* a, float* kept, int* count, int n) {
    cudaMemsetAsync(count, 0, sizeof(*count));
    if (n > 0) any_kernel<<<tiles_of(n), kThreads>>>(a, kept, count, n);
}

// A tile's word: what its value is, and the value.
enum : unsigned {
    kOfTile = 1u << 30,    // how many this tile keeps
    kOfAll = 2u << 30,     // how many it and all before it keep
    kValue = kOfTile - 1,  // n has 30 bits
};

constexpr unsigned kSleepNs = 1000;

/// How many elements all tiles before this one keep. For one whole warp; publishes the tile's word.
static __device__ int look_back(unsigned* words, int tile, int in_tile) {
    volatile unsigned* published = words;
    if (lane_of() == 0) published[tile] = (tile == 0 ? kOfAll : kOfTile) | in_tile;
    __nanosleep(kSleepNs);
    int before = 0;
    for (int last = tile - 1; last >= 0; last -= kWarp) {
        const int mine = last - lane_of();
        unsigned word = mine >= 0 ? published[mine] : +kOfAll;
        while (__any_sync(kAllLanes, word < kOfTile)) {
            __nanosleep(kSleepNs);
            word = mine >= 0 ? published[mine] : +kOfAll;
        }
        const unsigned know_all = __ballot_sync(kAllLanes, word >= kOfAll);
        const int nearest = know_all != 0 ? __ffs(know_all) - 1 : kWarp - 1;
        int value = lane_of() <= nearest ? static_cast<int>(word & kValue) : 0;
        for (int distance = kWarp / 2; distance > 0; distance /= 2) {
            value += __shfl_xor_sync(kAllLanes, value, distance);
        }
        before += value;
        if (know_all != 0) break;
    }
    if (tile > 0 && lane_of() == 0) published[tile] = kOfAll | (before + in_tile);
    return before;
}

/// words[tiles] is the counter that tiles take their numbers from.
static __global__ void __launch_bounds__(kThreads)
    stable_kernel(const float* a, unsigned* words, float* kept, int* count, int n) {
    __shared__ float front[kElements];
    __shared__ int number, begin;
    if (threadIdx.x == 0) number = static_cast<int>(atomicAdd(&words[gridDim.x], 1));
    __syncthreads();
    Tile tile;
    load(tile, a, number, n);
    const int in_tile = gather(tile, front);
    if (threadIdx.x < kWarp) {
        const int before = look_back(words, number, in_tile);
        if (threadIdx.x == 0) {
            begin = before;
            if (number == gridDim.x - 1) *count = before + in_tile;
        }
    }
    __syncthreads();
    store(front, kept, begin, in_tile);
}

void compact_stable(const float* a, int* offsets, float* kept, int* count, int n) {
    if (n == 0) {
        cudaMemsetAsync(count, 0, sizeof(*count));
        return;
    }
    const int tiles = tiles_of(n);
    cudaMemsetAsync(offsets, 0, (tiles + 1) * sizeof(int));
    auto* const words = reinterpret_cast<unsigned*>(offsets);
    stable_kernel<<<tiles, kThreads>>>(a, words, kept, count, n);
}

struct Counters {
    int next_job, values_made, slots_reserved;
};
__device__ Counters counters;

static __global__ void __launch_bounds__(kThreads)
    append_kernel(const int* __restrict__ numbers, Entry* entries, int jobs, int capacity) {
    int job = 0, rest = 1, divisor = 2, made = 0;
    int next = 0, end = 0;  // slots
    bool are_more = true;   // jobs
    for (;;) {
        const unsigned idle = __ballot_sync(kAllLanes, rest == 1);
        if (idle == kAllLanes && !are_more) break;
        if (are_more && __popc(idle) >= kWarp / 2) {
            int first = 0;
            if (lane_of() == 0) first = atomicAdd(&counters.next_job, __popc(idle));
            first = __shfl_sync(kAllLanes, first, 0);
            const int mine = first + lanes_before(idle);
            if (rest == 1 && mine < jobs) {
                job = mine;
                rest = numbers[mine];
                divisor = 2;
            }
            are_more = first + __popc(idle) < jobs;
        }
        bool found = false;
        // Several steps, as long as no lane has found a factor.
        for (int k = 0; k < 8 && !__any_sync(kAllLanes, found); ++k) {
            if (rest == 1) continue;
            if (divisor * divisor > rest) divisor = rest;
            found = rest % divisor == 0;
            if (!found) divisor += divisor == 2 ? 1 : 2;
        }
        const unsigned lanes = __ballot_sync(kAllLanes, found);
        if (lanes == 0) continue;
        int slot = next + lanes_before(lanes);
        next += __popc(lanes);
        made += __popc(lanes);
        if (next > end) {
            int begin = 0;
            if (lane_of() == 0) begin = atomicAdd(&counters.slots_reserved, kRange);
            begin = __shfl_sync(kAllLanes, begin, 0);
            if (slot >= end) slot += begin - end;
            next += begin - end;
            end = begin + kRange;
        }
        if (found) {
            if (slot < capacity) entries[slot] = {job, divisor};
            rest /= divisor;
        }
    }
    for (int slot = next + lane_of(); slot < min(end, capacity); slot += kWarp) {
        entries[slot] = kEmpty;
    }
    if (lane_of() == 0) atomicAdd(&counters.values_made, made);
}

void append(const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity) {
    static const int resident = [] {
        int device, multiprocessors, blocks;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, append_kernel, kThreads, 0);
        return multiprocessors * blocks;
    }();
    Counters totals = {};
    cudaMemcpyToSymbolAsync(counters, &totals, sizeof(totals));
    append_kernel<<<std::clamp(jobs / (2 * kThreads), 1, resident), kThreads>>>(numbers, entries,
                                                                                jobs, capacity);
    cudaMemcpyFromSymbol(&totals, counters, sizeof(totals));
    *made = totals.values_made;
    *reserved = totals.slots_reserved;
}

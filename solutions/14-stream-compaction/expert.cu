// Lab 14, expert: as fast as the memory delivers. Each element is read once.
//
//   tiles      4096 elements a block, as float4. The kept ones move together in shared memory, so
//              that they are stored in whole rows.
//   any        one atomic operation a tile.
//   stable     one pass. Each tile has a word in `offsets`: 2 bits of state, 30 bits of value. A
//              tile publishes how many elements it keeps; one warp of the grid adds up, and answers
//              each tile with how many those before it keep. Meanwhile the tile's block loads and
//              counts the next one: who waited for an answer at once would have nothing on its way
//              from memory. Tiles take their numbers from a counter, so that a tile which is
//              waited for has begun.
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

/// A tile in registers: the elements of this thread.
using Tile = float[kLoads][4];

static __device__ void load(Tile& tile, const float* __restrict__ a, int number, int n) {
    const long long begin = 1LL * number * kElements + threadIdx.x / kWarp * (kLoads * 4 * kWarp);
    const bool whole = 1LL * (number + 1) * kElements <= n;
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
        const long long i = begin + (k * kWarp + lane_of()) * 4;
        if (whole) {
            const float4 four = __ldcs(reinterpret_cast<const float4*>(a + i));
            tile[k][0] = four.x;
            tile[k][1] = four.y;
            tile[k][2] = four.z;
            tile[k][3] = four.w;
        } else {
#pragma unroll
            for (int c = 0; c < 4; ++c) tile[k][c] = i + c < n ? a[i + c] : 0;
        }
    }
}

/// The places in a tile of what this thread keeps of each float4.
struct Places {
    int first[kLoads];
    int in_tile;  ///< how many elements the tile keeps
};

/// For all threads of a block.
static __device__ Places places_in(const Tile& tile) {
    __shared__ int in_warps[kWarps];
    Places places;
    int in_warp = 0;
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
        places.first[k] = in_warp;
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const unsigned lanes = __ballot_sync(kAllLanes, keep(tile[k][c]));
            places.first[k] += lanes_before(lanes);
            in_warp += __popc(lanes);
        }
    }
    const int warp = threadIdx.x / kWarp;
    if (lane_of() == 0) in_warps[warp] = in_warp;
    __syncthreads();
    int before = 0;
    places.in_tile = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
        if (w < warp) before += in_warps[w];
        places.in_tile += in_warps[w];
    }
#pragma unroll
    for (int k = 0; k < kLoads; ++k) places.first[k] += before;
    return places;
}

/// Moves what the block keeps to the front of `front`, in order.
static __device__ void gather(const Tile& tile, const Places& places, float (&front)[kElements]) {
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
        int place = places.first[k];
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            if (keep(tile[k][c])) front[place++] = tile[k][c];
        }
    }
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
    const Places places = places_in(tile);
    gather(tile, places, front);
    if (threadIdx.x == 0) begin = atomicAdd(count, places.in_tile);
    __syncthreads();
    store(front, kept, begin, places.in_tile);
}

void compact_any(const float* a, float* kept, int* count, int n) {
    cudaMemsetAsync(count, 0, sizeof(*count));
    if (n > 0) any_kernel<<<tiles_of(n), kThreads>>>(a, kept, count, n);
}

// A tile's word: what its value is, and the value.
enum : unsigned {
    kCount = 1u << 30,    // how many elements this tile keeps
    kPlace = 2u << 30,    // how many those before it keep
    kValue = kCount - 1,  // n has 30 bits
};

constexpr int kRows = 8;  // of words that are looked at together, a word a lane
constexpr unsigned kSleepNs = 50;

/// Answers each tile's count with its place. For one whole warp.
static __device__ void place_tiles(volatile unsigned* words, int tiles, int* count) {
    int before = 0;
    for (int tile = 0; tile < tiles;) {
        const int first = tile;
        unsigned rows[kRows];
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const int mine = tile + r * kWarp + lane_of();
            rows[r] = mine < tiles ? words[mine] : +0u;
        }
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const unsigned unknown = __ballot_sync(kAllLanes, rows[r] < kCount);
            const int known = unknown == 0 ? kWarp : __ffs(unknown) - 1;
            const int in_tile = lane_of() < known ? static_cast<int>(rows[r] & kValue) : 0;
            int sum = in_tile;  // of this lane's tile and those before it
#pragma unroll
            for (int distance = 1; distance < kWarp; distance *= 2) {
                const int other = __shfl_up_sync(kAllLanes, sum, distance);
                if (lane_of() >= distance) sum += other;
            }
            if (lane_of() < known) words[tile + lane_of()] = kPlace | (before + sum - in_tile);
            before += __shfl_sync(kAllLanes, sum, kWarp - 1);
            tile += known;
            if (known < kWarp) break;
        }
        if (tile == first) __nanosleep(kSleepNs);
    }
    if (lane_of() == 0) *count = before;
}

static __device__ int wait_for_place(const volatile unsigned* word) {
    unsigned answer = *word;
    while (answer < kPlace) {
        __nanosleep(kSleepNs);
        answer = *word;
    }
    return static_cast<int>(answer & kValue);
}

/// words[tiles] is the counter that blocks take their numbers from.
static __global__ void __launch_bounds__(kThreads)
    stable_kernel(const float* a, unsigned* words, float* kept, int* count, int n, int tiles) {
    __shared__ float fronts[2][kElements];
    __shared__ int number, begin;
    if (threadIdx.x == 0) number = static_cast<int>(atomicAdd(&words[tiles], 1)) - 1;
    __syncthreads();
    int tile = number;
    __syncthreads();
    if (tile < 0) {
        if (threadIdx.x < kWarp) place_tiles(words, tiles, count);
        return;
    }
    Tile elements;
    if (tile < tiles) load(elements, a, tile, n);
    int counted = -1, in_counted = 0;  // the tile of the turn before
    for (int turn = 0; tile < tiles || counted >= 0; ++turn) {
        int next = tiles, in_tile = 0;
        if (tile < tiles) {
            if (threadIdx.x == 0) number = static_cast<int>(atomicAdd(&words[tiles], 1)) - 1;
            const Places places = places_in(elements);
            in_tile = places.in_tile;
            volatile unsigned* const word = &words[tile];
            if (threadIdx.x == 0) *word = kCount | in_tile;
            gather(elements, places, fronts[turn % 2]);
            next = number;
            if (next < tiles) load(elements, a, next, n);
        }
        if (counted >= 0 && threadIdx.x == 0) begin = wait_for_place(&words[counted]);
        __syncthreads();
        if (counted >= 0) store(fronts[(turn + 1) % 2], kept, begin, in_counted);
        counted = tile < tiles ? tile : -1;
        in_counted = in_tile;
        tile = next;
        __syncthreads();
    }
}

/// How many blocks of a kernel the device has room for.
template <class Kernel>
static int resident_blocks(Kernel kernel) {
    int device, multiprocessors, blocks;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, 0);
    return multiprocessors * blocks;
}

void compact_stable(const float* a, int* offsets, float* kept, int* count, int n) {
    if (n == 0) {
        cudaMemsetAsync(count, 0, sizeof(*count));
        return;
    }
    static const int resident = resident_blocks(stable_kernel);
    const int tiles = tiles_of(n);
    cudaMemsetAsync(offsets, 0, (tiles + 1) * sizeof(int));
    auto* const words = reinterpret_cast<unsigned*>(offsets);
    stable_kernel<<<std::min(tiles + 1, resident), kThreads>>>(a, words, kept, count, n, tiles);
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
    static const int resident = resident_blocks(append_kernel);
    Counters totals = {};
    cudaMemcpyToSymbolAsync(counters, &totals, sizeof(totals));
    append_kernel<<<std::clamp(jobs / (2 * kThreads), 1, resident), kThreads>>>(numbers, entries,
                                                                                jobs, capacity);
    cudaMemcpyFromSymbol(&totals, counters, sizeof(totals));
    *made = totals.values_made;
    *reserved = totals.slots_reserved;
}

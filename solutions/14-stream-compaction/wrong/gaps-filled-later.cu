// Wrong: a second kernel fills the gaps, and the function returns before it has.
//
// expect vgpu: "append: every value of every job": "entries"
// expect gpu: nothing

#include "stream_compaction.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

// ---------------------------------------------------------------------------
// Error checking: every CUDA call goes through CUDA_CHECK.

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

inline constexpr int kWarp = 32;
constexpr int kThreads = 256;  // a block
inline constexpr int kWarps = kThreads / kWarp;
constexpr int kEach = kTile / kThreads;  // elements of a thread
inline constexpr unsigned kAllLanes = 0xffffffff;

// ---------------------------------------------------------------------------
// The elements of a block, its tile. A warp has 256 in a row, and reads 32 at a time:
//
//   tile   [   warp 0   |   warp 1   |  ...  |   warp 7   ]
//   warp   [ x[0] of lanes 0 to 31 | x[1] of lanes 0 to 31 | ... | x[7] of ... ]

/// Whether an element is kept.
__device__ bool keep(float x) {
    return x > 0;
}

/// Loads this thread's elements of the block's tile. Past the end they are 0, which is not kept.
__device__ void load_tile(const float* a, int n, float (&x)[kEach]) {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const int first = blockIdx.x * kTile + warp * (kEach * kWarp) + lane;
    for (int k = 0; k < kEach; ++k) {
        const int i = first + k * kWarp;
        x[k] = i < n ? a[i] : 0;
    }
}

int tiles_of(int n) {
    return (n + kTile - 1) / kTile;
}

// ---------------------------------------------------------------------------
// Task 1: places for the lanes of a warp, by one atomic operation.

/// How many of the lanes in `lanes` (bit l is lane l) come before this one.
__device__ int lanes_before(unsigned lanes) {
    // TODO(1/4): Count those bits of `lanes` that belong to lower lanes.
    //            About 2 lines. Handout: "A place for each lane".
    const int lane = threadIdx.x % kWarp;
    return __popc(lanes & ((1u << lane) - 1));
}

/// Adds the number of lanes that want a place to *counter, and returns this lane's place. All 32
/// lanes of the warp must call it.
__device__ int reserve(bool wants, int* counter) {
    // TODO(1/4) again: Which lanes want one? One lane adds their number to the counter,
    //                  then all lanes learn where the warp's places begin.
    //                  About 5 lines.
    const unsigned lanes = __ballot_sync(kAllLanes, wants);
    int first = 0;
    if (threadIdx.x % kWarp == 0 && lanes != 0) first = atomicAdd(counter, __popc(lanes));
    first = __shfl_sync(kAllLanes, first, 0);
    return first + lanes_before(lanes);
}

// ---------------------------------------------------------------------------
// Task 2: places for a block, by one atomic operation on global memory.

__global__ void compact_any_kernel(const float* a, float* kept, int* count, int n) {
    float x[kEach];
    load_tile(a, n, x);
    // TODO(2/4): With task 1 this is right, but all warps of the grid queue up for
    //            *count. Let the warps of a block count in shared memory first. One
    //            thread then reserves the places of the whole block.
    //            About 12 lines. Handout: "A place for each block".
    __shared__ int in_block, begin;
    if (threadIdx.x == 0) in_block = 0;
    __syncthreads();
    int place[kEach];
    for (int k = 0; k < kEach; ++k) place[k] = reserve(keep(x[k]), &in_block);
    __syncthreads();
    if (threadIdx.x == 0) begin = atomicAdd(count, in_block);
    __syncthreads();
    for (int k = 0; k < kEach; ++k) {
        if (keep(x[k])) kept[begin + place[k]] = x[k];
    }
}

void compact_any(const float* a, float* kept, int* count, int n) {
    CUDA_CHECK(cudaMemsetAsync(count, 0, sizeof(*count)));
    if (n == 0) return;
    compact_any_kernel<<<tiles_of(n), kThreads>>>(a, kept, count, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 3: in order. Where a tile's elements go depends on all tiles before it.
//
//   count_kernel   offsets[t] = how many elements tile t keeps
//   scan_kernel    offsets[t] = how many all tiles before t keep, and *count
//   place_kernel   tile t's elements go to kept + offsets[t], in order

__global__ void count_kernel(const float* a, int* offsets, int n) {
    float x[kEach];
    load_tile(a, n, x);
    // TODO(3/4): How many elements of this tile are kept? __syncthreads_count counts
    //            the threads of a block. About 3 lines. Handout: "In order".
    int in_tile = 0;
    for (int k = 0; k < kEach; ++k) in_tile += __syncthreads_count(keep(x[k]));
    if (threadIdx.x == 0) offsets[blockIdx.x] = in_tile;
}

constexpr int kScanThreads = 1024;

/// One block of kScanThreads threads.
__global__ void scan_kernel(int* offsets, int* count, int tiles) {
    // TODO(3/4) again: Replace each number by the sum of those before it, and store the
    //                  sum of all in *count. Go kScanThreads numbers at a time.
    //                  About 24 lines.
    __shared__ int warp_sums[kScanThreads / kWarp];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    int before = 0;  // the sum of all offsets of the rounds before
    for (int first = 0; first < tiles; first += kScanThreads) {
        const int t = first + threadIdx.x;
        const int mine = t < tiles ? offsets[t] : 0;
        int sum = mine;  // with those of the lanes before
        for (int distance = 1; distance < kWarp; distance *= 2) {
            const int other = __shfl_up_sync(kAllLanes, sum, distance);
            if (lane >= distance) sum += other;
        }
        if (lane == kWarp - 1) warp_sums[warp] = sum;
        __syncthreads();
        int of_warps = 0, of_round = 0;
        for (int w = 0; w < kScanThreads / kWarp; ++w) {
            if (w < warp) of_warps += warp_sums[w];
            of_round += warp_sums[w];
        }
        if (t < tiles) offsets[t] = before + of_warps + sum - mine;
        before += of_round;
        __syncthreads();  // all have read the warps' sums, before the next round changes them
    }
    if (threadIdx.x == 0) *count = before;
}

__global__ void place_kernel(const float* a, const int* offsets, float* kept, int n) {
    float x[kEach];
    load_tile(a, n, x);
    // TODO(3/4) again: The elements before mine are those of the tiles before, of the
    //                  warps before in this tile, of the rows before in this warp, and
    //                  of the lanes before. About 14 lines.
    __shared__ int warp_counts[kWarps];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    int place[kEach], in_warp = 0;
    for (int k = 0; k < kEach; ++k) {
        const unsigned lanes = __ballot_sync(kAllLanes, keep(x[k]));
        place[k] = in_warp + lanes_before(lanes);
        in_warp += __popc(lanes);
    }
    if (lane == 0) warp_counts[warp] = in_warp;
    __syncthreads();
    int begin = offsets[blockIdx.x];
    for (int w = 0; w < warp; ++w) begin += warp_counts[w];
    for (int k = 0; k < kEach; ++k) {
        if (keep(x[k])) kept[begin + place[k]] = x[k];
    }
}

void compact_stable(const float* a, int* offsets, float* kept, int* count, int n) {
    const int tiles = tiles_of(n);
    if (tiles > 0) count_kernel<<<tiles, kThreads>>>(a, offsets, n);
    scan_kernel<<<1, kScanThreads>>>(offsets, count, tiles);
    if (tiles > 0) place_kernel<<<tiles, kThreads>>>(a, offsets, kept, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 4: jobs that make values, one after the other. A job looks for the prime
// factors of its number. Nobody knows how many it will find, and when.

struct Job {
    int index, rest, divisor;  // rest: what is left of the number
};

__device__ bool is_done(const Job& job) {
    return job.rest == 1;
}

/// One step of a job: tries one divisor. Returns whether that was a factor.
__device__ bool step(Job& job, int& factor) {
    if (job.divisor * job.divisor > job.rest) job.divisor = job.rest;  // what is left is prime
    if (job.rest % job.divisor != 0) {
        ++job.divisor;
        return false;
    }
    factor = job.divisor;
    job.rest /= factor;
    return true;
}

__device__ int next_job, values_made, slots_reserved;  // of the whole grid

/// The slots that a warp has reserved and not used yet. All its lanes have the same.
struct Range {
    int next, end;
};

/// Returns a slot for each lane that wants one. Reserves kRange more for the warp if its
/// range has too few. All 32 lanes must call it.
__device__ int take_slot(Range& range, bool wants) {
    // TODO(4/4): The lanes that want a slot take the next ones of the range. If there
    //            are too few, the others take the first ones of a new range.
    //            About 12 lines. Handout: "Jobs without end".
    const unsigned lanes = __ballot_sync(kAllLanes, wants);
    int slot = range.next + lanes_before(lanes);
    range.next += __popc(lanes);
    const int missing = range.next - range.end;
    if (missing > 0) {
        int begin = 0;
        if (threadIdx.x % kWarp == 0) begin = atomicAdd(&slots_reserved, kRange);
        begin = __shfl_sync(kAllLanes, begin, 0);
        if (slot >= range.end) slot += begin - range.end;
        range = {begin + missing, begin + kRange};
    }
    return slot;
}

__device__ Range left[1 << 16];  // of each warp

__global__ void fill_kernel(Entry* entries, int capacity) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const Range range = left[thread / kWarp];
    for (int slot = range.next + thread % kWarp; slot < range.end; slot += kWarp)
        if (slot < capacity) entries[slot] = kEmpty;
}

__global__ void append_kernel(const int* numbers, Entry* entries, int jobs, int capacity) {
    // TODO(4/4) again: While any lane of the warp is working, all 32 make rounds. In a
    //                  round, lanes whose job is done fetch the next one: reserve() in
    //                  next_job. Each lane with a job makes one step, and stores the
    //                  factor that it may have found, if there is a slot for it. After
    //                  the last round, fill the gaps, and add to values_made.
    //                  About 24 lines.
    Job job = {0, 1, 2};  // done
    Range range = {0, 0};
    int made = 0;
    bool working = true;  // until there is no job left for this lane
    while (__any_sync(kAllLanes, working)) {
        const bool fetches = working && is_done(job);
        const int mine = reserve(fetches, &next_job);
        if (fetches) {
            working = mine < jobs;
            if (working) job = {mine, numbers[mine], 2};
        }
        int factor = 0;
        const bool found = !is_done(job) && step(job, factor);
        const int slot = take_slot(range, found);
        if (found && slot < capacity) entries[slot] = {job.index, factor};
        if (found) ++made;
    }
    if (threadIdx.x % kWarp == 0) left[(blockIdx.x * blockDim.x + threadIdx.x) / kWarp] = range;
    atomicAdd(&values_made, made);
}

/// Some 8 jobs a thread, in no more blocks than the GPU holds at once.
int blocks_for(int jobs) {
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    return std::clamp(jobs / (8 * kThreads), 1, multiprocessors * (2048 / kThreads));
}

void append(const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity) {
    // TODO(4/4) again: The three counters start at 0 in every call. After the kernel,
    //                  copy two of them to *made and *reserved. About 7 lines.
    const int zero = 0;
    CUDA_CHECK(cudaMemcpyToSymbol(next_job, &zero, sizeof(zero)));
    CUDA_CHECK(cudaMemcpyToSymbol(values_made, &zero, sizeof(zero)));
    CUDA_CHECK(cudaMemcpyToSymbol(slots_reserved, &zero, sizeof(zero)));
    append_kernel<<<blocks_for(jobs), kThreads>>>(numbers, entries, jobs, capacity);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyFromSymbol(made, values_made, sizeof(*made)));
    CUDA_CHECK(cudaMemcpyFromSymbol(reserved, slots_reserved, sizeof(*reserved)));
    fill_kernel<<<blocks_for(jobs), kThreads>>>(entries, capacity);
    CUDA_CHECK(cudaGetLastError());
}

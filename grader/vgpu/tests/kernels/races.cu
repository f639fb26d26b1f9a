// Pairs of kernels: one whose threads race, and the same without the race. And idioms that look
// like races and are none. A comment "RACE" marks the lines that the report must name.

#include <cuda/atomic>

#define KERNEL extern "C" __global__ void

// Missing __syncthreads between writing and reading shared memory.
KERNEL shared_no_barrier(int* out) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = t;             // RACE
    out[t] = s[127 - t];  // RACE
}
KERNEL shared_with_barrier(int* out) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    out[t] = s[127 - t];
}

// One thread adds up what its own warp has written, and what other warps have not written yet.
KERNEL sum_by_one(int* out) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = t;  // RACE
    if (t != 0) return;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < 128; ++i) sum += s[i];  // RACE
    *out = sum;
}

// Missing barrier at the end of a loop: the next round overwrites what others still read.
KERNEL shared_loop(const int* in, int* out, int n, int fixed) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n; k += 128) {
        s[t] = in[k + t];  // RACE
        __syncthreads();
        for (int i = 0; i < 128; ++i) sum += s[i];  // RACE
        if (fixed) __syncthreads();
    }
    out[t] = sum;
}

// A tree in shared memory: barriers in each step, or none for the last warp.
KERNEL tree(const int* in, int* out, int fixed) {
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];  // RACE
        if (d > 32 || fixed) __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// Lanes of one warp: volatile orders nothing, __syncwarp does.
KERNEL warp_tree(const int* in, int* out) {
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = in[t + 32];
    for (int d = 32; d > 0; d /= 2)
        if (t < d) s[t] = s[t] + s[t + d];  // RACE
    if (t == 0) *out = s[0];
}
KERNEL warp_tree_fixed(const int* in, int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = in[t + 32];
    for (int d = 32; d > 0; d /= 2) {
        __syncwarp();
        int sum = s[t] + (t < d ? s[t + d] : 0);
        __syncwarp();
        s[t] = sum;
    }
    __syncwarp();
    if (t == 0) *out = s[0];
}
// Halves of a warp that meet among themselves only.
KERNEL half_warps(int* out, int distance) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    const unsigned half = t < 16 ? 0xffffu : 0xffff0000u;
    s[t] = t;  // RACE
    __syncwarp(half);
    out[t] = s[(t + distance) % 32];  // RACE
}

// All threads add to one word.
KERNEL global_sum(const int* in, int* sum) {
    *sum += in[blockIdx.x * blockDim.x + threadIdx.x];  // RACE
}
KERNEL global_sum_fixed(const int* in, int* sum) {
    atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
// In place, a neighbour's element: within a block and across its border.
KERNEL shift(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) data[i] = data[i + 1];  // RACE
}
KERNEL shift_fixed(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) out[i] = in[i + 1];
}
// Blocks read what another block writes; no thread of the same block does.
KERNEL across_blocks(int* data, int* out) {
    if (threadIdx.x == 0)
        data[blockIdx.x] = blockIdx.x;  // RACE
    else if (threadIdx.x == 1)
        out[blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];  // RACE
}
// The last block adds what all have left: right with a fence, a race without.
__device__ unsigned finished = 0;
template <bool fenced>
__device__ void last_block(const int* in, int* part, int* out) {
    __shared__ bool is_last;
    const int t = threadIdx.x;
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < 64; ++i) sum += in[blockIdx.x * 64 + i];
        part[blockIdx.x] = sum;  // RACE
        if (fenced) __threadfence();
        is_last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += part[b];  // RACE
        *out = sum;
        finished = 0;
    }
}
KERNEL last_block_fenced(const int* in, int* part, int* out) {
    last_block<true>(in, part, out);
}
KERNEL last_block_unfenced(const int* in, int* part, int* out) {
    last_block<false>(in, part, out);
}

__device__ void atomic_max(float* place, float x) {
    int* const bits = reinterpret_cast<int*>(place);
    int seen = *bits;
    while (x > __int_as_float(seen)) {
        const int there = atomicCAS(bits, seen, __float_as_int(x));
        if (there == seen) return;
        seen = there;
    }
}
KERNEL max_and_a_peek(const int* a, int* largest, int* peeked) {
    const int x = a[blockIdx.x * blockDim.x + threadIdx.x];
    int seen = *largest;
    while (x > seen) {
        const int there = atomicCAS(largest, seen, x);  // RACE
        if (there == seen) break;
        seen = there;
    }
    __syncthreads();
    if (threadIdx.x == 0) peeked[blockIdx.x] = *largest;  // RACE
}
// Between the two others may add: what was read is not where the own part begins.
KERNEL reads_then_reserves(int* count, int* begins) {
    if (threadIdx.x != 0) return;
    begins[blockIdx.x] = *count;  // RACE
    atomicAdd(count, 32);         // RACE
}
KERNEL reserves_while_there_is_room(int* count, int* places, int room) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    places[i] = *count < room ? atomicAdd(count, 1) : room;
}

// Who clears it comes first of all, and adds before anyone else looks.
KERNEL cleared_without_barrier(int* out) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;  // RACE
    atomicAdd(&total, 1);             // RACE
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}
KERNEL cleared_by_the_first(int* total) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *total = 0;  // RACE
    __syncthreads();
    atomicAdd(total, 1);  // RACE
}

// None of these races.
KERNEL cleared_and_read_between_barriers(int* out) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}
KERNEL counters_of_blocks(int* totals) {
    if (threadIdx.x == 0) totals[blockIdx.x] = 0;
    __syncthreads();
    atomicAdd(&totals[blockIdx.x], 1);
}
KERNEL max_by_compare_and_swap(const float* a, float* largest) {
    atomic_max(largest, a[blockIdx.x * blockDim.x + threadIdx.x]);
}
KERNEL same_value(int* found, const int* in, int wanted) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] == wanted) *found = 1;
}
KERNEL flag_of_a_block(volatile int* flag, int* data, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        out[blockIdx.x] = *data;
    }
}
KERNEL atomic_object(cuda::atomic<int, cuda::thread_scope_device>* flag, int* data, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 1) {
        *data = 42;
        flag->store(1, cuda::memory_order_release);
    } else {
        while (flag->load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data;
    }
}
KERNEL bytes(unsigned char* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}
KERNEL three_bytes(uchar3* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = make_uchar3(i, i + 1, i + 2);
}
KERNEL named_barriers(int* out) {  // two halves of a block, each with a barrier of its own
    __shared__ int s[128];
    const int t = threadIdx.x, half = t / 64;
    s[t] = t;
    asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
    out[t] = s[half * 64 + (t + 33) % 64];
}
KERNEL one_barrier_for_two(int* out) {  // which opens for the first 64 threads that come
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = t;  // RACE
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = s[(t + 64) % 128];  // RACE
}
KERNEL readers_not_at_the_barrier(int* out) {  // they have ended when it opens
    __shared__ int s[32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (warp == 0) s[lane] = lane;
    __syncthreads();
    if (warp == 1) {
        out[t] = s[lane];  // RACE
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        if (warp == 0) s[lane] = -1;  // RACE
        out[t] = lane;
    }
}
KERNEL shuffles(int* out) {
    __shared__ int s[8];
    int value = threadIdx.x;
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(~0u, value, d);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 8) {
        value = s[threadIdx.x];
        for (int d = 4; d > 0; d /= 2) value += __shfl_down_sync(0xff, value, d);
        if (threadIdx.x == 0) *out = value;
    }
}
KERNEL many_barriers(int* data) {  // more of them than a shade can tell apart
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = t;
    for (int k = 0; k < 1500; ++k) {
        __syncthreads();
        const int next = s[(t + 1) % 64];
        __syncthreads();
        s[t] = next;
    }
    data[t] = s[t];
}
KERNEL histogram(const unsigned char* in, unsigned* bins, int n) {
    __shared__ unsigned local[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}
// Atomics do not order a plain read beside them.
KERNEL histogram_early(const unsigned char* in, unsigned* out) {
    __shared__ unsigned local[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
    __syncthreads();
    atomicAdd(&local[in[threadIdx.x]], 1u);  // RACE
    out[threadIdx.x] = local[threadIdx.x];   // RACE
}
// A million threads at one word.
KERNEL all_at_one(int* word) {
    *word = blockIdx.x * blockDim.x + threadIdx.x;  // RACE
}
KERNEL race_only_sometimes(int* data, int limit) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i < limit ? i : 0] = i;  // RACE
}
KERNEL add_by_volatile(int* total, int* first) {
    if (threadIdx.x != 0) return;
    atomicCAS(first, -1, static_cast<int>(blockIdx.x));
    volatile int* const seen_by_all = total;
    *seen_by_all = *seen_by_all + 1;  // what others add between load and store is lost
}
KERNEL cross(int* a, int n) {  // writes a page of another block, never a word of it
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[(i * 97) % n] = i;
}

// All blocks add to one total, by operations that are atomic in a block only; then each block to a
// total of its own.
KERNEL add_in_block(int* total) {
    atomicAdd_block(total, 1);  // RACE
}
KERNEL add_in_own_block(int* totals) {
    atomicAdd_block(totals + blockIdx.x, 1);
}
// Blocks take turns at one total: each comes after the fence and the flag of the one before it.
KERNEL add_in_turn(int* total, int* turn) {
    if (threadIdx.x == 0)
        while (atomicAdd(turn, 0) != int(blockIdx.x)) {
        }
    __syncthreads();
    __threadfence();
    atomicAdd_block(total, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(turn, 1);
    }
}

// A place in a table is read before another thread has written it, and is a bad index then: of
// another warp, of the own one, through global memory of another block.
KERNEL place_of_another_warp(const int* places, const int* in, int* out) {
    __shared__ int place[64];
    place[threadIdx.x] = places[threadIdx.x];             // RACE
    out[threadIdx.x] = in[place[63 - int(threadIdx.x)]];  // RACE
}
KERNEL place_of_another_lane(const int* places, const int* in, int* out) {
    __shared__ int place[32];
    place[threadIdx.x] = -1000000;
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = in[place[threadIdx.x + 16]];  // RACE
    if (threadIdx.x >= 16) place[threadIdx.x] = places[threadIdx.x];       // RACE
}
KERNEL place_of_another_block(int* place, const int* in, int* out) {
    if (blockIdx.x == 0) out[threadIdx.x] = in[place[threadIdx.x]];  // RACE
    if (blockIdx.x == 1) place[threadIdx.x] = 3;                     // RACE
}
// The bad index has another cause than the race, which other warps have.
KERNEL bad_index_beside_a_race(const int* in, int* out) {
    __shared__ int s[96];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 32) out[threadIdx.x] = in[threadIdx.x - 1000000];
    if (threadIdx.x >= 32)
        out[threadIdx.x] = s[128 - int(threadIdx.x) > 95 ? 95 : 128 - int(threadIdx.x)];
}

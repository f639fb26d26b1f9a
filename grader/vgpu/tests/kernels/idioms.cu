// How experienced people write CUDA: what looks dangerous and is right. The virtual GPU must find
// nothing in any of these (idioms_test.cpp), whatever the order of blocks and warps.
//
// All take 1024 numbers `in`, give 1024 `out`, and have 64 `words` that begin as zero; most run as
// 8 blocks of 128 threads.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>

namespace cg = cooperative_groups;

#define KERNEL extern "C" __global__ void
#define ARGUMENTS const int *in, int *out, int *words

__device__ int thread() {
    return threadIdx.x;
}
__device__ int place() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Two tiles, so that one barrier a round is enough.
KERNEL double_buffer(ARGUMENTS) {
    __shared__ int tile[2][128];
    const int t = thread();
    int sum = 0;
    tile[0][t] = in[t];
    for (int r = 0; r < 8; ++r) {
        __syncthreads();
        if (r + 1 < 8) tile[(r + 1) % 2][t] = in[(r + 1) * 128 + t];
        sum += tile[r % 2][(t + 1) % 128];
    }
    out[place()] = sum;
}

/// Half of the warps fetch, half use; named barriers say "full" and "empty".
__device__ void wait_for(int barrier) {
    asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory");
}
__device__ void tell(int barrier) {
    asm volatile("bar.arrive %0, 128;" ::"r"(barrier) : "memory");
}
KERNEL warp_specialised(ARGUMENTS) {
    __shared__ int box[64];
    const int t = thread(), full = 1, empty = 2;
    if (t < 64) {
        for (int r = 0; r < 8; ++r) {
            if (r > 0) wait_for(empty);
            box[t] = in[r * 128 + t];
            tell(full);
        }
        out[place()] = 0;
    } else {
        int sum = 0;
        for (int r = 0; r < 8; ++r) {
            wait_for(full);
            sum += box[127 - t];
            if (r < 7) tell(empty);
        }
        out[place()] = sum;
    }
}

/// The classic tree, its last steps within a warp.
__device__ void last_warp(volatile int* s, int t) {
    int sum = s[t];
    for (int d = 32; d > 0; d /= 2) {
        sum += s[t + d];
        __syncwarp();
        s[t] = sum;
        __syncwarp();
    }
}
KERNEL tree_with_last_warp(ARGUMENTS) {
    __shared__ int s[128];
    const int t = thread();
    s[t] = in[place()];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) last_warp(s, t);
    if (t == 0) out[blockIdx.x] = s[0];
}

KERNEL shuffle_sum(ARGUMENTS) {
    __shared__ int sums[32];
    int value = in[place()];
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffff, value, d);
    if (thread() % 32 == 0) sums[thread() / 32] = value;
    __syncthreads();
    if (thread() < 32) {
        value = thread() < blockDim.x / 32 ? sums[thread()] : 0;
        for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffff, value, d);
        if (thread() == 0) out[blockIdx.x] = value;
    }
}

/// Each block waits for the one before it: a flag, and data behind a fence.
KERNEL chain_of_blocks(ARGUMENTS) {
    __shared__ int before;
    volatile int* flags = words;
    int* sums = words + 32;
    const int b = blockIdx.x;
    if (thread() == 0) {
        before = 0;
        if (b > 0) {
            while (flags[b - 1] == 0) {
            }
            __threadfence();
            before = sums[b - 1];
        }
        sums[b] = before + in[b];
        __threadfence();
        flags[b] = 1;
    }
    __syncthreads();
    out[place()] = before;
}

KERNEL chain_with_atomics(ARGUMENTS) {
    __shared__ int before;
    int* sums = words + 32;
    const int b = blockIdx.x;
    if (thread() == 0) {
        before = 0;
        if (b > 0) {
            while (atomicAdd(&words[b - 1], 0) == 0) {
            }
            __threadfence();
            before = sums[b - 1];
        }
        sums[b] = before + in[b];
        __threadfence();
        atomicExch(&words[b], 1);
    }
    __syncthreads();
    out[place()] = before;
}

KERNEL chain_with_atomic_ref(ARGUMENTS) {
    __shared__ int before;
    int* sums = words + 32;
    const int b = blockIdx.x;
    if (thread() == 0) {
        before = 0;
        if (b > 0) {
            cuda::atomic_ref<int, cuda::thread_scope_device> ready(words[b - 1]);
            while (ready.load(cuda::memory_order_acquire) == 0) {
            }
            before = sums[b - 1];
        }
        sums[b] = before + in[b];
        cuda::atomic_ref<int, cuda::thread_scope_device>(words[b]).store(
            1, cuda::memory_order_release);
    }
    __syncthreads();
    out[place()] = before;
}

/// A flag within a block: one thread writes for the other warps.
KERNEL flag_in_block(ARGUMENTS) {
    __shared__ int data;
    __shared__ volatile int ready;
    if (thread() == 0) ready = 0;
    __syncthreads();
    if (thread() == 0) {
        data = in[blockIdx.x];
        __threadfence_block();
        ready = 1;
        out[place()] = 0;
    } else if (thread() >= 32) {
        while (ready == 0) {
        }
        __threadfence_block();
        out[place()] = data;
    } else {
        out[place()] = 0;
    }
}

/// A lock that every thread takes.
KERNEL spin_lock(ARGUMENTS) {
    int *lock = words, *sum = words + 1;
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *sum = *sum + in[place()];
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
/// One thread of a block takes it for all.
KERNEL lock_of_block(ARGUMENTS) {
    int *lock = words, *sum = words + 1;
    if (thread() == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    if (thread() == 5) *sum += in[blockIdx.x];
    __syncthreads();
    if (thread() == 0) {
        __threadfence();
        atomicExch(lock, 0);
    }
}

KERNEL last_block_sums(ARGUMENTS) {
    __shared__ bool is_last;
    int* sums = words + 32;
    if (thread() == 0) {
        int sum = 0;
        for (int i = 0; i < 128; ++i) sum += in[blockIdx.x * 128 + i];
        sums[blockIdx.x] = sum;
    }
    __threadfence();
    __syncthreads();
    if (thread() == 0) is_last = atomicInc((unsigned*)words, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (is_last && thread() == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += ((volatile int*)sums)[b];
        out[0] = sum;
    }
}

/// Blocks fetch work until none is left.
KERNEL work_queue(ARGUMENTS) {
    __shared__ int next;
    for (;;) {
        if (thread() == 0) next = atomicAdd(words, 1);
        __syncthreads();
        if (next >= 8) return;
        out[next * 128 + thread()] = 2 * in[next * 128 + thread()];
        __syncthreads();
    }
}

/// An atomic operation that CUDA does not have, of one that it has: the first read is a guess.
__device__ void add_with_limit(int* sum, int value) {
    int old = *sum, seen;
    do {
        seen = old;
        old = atomicCAS(sum, seen, min(seen + value, 1 << 20));
    } while (old != seen);
}
KERNEL compare_and_swap(ARGUMENTS) {
    add_with_limit(words, in[place()]);
}

/// One thread looks whether it is worth an atomic; others look meanwhile.
KERNEL largest(ARGUMENTS) {
    const int mine = in[place()];
    if (mine > *(volatile int*)words) atomicMax(words, mine);
}

KERNEL block_object_barrier(ARGUMENTS) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(Barrier) char memory[sizeof(Barrier)];
    __shared__ int tile[128];
    Barrier* barrier = reinterpret_cast<Barrier*>(memory);
    if (thread() == 0) init(barrier, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < 8; ++r) {
        tile[thread()] = in[r * 128 + thread()];
        barrier->arrive_and_wait();
        sum += tile[(thread() + 1) % 128];
        auto token = barrier->arrive();
        barrier->wait(std::move(token));
    }
    out[place()] = sum;
}

KERNEL histogram(ARGUMENTS) {
    __shared__ int bins[32];
    if (thread() < 32) bins[thread()] = 0;
    __syncthreads();
    atomicAdd(&bins[in[place()] % 32], 1);
    __syncthreads();
    if (thread() < 32 && bins[thread()] != 0) atomicAdd(&words[thread()], bins[thread()]);
}

/// Lanes that are here add with one atomic.
KERNEL aggregated(ARGUMENTS) {
    if (in[place()] % 3 == 0) {
        const unsigned here = __activemask();
        const int lane = thread() % 32, leader = __ffs(here) - 1;
        int from = 0;
        if (lane == leader) from = atomicAdd(words, __popc(here));
        from = __shfl_sync(here, from, leader);
        out[from + __popc(here & ((1u << lane) - 1))] = in[place()];
    }
}

/// Pushes to a list in shared memory, then all read it.
KERNEL compact(ARGUMENTS) {
    __shared__ int list[128], count;
    if (thread() == 0) count = 0;
    __syncthreads();
    if (in[place()] % 3 == 0) list[atomicAdd(&count, 1)] = in[place()];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += list[i];
    if (thread() == 0) out[blockIdx.x] = sum;
}

KERNEL same_value(ARGUMENTS) {
    __shared__ bool found;
    found = false;
    __syncthreads();
    if (in[place()] == 5) found = true;
    __syncthreads();
    if (found) out[blockIdx.x] = 1;
    words[0] = 1;
}

KERNEL grid_stride(ARGUMENTS) {
    for (int i = place(); i < 1024; i += 3 * blockDim.x)
        if (blockIdx.x < 3) out[i] = 2 * in[i];
}

/// Sums up to each element, in place.
KERNEL scan_in_place(ARGUMENTS) {
    __shared__ int s[128];
    const int t = thread();
    s[t] = in[place()];
    for (int d = 1; d < 128; d *= 2) {
        __syncthreads();
        const int before = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += before;
    }
    out[place()] = s[t];
}
KERNEL scan_up_and_down(ARGUMENTS) {
    __shared__ int s[128];
    const int t = thread();
    s[t] = in[place()];
    int d = 1;
    for (int n = 64; n > 0; n /= 2, d *= 2) {
        __syncthreads();
        if (t < n) s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1];
    }
    if (t == 0) s[127] = 0;
    for (int n = 1; n < 128; n *= 2) {
        d /= 2;
        __syncthreads();
        if (t < n) {
            const int left = s[d * (2 * t + 1) - 1];
            s[d * (2 * t + 1) - 1] = s[d * (2 * t + 2) - 1];
            s[d * (2 * t + 2) - 1] += left;
        }
    }
    __syncthreads();
    out[place()] = s[t] + in[place()];
}

/// 32 x 32 numbers, turned over in a tile with a column to spare.
KERNEL transpose(ARGUMENTS) {
    __shared__ int tile[32][33];
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        tile[y][threadIdx.x] = in[32 * y + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        out[32 * y + threadIdx.x] = tile[threadIdx.x][y];
}

/// A loop that ends when no thread of the block has anything to do.
KERNEL until_none_changes(ARGUMENTS) {
    __shared__ int label[128];
    const int t = thread();
    label[t] = t;
    bool changed = true;
    while (__syncthreads_or(changed)) {
        const int neighbour = label[t > 0 ? t - 1 : 0];
        __syncthreads();
        changed = neighbour < label[t];
        if (changed) label[t] = neighbour;
    }
    out[place()] = label[t];
}

/// One step from `in` to `out`; the host swaps them.
KERNEL step(ARGUMENTS) {
    const int i = place();
    out[i] = in[i > 0 ? i - 1 : 0] + in[i < 1023 ? i + 1 : 1023];
}

/// All steps in one launch: the grid meets between them.
KERNEL steps_in_grid(int* a, int* b, int steps) {
    const cg::grid_group grid = cg::this_grid();
    const int i = grid.thread_rank();
    for (int k = 0; k < steps; ++k) {
        b[i] = a[i > 0 ? i - 1 : 0] + a[i < 1023 ? i + 1 : 1023];
        grid.sync();
        int* swap = a;
        a = b;
        b = swap;
    }
}

KERNEL groups(ARGUMENTS) {
    __shared__ int sums[8];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    int value = in[place()];
    for (int d = tile.size() / 2; d > 0; d /= 2) value += tile.shfl_down(value, d);
    if (tile.thread_rank() == 0) sums[block.thread_rank() / 16] = value;
    block.sync();
    const auto four = cg::tiled_partition<4>(tile);
    const int most = four.shfl(sums[four.meta_group_rank() % 8], 0);
    if (in[place()] % 2 == 0) {
        const cg::coalesced_group here = cg::coalesced_threads();
        if (here.thread_rank() == 0) atomicAdd(words, here.size());
        here.sync();
    }
    tile.sync();
    if (block.thread_rank() == 0) {
        int sum = 0;
        for (int k = 0; k < 8; ++k) sum += sums[k];
        out[blockIdx.x] = sum + 0 * most;
    }
}

/// Tiles of a warp that go different ways.
KERNEL tiles_apart(ARGUMENTS) {
    __shared__ int box[128];
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int t = thread();
    for (int round = 0; round <= tile.meta_group_rank() % 4; ++round) {
        box[t] = in[place()] + round;
        tile.sync();
        const int next = box[t / 8 * 8 + (t + 1) % 8];
        tile.sync();
        if (tile.any(next % 7 == 3) && round == 2) break;
        out[place()] = next;
    }
}

/// A variable that only some threads get a value for, and only those read. nvcc reads it for all,
/// and then chooses.
__device__ __noinline__ bool half_of(int value, int& half) {
    if (value % 2 != 0) return false;
    half = value / 2;
    return true;
}
KERNEL some_have_a_value(ARGUMENTS) {
    int half;
    const bool is_even = half_of(in[place()], half);
    out[place()] = is_even ? half : -1;
}

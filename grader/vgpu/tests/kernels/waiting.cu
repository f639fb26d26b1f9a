// Pairs of kernels whose threads wait for or look at each other: wrong, and right. A comment "HERE
// name" marks the line that waiting_test.cpp expects.
#include <cooperative_groups.h>

#define KERNEL extern "C" __global__ void

// The mask must name the lane that calls.
KERNEL mask_of_others(int* out) {
    const int lane = threadIdx.x;
    if (lane < 16) out[lane] = __shfl_sync(0xffff0000, lane, 16);  // HERE mask_of_others
}
KERNEL mask_of_others_fixed(int* out) {
    const int lane = threadIdx.x;
    if (lane < 16) out[lane] = __shfl_sync(0x0000ffff, lane, 15);
}

// A shuffle reads from a lane that does not take part.
KERNEL absent_lane(int* out, int from) {
    const int lane = threadIdx.x;
    if (lane < 8) out[lane] = __shfl_sync(0xff, lane, from);  // HERE absent_lane
}
// The upper lanes read from lanes that are not there, and do not use what they get.
KERNEL short_warp(int* out, int mask) {
    const int lane = threadIdx.x, lanes = blockDim.x;
    int sum = lane;
    for (int distance = 16; distance > 0; distance /= 2) {
        const int other = __shfl_down_sync(mask, sum, distance);
        if (lane + distance < lanes) sum += other;
    }
    out[lane] = sum;
}
// A lane that has returned.
KERNEL lane_that_left(int* out) {
    const int lane = threadIdx.x;
    if (lane == 31) return;
    out[lane] = __shfl_sync(0xffffffff, lane, 31);  // HERE lane_that_left
}
KERNEL lane_that_left_fixed(int* out) {
    const int lane = threadIdx.x;
    const int last = __shfl_sync(0xffffffff, lane, 31);
    if (lane == 31) return;
    out[lane] = last;
}

// All shuffles, by lanes from `first` on; the others have left, or were never there.
KERNEL shuffles_of_few(int* out, int first, int by, int width) {
    const int lane = threadIdx.x;
    if (lane < first) return;
    const unsigned here = __activemask();
    int* const mine = out + 4 * lane;
    mine[0] = __shfl_up_sync(here, lane, by, width);
    mine[1] = __shfl_down_sync(here, lane, by, width);
    mine[2] = __shfl_xor_sync(here, lane, by, width);
    mine[3] = __shfl_sync(here, lane, lane + by, width);
}

// Each warp waits for the other at another barrier.
__device__ void wait_at(int barrier) {
    asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");  // HERE crossed_barriers
}
KERNEL crossed_barriers(int* out, int crossed) {
    const int warp = threadIdx.x / 32;
    wait_at(1 + (warp ^ crossed) % 2 * crossed);
    wait_at(2 - (warp ^ crossed) % 2 * crossed);
    out[threadIdx.x] = 1;
}

// A shuffle in a loop that the second warp's upper half leaves before: it waits for the block.
KERNEL shuffle_in_a_loop(int* out, int n) {
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += __shfl_down_sync(0xffffffff, i, 1);  // HERE shuffle_in_a_loop
    }
    __syncthreads();
    out[threadIdx.x] = sum;
}

// Half of a warp waits for the rest, which waits for the block.
KERNEL warp_without_half(int* out) {
    if (threadIdx.x < 16) {
        out[threadIdx.x] = 1;
        __syncwarp();  // HERE warp_without_half
    }
    __syncthreads();
    out[threadIdx.x] = 2;
}
KERNEL warp_without_half_fixed(int* out) {
    if (threadIdx.x < 16) {
        out[threadIdx.x] = 1;
        __syncwarp(0xffff);
    }
    __syncthreads();
    out[threadIdx.x] = 2;
}

// A block that has left never meets the grid.
KERNEL grid_without_block(int* out, int blocks) {
    if (blockIdx.x >= blocks) return;
    cooperative_groups::this_grid().sync();  // HERE grid_without_block
    out[blockIdx.x] = 1;
}

// One block calls sync once more than the others.
KERNEL grid_uneven(int* out, int rounds) {
    const auto grid = cooperative_groups::this_grid();
    const int mine = blockIdx.x == 1 ? rounds : 1;
    for (int i = 0; i < mine; ++i) grid.sync();  // HERE grid_uneven
    out[blockIdx.x] = 1;
}

// All blocks meet at a counter, which one thread of each looks at, or adds nothing to.
KERNEL meet_by_hand(unsigned* arrived, int* out, int by_adding) {
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        if (by_adding != 0) {
            while (atomicAdd(arrived, 0) < gridDim.x) {
            }
        } else {
            while (*static_cast<volatile unsigned*>(arrived) < gridDim.x) {  // HERE meet_by_hand
            }
        }
        __threadfence();
    }
    __syncthreads();
    out[blockIdx.x] = 1;
}

/// After a long computation.
__device__ void set_late(int* flag, int steps) {
    unsigned value = 1;
    for (int i = 0; i < steps; ++i) value = value * 1664525u + 1013904223u;
    *reinterpret_cast<volatile int*>(flag) = value != 0 ? 1 : 2;
}

// All blocks wait for a flag, which block 0 sets after a long computation, or never.
KERNEL wait_for_flag(int* flag, int steps) {
    if (blockIdx.x == 0 && threadIdx.x == 0 && steps > 0) {
        set_late(flag, steps);
    }
    while (*reinterpret_cast<volatile int*>(flag) == 0) {  // HERE wait_for_flag
    }
}

// One lane of each block waits for a flag, which block 0 sets after a long computation, or never.
KERNEL one_lane_waits(int* flag, int steps) {
    if (threadIdx.x == 5) {
        if (blockIdx.x == 0 && steps > 0) {
            set_late(flag, steps);
        }
        while (*reinterpret_cast<volatile int*>(flag) == 0) {
        }
    }
    __syncthreads();  // where the others wait for it
}

// The same, and it says how often it looked.
KERNEL one_lane_counts(int* flag, int* looks, int steps) {
    if (threadIdx.x == 5) {
        if (blockIdx.x == 0) {
            set_late(flag, steps);
        }
        int count = 0;
        while (*reinterpret_cast<volatile int*>(flag) == 0) ++count;
        looks[blockIdx.x] = count;
    }
    __syncthreads();
}

// One lane waits for another one of its warp, which works meanwhile.
KERNEL one_lane_waits_for_another(int* flag, int steps) {
    if (threadIdx.x == 3) {
        set_late(flag, steps);
    } else if (threadIdx.x == 7) {
        while (*reinterpret_cast<volatile int*>(flag) == 0) {
        }
    }
}

// Two variables in shared memory: the nearest is named.
KERNEL second_variable(int* out, int shift) {
    __shared__ int first[16];
    __shared__ double second[16];
    const int t = threadIdx.x;
    first[t] = t;
    second[t + shift] = t;  // HERE second_variable
    __syncthreads();
    out[t] = first[t] + static_cast<int>(second[15 - t]);
}

// Four at once need an address that is a multiple of 16.
KERNEL load_four(const float* in, float4* out, int from) {
    out[threadIdx.x] = reinterpret_cast<const float4*>(in + from)[threadIdx.x];  // HERE load_four
}

// Of one place that the host is to change.
KERNEL host_flag(volatile int* flag) {
    while (*flag == 0) continue;
}
KERNEL host_flag_atomic(int* flag) {
    while (atomicAdd(flag, 0) == 0) continue;
}

// A number is stored by atomicCAS: after a try that failed, the next one is made with the old
// number, or with the one that is there.
KERNEL swap_with_old(int* place, int goes_on) {
    int seen = *place;
    const int mine = seen + 100 + static_cast<int>(threadIdx.x);
    while (seen < mine) {
        const int there = atomicCAS(place, seen, mine);  // HERE swap_with_old
        if (there == seen) return;
        if (goes_on) seen = there;
    }
}
// A lock that nobody sets free, and one without fences.
KERNEL lock_that_stays(int* lock, int frees) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    lock[1] += 1;
    __threadfence();
    if (frees) atomicExch(lock, 0);
}
KERNEL lock_without_fences(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    lock[1] += 1;
    atomicExch(lock, 0);
}

// Each block waits for the one before it, as in a scan in one pass: a warp looks together, and
// between two looks it sleeps or fences, so the loop has two ways back.
KERNEL chain_of_votes(unsigned* flags, int fences) {
    const unsigned block = blockIdx.x;
    unsigned seen;
    const unsigned* const before = block == 0 ? flags + gridDim.x : flags + block - 1;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(before) : "memory");
    while (__any_sync(0xffffffff, seen == 0)) {
        if (fences > 0)
            __threadfence_block();
        else
            __nanosleep(350);
        asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(before) : "memory");
    }
    if (threadIdx.x == 0) atomicExch(&flags[block], 1u);
}

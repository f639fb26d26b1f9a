// Code that ends only if every lane gets its turn, as on GPUs since Volta: locks that lanes of one
// warp fight for, in all the ways that students write them. progress_test.cpp counts.

#define KERNEL extern "C" __global__ void

__device__ int lock_word, turn_next, turn_now;
__device__ volatile int counter;

__device__ void enter() {
    while (atomicCAS(&lock_word, 0, 1) != 0) {
    }
    __threadfence();
}
__device__ void leave() {
    __threadfence();
    atomicExch(&lock_word, 0);
}
__device__ void work() {
    const int before = counter;
    counter = before + 1;
}

/// Wait in a loop, work behind it.
KERNEL lock_then_work() {
    while (atomicCAS(&lock_word, 0, 1) != 0)
        ;
    __threadfence();
    work();
    __threadfence();
    atomicExch(&lock_word, 0);
}
KERNEL lock_in_functions() {
    enter();
    work();
    leave();
}
__device__ __noinline__ void enter_called() {
    enter();
}
__device__ __noinline__ void leave_called() {
    leave();
}
KERNEL lock_in_called_functions() {
    enter_called();
    work();
    leave_called();
}
KERNEL lock_with_flag() {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            __threadfence();
            work();
            leave();
            done = true;
        }
    }
}
KERNEL lock_with_break() {
    for (;;) {
        if (atomicExch(&lock_word, 1) == 0) {
            __threadfence();
            work();
            leave();
            break;
        }
    }
}
KERNEL lock_with_sleep() {
    unsigned ns = 8;
    while (atomicCAS(&lock_word, 0, 1) == 1) {
        __nanosleep(ns);
        if (ns < 256) ns *= 2;
    }
    __threadfence();
    work();
    leave();
}
/// Looks before it tries.
KERNEL lock_test_and_set() {
    for (;;) {
        while (*(volatile int*)&lock_word != 0)
            ;
        if (atomicCAS(&lock_word, 0, 1) == 0) break;
    }
    __threadfence();
    work();
    leave();
}
KERNEL lock_if_else() {
    bool waiting = true;
    while (waiting) {
        if (atomicCAS(&lock_word, 0, 1) != 0) {
            continue;
        } else {
            __threadfence();
            work();
            leave();
            waiting = false;
        }
    }
}
/// Each lane gets a number and waits until it is called.
KERNEL lock_ticket() {
    const int mine = atomicAdd(&turn_next, 1);
    while (*(volatile int*)&turn_now != mine)
        ;
    __threadfence();
    work();
    __threadfence();
    atomicAdd(&turn_now, 1);
}
/// Several rounds, with work of all lanes together between them.
KERNEL lock_rounds(int* out, int rounds) {
    int sum = 0;
    for (int k = 0; k < rounds; ++k) {
        while (atomicCAS(&lock_word, 0, 1) != 0)
            ;
        __threadfence();
        work();
        leave();
        __syncwarp();
        sum += __shfl_xor_sync(~0u, threadIdx.x, 1);
    }
    out[threadIdx.x] = sum;
}
/// The holder meets the lanes that do not want the lock while it holds it.
KERNEL lock_held_over_meeting(int* out) {
    const unsigned lane = threadIdx.x % 32;
    if (lane == 0) {
        while (atomicCAS(&lock_word, 0, 1) != 0)
            ;
        __threadfence();
    }
    __syncwarp();
    if (lane == 1) work();
    __syncwarp();
    if (lane == 0) leave();
    out[threadIdx.x] = 1;
}

/// Lane 0 makes what the other lanes of its warp wait for, and the reverse.
KERNEL produce_and_consume(int* box, int* out, int rounds) {
    const int lane = threadIdx.x % 32;
    volatile int* flag = box + lane;
    int sum = 0;
    if (lane == 0) {
        for (int k = 1; k <= rounds; ++k)
            for (int to = 1; to < 32; ++to) {
                volatile int* other = box + to;
                while (*other != 0)
                    ;
                *other = k;
            }
    } else {
        for (int k = 1; k <= rounds; ++k) {
            int got;
            while ((got = *flag) == 0)
                ;
            sum += got;
            *flag = 0;
        }
    }
    out[threadIdx.x] = sum;
}

/// Odd lanes wait for their even neighbour in one branch of an if.
KERNEL branch_waits_for_branch(int* box, int* out) {
    const int i = threadIdx.x;
    if (i % 2 != 0) {
        while (atomicAdd(&box[i / 2], 0) == 0)
            ;
        out[i] = 2;
    } else {
        out[i] = 1;
        __threadfence();
        atomicExch(&box[i / 2], 1);
    }
}

/// Warps of one block, and blocks, hand a word on in order.
KERNEL relay(int* box, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (atomicAdd(box, 0) != i)
        ;
    out[i] = i;
    __threadfence();
    atomicExch(box, i + 1);
}

/// One block answers what the other asks, in a loop that looks and also writes: it seems to be at
/// work.
KERNEL question_and_answer(int* box, int* out, int rounds) {
    volatile int* const asked = box;
    volatile int* const answered = box + 1;
    if (blockIdx.x == 0) {
        for (int known = 0; known < rounds;) {
            const int question = *asked;
            if (question == known) continue;
            known = question;
            *answered = known;
        }
    } else {
        for (int k = 1; k <= rounds; ++k) {
            *asked = k;
            while (*answered != k)
                ;
        }
        *out = rounds;
    }
}

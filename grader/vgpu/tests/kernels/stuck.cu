// Loops that never end, and loops that look like it and do end. A comment "HERE name" marks the
// line that stuck_test.cpp expects.
#define KERNEL extern "C" __global__ void

// Waits for a flag, with a counter that decides nothing.
KERNEL flag_never_set(volatile int* flag, int* looks) {
    int count = 0;
    while (*flag == 0) ++count;  // HERE flag_never_set
    *looks = count;
}

// One warp waits for another one, which has left.
KERNEL flag_of_another_warp(volatile int* flag, int sets) {
    if (threadIdx.x < 32) {
        while (*flag == 0) {  // HERE flag_of_another_warp
        }
    } else if (sets) {
        *flag = 1;
    }
}

// The others wait at a barrier for the one that waits.
KERNEL one_thread_waits(volatile int* flag) {
    if (threadIdx.x == 0)
        while (*flag == 0) __nanosleep(100);  // HERE one_thread_waits
    __syncthreads();
}

KERNEL atomic_look(int* flag) {
    while (atomicAdd(flag, 0) == 0) {  // HERE atomic_look
    }
}

KERNEL lock_taken_twice(int* lock, int* out) {
    if (threadIdx.x != 0) return;
    for (int i = 0; i < 2; ++i) {
        while (atomicCAS(lock, 0, 1) != 0) {  // HERE lock_taken_twice
        }
        ++*out;
    }
}

// The loop's variable never changes, though what the loop stores does.
KERNEL step_of_0(float* data, int n, int step) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += step) data[i] = sum += 1;  // HERE step_of_0
}

// Each look is at another place: an inner loop that is short, in an outer one that ends.
KERNEL looks_at_all(volatile int* flags, int count, int times, int* seen) {
    int found = 0;
    for (int time = 0; time < times; ++time)
        for (int i = 0; i < count; ++i)
            if (flags[i] != 0) {
                found = 1;
                break;
            }
    *seen = found + times;
}

// Bounded by a number of looks, or by time.
KERNEL gives_up(volatile int* flag, long most, int* looks) {
    long count = 0;
    while (*flag == 0 && count < most) ++count;
    *looks = static_cast<int>(count);
}
KERNEL gives_up_in_time(volatile int* flag, long long cycles, int* done) {
    const long long begin = clock64();
    while (*flag == 0 && clock64() - begin < cycles) {
    }
    *done = 1;
}

KERNEL gives_up_in_ns(volatile int* flag, long long ns, int* done) {
    const auto now = [] {
        long long time;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
        return time;
    };
    const long long begin = now();
    while (*flag == 0 && now() - begin < ns) {
    }
    while (now() - begin < 2 * ns) {
    }
    *done = 1;
}

// The loop itself stores at last what it waits for: at some look, or by an atomic operation that
// changes nothing until then.
KERNEL sets_it_itself(volatile int* flag, int looks) {
    int count = 0;
    while (*flag == 0)
        if (++count == looks) *flag = 1;
}
KERNEL raises_it_itself(int* level, int looks) {
    *level = looks;
    int count = 0;
    while (*static_cast<volatile int*>(level) == looks) atomicMax(level, count++);
}

// The first look comes after long work, in a loop of its own.
KERNEL works_then_looks(volatile int* flag, int steps, int* out) {
    *flag = 1;
    unsigned value = 1;
    do {
        for (int i = 0; i < steps; ++i) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    } while (*flag == 0);
    *out = value;
}

// Long work without memory, in which few registers change; then the flag is set.
KERNEL set_after_work(volatile int* flag, int steps) {
    if (blockIdx.x == 0 && threadIdx.x < 32) {
        while (*flag == 0) {
        }
        return;
    }
    unsigned value = 1;
    for (int i = 0; i < steps; ++i) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    if (threadIdx.x == blockDim.x - 1) *flag = value != 0 ? 1 : 2;
}

// Lanes of one warp that wait for each other, in turn.
KERNEL lanes_in_turn(volatile int* turn, int lanes) {
    while (*turn != static_cast<int>(threadIdx.x)) {
    }
    *turn = threadIdx.x + 1;
}

// Waits for the host, with a bound that is far away.
KERNEL handshake(volatile int* word, long most, int* gave_up) {
    *word = 1;
    for (long looks = 0; looks < most; ++looks)
        if (*word == 2) {  // HERE handshake
            *word = 3;
            return;
        }
    *gave_up = 1;
}

// Two accesses of one word, by two threads: which, by whom, and with or without a barrier between
// them are the launch's to choose.
#define KERNEL extern "C" __global__ void

enum Access { kRead, kWrite, kVolatileRead, kVolatileWrite, kAtomic, kAtomicInBlock };

__device__ int access(int* word, int how, int value) {
    switch (how) {
        case kRead:
            return *word;
        case kWrite:
            *word = value;
            return 0;
        case kVolatileRead:
            return *static_cast<volatile int*>(word);
        case kVolatileWrite:
            *static_cast<volatile int*>(word) = value;
            return 0;
        case kAtomic:
            return atomicAdd(word, value);
        default:
            return atomicAdd_block(word, value);
    }
}

__device__ void access_twice(int* word, int* out, const int* how, const int* who, bool meets) {
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me == who[0]) out[me] = access(word, how[0], 1);
    if (meets) __syncthreads();
    if (me == who[1]) out[me] = access(word, how[1], 2);
}

KERNEL pair_in_global(int* word, int* out, const int* how, const int* who, int meets) {
    access_twice(word, out, how, who, meets != 0);
}

KERNEL pair_in_shared(int* out, const int* how, const int* who, int meets) {
    __shared__ int word;
    if (threadIdx.x == 0) word = 0;
    __syncthreads();
    access_twice(&word, out, how, who, meets != 0);
}

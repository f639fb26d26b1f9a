// Blocks that pass data on by a flag or a counter, and lack the fence, or more than that. Comments
// "FIRST name" and "THEN name" mark the two lines that fences_test.cpp expects.

#define KERNEL extern "C" __global__ void

KERNEL flag_without_fence(int* data, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 1 + threadIdx.x;  // FIRST flag_without_fence
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        if (threadIdx.x == 0)
            while (*flag == 0) {
            }
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x];  // THEN flag_without_fence
    }
}
KERNEL fence_before_data(int* data, int* flag, int* out) {
    if (blockIdx.x == 0) {
        __threadfence();
        data[threadIdx.x] = 1 + threadIdx.x;  // FIRST fence_before_data
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(flag, 1);
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(flag, 0) == 0) {
            }
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x];  // THEN fence_before_data
    }
}
KERNEL counter_without_fence(int* data, int* counter, int* out) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        data[blockIdx.x] = 1 + blockIdx.x;  // FIRST counter_without_fence
        is_last = atomicAdd(counter, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x < gridDim.x)
        out[threadIdx.x] = data[threadIdx.x];  // THEN counter_without_fence
}

/// The reader never looks at the flag: a fence would not help.
KERNEL flag_without_reader(int* data, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 1 + threadIdx.x;  // FIRST flag_without_reader
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        out[threadIdx.x] = data[threadIdx.x];  // THEN flag_without_reader
    }
}
/// All add to a sum whose value nobody looks at: that is no flag.
KERNEL sum_is_no_flag(int* data, int* sum, int* out) {
    if (blockIdx.x == 0) data[threadIdx.x] = 1 + threadIdx.x;  // FIRST sum_is_no_flag
    atomicAdd(sum, 1);
    if (blockIdx.x == 1) out[threadIdx.x] = data[threadIdx.x];  // THEN sum_is_no_flag
}

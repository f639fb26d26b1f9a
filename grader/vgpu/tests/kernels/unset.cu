// Values that nothing has set: to move them is right, to use them is not (unset_values_test.cpp).
#define KERNEL extern "C" __global__ void

/// A window of three rows, which moves by one each step; in the first there is nothing to move.
KERNEL moving_rows(const int* in, int* out, int rows) {
    __shared__ int row[3][64];
    const int t = threadIdx.x;
    row[2][t] = in[t];
    for (int k = 0; k < rows; ++k) {
        row[0][t] = row[1][t];
        row[1][t] = row[2][t];
        if (k + 1 < rows) row[2][t] = in[(k + 1) * 64 + t];
        if (k > 0 && k + 1 < rows) out[k * 64 + t] = row[0][t] + row[1][t] + row[2][t];
    }
}

/// Pairs, of which the first half is moved as a whole.
KERNEL moving_pairs(const int* in, int* out) {
    __shared__ int2 from[32], to[32];
    const int t = threadIdx.x;
    from[t].x = in[t];
    to[t] = from[t];
    __syncthreads();
    out[t] = to[31 - t].x;
}

/// What was moved is used after all, by the last threads.
KERNEL moved_and_used(const int* in, int* out, int written, int used) {
    __shared__ int first[64], second[64];
    const int t = threadIdx.x;
    if (t < written) first[t] = in[t];
    second[t] = first[t];
    __syncthreads();
    if (t < used) out[t] = second[t ^ 1];  // HERE moved_and_used
}

__device__ __noinline__ int twice(int value) {
    return 2 * value;
}

/// Each way in which a value can matter.
KERNEL used(int* out, int how) {
    __shared__ int tile[64], sums[64];
    const int t = threadIdx.x;
    if (t % 2 == 0) tile[t] = t;
    if (how == 9) sums[t] = t;
    __syncthreads();
    const int value = tile[t];  // HERE used
    if (how == 0) out[t] = value;
    if (how == 1 && value > 5) out[t] = 1;
    if (how == 2) out[value & 63] = 1;
    if (how == 3) out[t] = __shfl_down_sync(~0u, value, 1);
    if (how == 4) atomicAdd(out, value);
    if (how == 5) sums[t] = value + 1;
    if (how == 6) out[t] = twice(value);
    if (how == 7) out[t] = __ballot_sync(~0u, value == 3);
    if (how == 8) sums[t] = value;
    __syncthreads();
    if (how == 5 || how == 9) out[t] = sums[63 - t];
}

/// A sum of many unset values, in a loop that nvcc unrolls: without __shared__ each thread has
/// tiles of its own. `written`: how many columns each thread sets.
KERNEL own_tiles(const float* in, float* out, int rounds, int written) {
    float a[32][33], b[32][33];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    float sum = 0;
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < written; ++i) a[y][i] = b[i][x] = in[i + round];
        __syncthreads();
        for (int i = 0; i < 32; ++i) sum += a[y][i] * b[i][x];  // HERE own_tiles
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

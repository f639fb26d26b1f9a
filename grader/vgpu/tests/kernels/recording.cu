// Kernels whose steps recording_test.cpp knows. Line numbers count: "MARK name" marks a line.
#define KERNEL extern "C" __global__ void

KERNEL double_some(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];  // MARK double
}

KERNEL tree_sum(const float* in, float* out) {
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = in[t];     // MARK first
    __syncthreads();  // MARK barrier
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];  // MARK tree
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}

// No barrier: warp 0 reads what warp 1 writes.
KERNEL sum_of_halves(const float* in, float* out) {
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = in[t];                           // MARK race write
    if (t < 32) out[t] = s[t] + s[t + 32];  // MARK race read
}

// Rounds with one barrier each: warp 0 writes the next tile while warp 1 still reads this one.
KERNEL rounds(const float* in, float* out, int rounds) {
    __shared__ float tile[64];
    float sum = 0;
    for (int round = 0; round < rounds; ++round) {
        tile[threadIdx.x] = in[threadIdx.x] + round;  // MARK round write
        __syncthreads();
        sum += tile[63 - threadIdx.x];  // MARK round read
    }
    out[threadIdx.x] = sum;
}

KERNEL count_even(const int* in, int* count) {
    if (in[threadIdx.x] % 2 == 0) atomicAdd(count, 1);  // MARK atomic
}

KERNEL past_the_end(float* out) {
    out[threadIdx.x] = 1;  // MARK past
}

KERNEL half_waits() {
    if (threadIdx.x < 32) __syncthreads();  // MARK half
}

KERNEL for_long(int* out, int times) {
    for (int k = 0; k < times; ++k) ((volatile int*)out)[threadIdx.x] = k;
}

KERNEL allocates(float** out) {
    float* p = (float*)malloc(sizeof(float));
    *p = 1;
    *out = p;
}

KERNEL warp_sum(const float* in, float* out) {
    float sum = in[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);  // MARK shuffle
    if (threadIdx.x == 0) *out = sum;
}

KERNEL first_lane_index(int* out) {
    const int mine = threadIdx.x + 100;
    out[threadIdx.x] = __shfl_sync(0xffffffff, mine, 3) - mine;  // MARK shuffle of ints
}

// Each block reverses its 256 elements in shared memory, once without the barrier it needs.

template <bool waits>
__device__ void reverse(int* values) {
    __shared__ int tile[256];
    const unsigned i = threadIdx.x;
    int* mine = values + blockIdx.x * 256;
    tile[i] = mine[i];
    if (waits) __syncthreads();
    mine[i] = tile[255 - i];
}

extern "C" __global__ void reverse_at_once(int* values) {
    reverse<false>(values);
}

extern "C" __global__ void reverse_in_turn(int* values) {
    reverse<true>(values);
}

// Passes a value from one lane of a warp to all others, without memory.

#include <cstdio>

__global__ void spread_kernel(int* out) {
    const int lane = threadIdx.x;
    const int mine = 100 + lane;                             // in a register of each lane
    const int third = __shfl_sync(0xffffffff, mine, 3);      // lane 3's
    const int before = __shfl_up_sync(0xffffffff, mine, 1);  // that of the lane before
    out[lane] = 1000 * third + before;
}

int main() {
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    spread_kernel<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    std::printf("lane 0: %d, lane 1: %d, lane 31: %d\n", out[0], out[1], out[31]);
    cudaFree(out);
}

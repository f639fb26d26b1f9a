// Moves the elements of a block one place on, through shared memory: once without the barrier that
// this needs, and once with it.

#include <cstdio>

__global__ void without_barrier_kernel(int* a) {
    __shared__ int block[64];
    block[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = block[(threadIdx.x + 63) % 64];
}

__global__ void with_barrier_kernel(int* a) {
    __shared__ int block[64];
    block[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = block[(threadIdx.x + 63) % 64];
}

int main() {
    int* a;
    cudaMallocManaged(&a, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) a[i] = i;
    with_barrier_kernel<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    std::printf("with a barrier:    %d %d %d ... %d\n", a[0], a[1], a[2], a[63]);
    for (int i = 0; i < 64; ++i) a[i] = i;
    without_barrier_kernel<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    std::printf("without a barrier: %d %d %d ... %d\n", a[0], a[1], a[2], a[63]);
    cudaFree(a);
}

// Counts to 256 with 256 threads: first with ++, which loses additions, then with atomicAdd.

#include <cstdio>

__global__ void plain_kernel(int* count) {
    ++*count;
}

__global__ void atomic_kernel(int* count) {
    atomicAdd(count, 1);
}

int main() {
    int* count;
    cudaMallocManaged(&count, sizeof(int));
    *count = 0;
    plain_kernel<<<1, 256>>>(count);
    cudaDeviceSynchronize();
    std::printf("++*count:            %d\n", *count);
    *count = 0;
    atomic_kernel<<<1, 256>>>(count);
    cudaDeviceSynchronize();
    std::printf("atomicAdd(count, 1): %d\n", *count);
    cudaFree(count);
}

// Lets 64 threads compete for 4 seats. atomicCAS takes a seat only if it is still free.

#include <cstdio>

__global__ void claim_kernel(int* seats, int* winners) {
    const int seat = threadIdx.x % 4;
    const int me = 1 + threadIdx.x;
    const int before = atomicCAS(&seats[seat], 0, me);  // free is 0
    if (before == 0) atomicAdd(winners, 1);
}

int main() {
    int *seats, *winners;
    cudaMallocManaged(&seats, 4 * sizeof(int));
    cudaMallocManaged(&winners, sizeof(int));
    for (int k = 0; k < 4; ++k) seats[k] = 0;
    *winners = 0;
    claim_kernel<<<1, 64>>>(seats, winners);
    cudaDeviceSynchronize();
    std::printf("%d threads have a seat\n", *winners);
    cudaFree(seats);
    cudaFree(winners);
}

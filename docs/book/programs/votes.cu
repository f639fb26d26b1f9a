// Shares out places in a list: each warp asks its lanes who wants one, and adds once.

#include <cstdio>

__global__ void places_kernel(int* list, int* length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const bool wants = i % 7 == 0;
    const unsigned lanes = __ballot_sync(0xffffffff, wants);  // bit l: lane l wants a place
    int first = 0;
    if (lane == 0) first = atomicAdd(length, __popc(lanes));
    first = __shfl_sync(0xffffffff, first, 0);
    const int before = __popc(lanes & ((1u << lane) - 1));  // how many lower lanes want one
    if (wants) list[first + before] = i;
}

int main() {
    int *list, *length;
    cudaMallocManaged(&list, 128 * sizeof(int));
    cudaMallocManaged(&length, sizeof(int));
    *length = 0;
    places_kernel<<<1, 64>>>(list, length);
    cudaDeviceSynchronize();
    std::printf("%d multiples:", *length);
    for (int k = 0; k < *length; ++k) std::printf(" %d", list[k]);
    std::printf("\n");
    cudaFree(list);
    cudaFree(length);
}

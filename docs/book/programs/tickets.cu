// Collects the multiples of 7 in a list: the value that atomicAdd returns is the place to write to.

#include <algorithm>
#include <cstdio>

__global__ void multiples_kernel(int* list, int* length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 7 == 0) {
        const int place = atomicAdd(length, 1);  // the length before: nobody else gets this place
        list[place] = i;
    }
}

int main() {
    int *list, *length;
    cudaMallocManaged(&list, 128 * sizeof(int));
    cudaMallocManaged(&length, sizeof(int));
    *length = 0;
    multiples_kernel<<<2, 64>>>(list, length);
    cudaDeviceSynchronize();
    std::sort(list, list + *length);  // threads come in any order
    std::printf("%d multiples:", *length);
    for (int k = 0; k < *length; ++k) std::printf(" %d", list[k]);
    std::printf("\n");
    cudaFree(list);
    cudaFree(length);
}

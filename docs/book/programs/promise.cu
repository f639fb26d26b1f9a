// Breaks the promise of __restrict__: the compiler believes it, and the result changes.

#include <cstdio>

__global__ void plain_kernel(int* out, const int* step) {
    out[0] += step[0];
    out[1] += step[0];
}

__global__ void promised_kernel(int* __restrict__ out, const int* __restrict__ step) {
    out[0] += step[0];
    out[1] += step[0];
}

int main() {
    int* a;
    cudaMallocManaged(&a, 2 * sizeof(int));
    for (const bool promised : {false, true}) {
        a[0] = a[1] = 1;
        if (promised) {
            promised_kernel<<<1, 1>>>(a, a);  // step is out[0], although the kernel says it is not
        } else {
            plain_kernel<<<1, 1>>>(a, a);
        }
        cudaDeviceSynchronize();
        std::printf("%s: %d %d\n", promised ? "false promise" : "no promise", a[0], a[1]);
    }
    cudaFree(a);
}

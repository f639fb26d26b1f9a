// Launches a kernel with too many threads: nothing runs, and nothing is said unless you ask.

#include <cstdio>

__global__ void seven_kernel(int* a) {
    a[threadIdx.x] = 7;
}

int main() {
    int* a;
    cudaMallocManaged(&a, 2048 * sizeof(int));
    for (const int threads : {1024, 2048}) {
        a[0] = 0;
        seven_kernel<<<1, threads>>>(a);
        const cudaError_t launch = cudaGetLastError();    // was it accepted?
        const cudaError_t run = cudaDeviceSynchronize();  // did it end well?
        std::printf("%d threads: launch: %s, run: %s, a[0] = %d\n", threads,
                    cudaGetErrorString(launch), cudaGetErrorString(run), a[0]);
    }
    cudaFree(a);
}

// Does a kernel run here? Prints "ok ARCHITECTURE NAME" or "no REASON" (core/device.cpp reads it).
// Compiled to PTX only, so that it runs on whatever GPU there is, as far as the toolkit allows.

#include <cstdio>

__global__ void answer_kernel(int* answer) {
    *answer = 42;
}

static int no(cudaError_t error) {
    std::printf("no %s\n", cudaGetErrorString(error));
    return 0;
}

int main() {
    int count = 0, answer = 0;
    int* device_answer = nullptr;
    cudaDeviceProp properties;
    if (cudaError_t error = cudaGetDeviceCount(&count)) return no(error);
    if (cudaError_t error = cudaGetDeviceProperties(&properties, 0)) return no(error);
    if (cudaError_t error = cudaMalloc(&device_answer, sizeof answer)) return no(error);
    answer_kernel<<<1, 1>>>(device_answer);
    if (cudaError_t error = cudaGetLastError()) return no(error);
    if (cudaError_t error =
            cudaMemcpy(&answer, device_answer, sizeof answer, cudaMemcpyDeviceToHost))
        return no(error);
    if (answer != 42) {
        std::printf("no the test kernel stored %d instead of 42\n", answer);
        return 0;
    }
    std::printf("ok sm_%d%d %s\n", properties.major, properties.minor, properties.name);
    return 0;
}

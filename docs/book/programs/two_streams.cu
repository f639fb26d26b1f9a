// Runs two small kernels one after the other in one stream, then at once in two.

#include <cstdio>

__global__ void busy_kernel(float* x) {
    float value = threadIdx.x;
    for (int round = 0; round < 100'000; ++round) value = 0.5F * value + 1;
    x[threadIdx.x] = value;
}

float time_ms(float* x, cudaStream_t first, cudaStream_t second) {
    cudaEvent_t begin, end, second_done;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventCreate(&second_done);
    cudaEventRecord(begin, first);
    cudaStreamWaitEvent(second, begin);  // neither kernel begins before the stopwatch
    busy_kernel<<<1, 64, 0, first>>>(x);
    busy_kernel<<<1, 64, 0, second>>>(x + 64);
    cudaEventRecord(second_done, second);
    cudaStreamWaitEvent(first, second_done);  // nor does the stopwatch end before both have
    cudaEventRecord(end, first);
    cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaEventDestroy(second_done);
    return ms;
}

int main() {
    float* x;
    cudaMalloc(&x, 128 * sizeof(float));
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    time_ms(x, one, one);  // the first launch also loads the code
    const float in_one = time_ms(x, one, one), in_two = time_ms(x, one, two);
    std::printf("two streams take %.1f of the time of one\n", in_two / in_one);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFree(x);
}

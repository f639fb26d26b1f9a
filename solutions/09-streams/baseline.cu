// Lab 09, baseline: right, and slow. Everything goes through the default stream, one after the
// other.

#include "streams.h"

float time_kernel(const float* a, float* b, int n, int delay_us, cudaStream_t stream) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, stream);
    late_double_kernel<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n, delay_us);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    float time_ms = 0.0F;
    cudaEventElapsedTime(&time_ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return time_ms;
}

void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    for (int k = 0; k < jobs; ++k) {
        work_kernel<<<1, 256>>>(in + k * n, out + k * n, n, rounds);
        log_start(started);
    }
    cudaDeviceSynchronize();
}

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    (void)chunks, (void)streams;
    if (n == 0) return;
    float* d_data = nullptr;
    cudaMalloc(&d_data, n * sizeof(float));
    cudaMemcpy(d_data, in, n * sizeof(float), cudaMemcpyHostToDevice);
    work_kernel<<<kWorkBlocks, 256>>>(d_data, d_data, n, rounds);
    cudaMemcpy(out, d_data, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_data);
}

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    (void)second, (void)doubled;
    const int blocks = (n + 255) / 256;
    late_double_kernel<<<blocks, 256, 0, first>>>(a, b, n, delay_us);
    late_square_kernel<<<blocks, 256, 0, first>>>(a, c, n, delay_us);
    add_kernel<<<blocks, 256, 0, first>>>(b, c, n);
}

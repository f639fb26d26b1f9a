// Wrong: computed on the host. out gets what work_kernel would make of in, without any kernel.
//
// expect vgpu: "pipeline: any number of pieces and streams": "no kernel was launched"
// expect gpu: "pipeline: at least 0.82x the reference": "too slow"

#include "streams.h"

#include <cstring>
#include <vector>

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
    std::vector<cudaStream_t> streams(jobs);
    for (cudaStream_t& stream : streams) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }
    for (int k = 0; k < jobs; ++k) {
        work_kernel<<<1, 256, 0, streams[k]>>>(in + k * n, out + k * n, n, rounds);
        log_start(started);
    }
    for (cudaStream_t stream : streams) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
}

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    (void)chunks, (void)streams;
    for (int i = 0; i < n; ++i) {
        unsigned bits;
        std::memcpy(&bits, &in[i], sizeof(bits));
        unsigned digits = bits;
        for (int round = 0; round < rounds; ++round) digits = digits * 1664525u + 1013904223u;
        bits = (bits & 0xff800000u) | (digits & 0x007fffffu);
        std::memcpy(&out[i], &bits, sizeof(bits));
    }
}

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    const int blocks = (n + 255) / 256;
    late_double_kernel<<<blocks, 256, 0, first>>>(a, b, n, delay_us);
    cudaEventRecord(doubled, first);
    late_square_kernel<<<blocks, 256, 0, second>>>(a, c, n, delay_us);
    cudaStreamWaitEvent(second, doubled);
    add_kernel<<<blocks, 256, 0, second>>>(b, c, n);
}

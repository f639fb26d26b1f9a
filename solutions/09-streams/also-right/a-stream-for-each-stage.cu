// Right: three streams whatever was asked for: one for the copies there, one for the kernels, one
// for the copies back, with events between them.

#include "streams.h"

#include <algorithm>
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

void pipeline(const float* in, float* out, int n, int chunks, int, int rounds) {
    if (n == 0) return;
    float* d_data = nullptr;
    cudaMalloc(&d_data, n * sizeof(float));
    cudaStream_t there, work, back;
    for (cudaStream_t* stream : {&there, &work, &back}) cudaStreamCreate(stream);
    std::vector<cudaEvent_t> events;
    const auto after = [&](cudaStream_t earlier, cudaStream_t later) {
        events.emplace_back();
        cudaEventCreateWithFlags(&events.back(), cudaEventDisableTiming);
        cudaEventRecord(events.back(), earlier);
        cudaStreamWaitEvent(later, events.back());
    };
    const int share = (n - 1) / chunks + 1;
    for (int begin = 0; begin < n; begin += share) {
        const int count = std::min(share, n - begin);
        float* const piece = d_data + begin;
        cudaMemcpyAsync(piece, in + begin, count * sizeof(float), cudaMemcpyHostToDevice, there);
        after(there, work);
        work_kernel<<<kWorkBlocks, 256, 0, work>>>(piece, piece, count, rounds);
        after(work, back);
        cudaMemcpyAsync(out + begin, piece, count * sizeof(float), cudaMemcpyDeviceToHost, back);
    }
    cudaStreamSynchronize(back);
    for (cudaEvent_t event : events) cudaEventDestroy(event);
    for (cudaStream_t stream : {there, work, back}) cudaStreamDestroy(stream);
    cudaFree(d_data);
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

// Lab 09, expert: a pipeline that costs little more than its copies.
//
//   memory   A stream does one piece after the other, so one place on the device for each stream is
//            enough: a few pieces, not the whole array. Less to allocate, which takes as long as
//            copying does when it is hundreds of megabytes.
//   streams  All work goes out at once, and the host waits at the end only. How many streams there
//            are, and how many pieces, the caller says. Smaller pieces at both ends, where only one
//            direction is busy, gained nothing (notes.md).
//
// The other three functions are as fast as their kernels; they are the solution's.

#include "streams.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

int blocks_for(int n) {
    return (n - 1) / kThreads + 1;
}

/// Streams that do not wait for the default stream.
std::vector<cudaStream_t> new_streams(int count) {
    std::vector<cudaStream_t> streams(count);
    for (cudaStream_t& stream : streams) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }
    return streams;
}

void finish(const std::vector<cudaStream_t>& streams) {
    for (cudaStream_t stream : streams) cudaStreamSynchronize(stream);
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

}  // namespace

float time_kernel(const float* a, float* b, int n, int delay_us, cudaStream_t stream) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, stream);
    late_double_kernel<<<blocks_for(n), kThreads, 0, stream>>>(a, b, n, delay_us);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    float time_ms = 0;
    cudaEventElapsedTime(&time_ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return time_ms;
}

void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    const std::vector<cudaStream_t> streams = new_streams(jobs);
    for (int k = 0; k < jobs; ++k) {
        work_kernel<<<1, kThreads, 0, streams[k]>>>(in + k * n, out + k * n, n, rounds);
        log_start(started);
    }
    finish(streams);
}

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    if (n == 0) return;
    const int share = (n - 1) / chunks + 1;
    const int used = std::min(streams, (n - 1) / share + 1);
    float* places = nullptr;
    cudaMalloc(&places, static_cast<std::size_t>(used) * share * sizeof(float));
    const std::vector<cudaStream_t> all = new_streams(used);

    for (int begin = 0, count = 0, k = 0; begin < n; begin += count, k = (k + 1) % used) {
        count = std::min(share, n - begin);
        const cudaStream_t stream = all[k];
        float* const place = places + static_cast<std::size_t>(k) * share;
        cudaMemcpyAsync(place, in + begin, count * sizeof(float), cudaMemcpyHostToDevice, stream);
        work_kernel<<<kWorkBlocks, kThreads, 0, stream>>>(place, place, count, rounds);
        cudaMemcpyAsync(out + begin, place, count * sizeof(float), cudaMemcpyDeviceToHost, stream);
    }
    finish(all);
    cudaFree(places);
}

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    const int blocks = blocks_for(n);
    late_double_kernel<<<blocks, kThreads, 0, first>>>(a, b, n, delay_us);
    cudaEventRecord(doubled, first);
    late_square_kernel<<<blocks, kThreads, 0, second>>>(a, c, n, delay_us);
    cudaStreamWaitEvent(second, doubled);
    add_kernel<<<blocks, kThreads, 0, second>>>(b, c, n);
}

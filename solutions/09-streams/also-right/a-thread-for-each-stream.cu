// Right: a host thread for each stream. Each sends its pieces and waits for its own stream; the
// jobs have a thread each, too.

#include "streams.h"

#include <algorithm>
#include <thread>
#include <vector>

float time_kernel(const float* a, float* b, int n, int delay_us, cudaStream_t stream) {
    float time_ms = 0.0F;
    std::thread([&] {
        cudaEvent_t begin, end;
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
        cudaEventRecord(begin, stream);
        late_double_kernel<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n, delay_us);
        cudaEventRecord(end, stream);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&time_ms, begin, end);
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
    }).join();
    return time_ms;
}

void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    std::vector<std::thread> threads;
    for (int k = 0; k < jobs; ++k) {
        threads.emplace_back([=] {
            cudaStream_t stream;
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            work_kernel<<<1, 256, 0, stream>>>(in + k * n, out + k * n, n, rounds);
            log_start(started);
            cudaStreamSynchronize(stream);
            cudaStreamDestroy(stream);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    if (n == 0) return;
    float* d_data = nullptr;
    cudaMalloc(&d_data, n * sizeof(float));
    const int share = (n - 1) / chunks + 1;
    std::vector<std::thread> threads;
    for (int first = 0; first < streams; ++first) {
        threads.emplace_back([=] {
            cudaStream_t stream;
            cudaStreamCreate(&stream);
            for (int k = first; k < chunks && k * share < n; k += streams) {
                const int begin = k * share, count = std::min(share, n - begin);
                float* const piece = d_data + begin;
                cudaMemcpyAsync(piece, in + begin, count * sizeof(float), cudaMemcpyHostToDevice,
                                stream);
                work_kernel<<<kWorkBlocks, 256, 0, stream>>>(piece, piece, count, rounds);
                cudaMemcpyAsync(out + begin, piece, count * sizeof(float), cudaMemcpyDeviceToHost,
                                stream);
            }
            cudaStreamSynchronize(stream);
            cudaStreamDestroy(stream);
        });
    }
    for (std::thread& thread : threads) thread.join();
    cudaFree(d_data);
}

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    const int blocks = (n + 255) / 256;
    std::thread ahead([=] {
        late_double_kernel<<<blocks, 256, 0, first>>>(a, b, n, delay_us);
        cudaEventRecord(doubled, first);
    });
    late_square_kernel<<<blocks, 256, 0, second>>>(a, c, n, delay_us);
    ahead.join();
    cudaStreamWaitEvent(second, doubled);
    add_kernel<<<blocks, 256, 0, second>>>(b, c, n);
}

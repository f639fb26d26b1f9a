// Right: as many host threads as streams, each with a stream of its own. They take the pieces from
// a common queue, under a lock: whoever is free takes the next one. (Not so the jobs: launches do
// not wait, and on a GPU the first thread has put most of them into its stream before the others
// begin.)

#include "streams.h"

#include <algorithm>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace {

/// Calls work(thread, stream) in so many threads, and waits until all that is in their streams is
/// done.
template <class Work>
void in_threads(int count, Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) {
        threads.emplace_back([=] {
            cudaStream_t stream;
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            work(i, stream);
            cudaStreamSynchronize(stream);
            cudaStreamDestroy(stream);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

}  // namespace

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
    const int threads = std::min(jobs, 8);
    in_threads(threads, [=](int thread, cudaStream_t stream) {
        for (int k = thread; k < jobs; k += threads) {
            work_kernel<<<1, 256, 0, stream>>>(in + k * n, out + k * n, n, rounds);
            log_start(started);
        }
    });
    cudaStreamSynchronize(cudaStreamLegacy);
}

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    if (n == 0) return;
    float* d_data = nullptr;
    cudaMalloc(&d_data, n * sizeof(float));
    const int share = (n - 1) / chunks + 1;
    std::queue<int> begins;
    for (int begin = 0; begin < n; begin += share) begins.push(begin);
    std::mutex mutex;
    in_threads(streams, [&](int, cudaStream_t stream) {
        for (;;) {
            int begin = 0;
            {
                const std::lock_guard<std::mutex> lock(mutex);
                if (begins.empty()) return;
                begin = begins.front();
                begins.pop();
            }
            const int count = std::min(share, n - begin);
            float* const piece = d_data + begin;
            cudaMemcpyAsync(piece, in + begin, count * sizeof(float), cudaMemcpyHostToDevice,
                            stream);
            work_kernel<<<kWorkBlocks, 256, 0, stream>>>(piece, piece, count, rounds);
            cudaMemcpyAsync(out + begin, piece, count * sizeof(float), cudaMemcpyDeviceToHost,
                            stream);
            cudaStreamSynchronize(stream);
        }
    });
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

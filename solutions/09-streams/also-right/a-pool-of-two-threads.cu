// Right: two host threads that stay, with a queue each; jobs and pieces are dealt out in turn. The
// main thread waits for the streams when both queues are empty.

#include "streams.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace {

class Pool {
public:
    Pool() : threads_{std::thread([this] { work(0); }), std::thread([this] { work(1); })} {}
    ~Pool() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            is_closed_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }
    void add(std::function<void()> task) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            tasks_[added_++ % 2].push(std::move(task));
            ++left_;
        }
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return left_ == 0; });
    }

private:
    void work(int me) {
        std::queue<std::function<void()>>& mine = tasks_[me];
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return is_closed_ || !mine.empty(); });
            if (mine.empty()) return;
            const std::function<void()> task = std::move(mine.front());
            mine.pop();
            lock.unlock();
            task();
            lock.lock();
            --left_;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::queue<std::function<void()>> tasks_[2];
    int added_ = 0, left_ = 0;
    bool is_closed_ = false;
    std::thread threads_[2];
};

}  // namespace

float time_kernel(const float* a, float* b, int n, int delay_us, cudaStream_t stream) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    Pool pool;
    pool.add([=] {
        cudaEventRecord(begin, stream);
        late_double_kernel<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n, delay_us);
        cudaEventRecord(end, stream);
    });
    pool.wait();
    cudaEventSynchronize(end);
    float time_ms = 0.0F;
    cudaEventElapsedTime(&time_ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return time_ms;
}

void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    std::vector<cudaStream_t> streams(jobs);
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    Pool pool;
    for (int k = 0; k < jobs; ++k) {
        const cudaStream_t stream = streams[k];
        pool.add([=] {
            work_kernel<<<1, 256, 0, stream>>>(in + k * n, out + k * n, n, rounds);
            log_start(started);
        });
    }
    pool.wait();
    for (cudaStream_t stream : streams) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
}

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    if (n == 0) return;
    float* d_data = nullptr;
    cudaMalloc(&d_data, n * sizeof(float));
    std::vector<cudaStream_t> all(streams);
    for (cudaStream_t& stream : all) cudaStreamCreate(&stream);
    {
        Pool pool;
        const int share = (n - 1) / chunks + 1;
        for (int k = 0, begin = 0; begin < n; ++k, begin += share) {
            const int count = std::min(share, n - begin);
            const cudaStream_t stream = all[k % streams];
            float* const piece = d_data + begin;
            pool.add([=] {
                cudaMemcpyAsync(piece, in + begin, count * sizeof(float), cudaMemcpyHostToDevice,
                                stream);
                work_kernel<<<kWorkBlocks, 256, 0, stream>>>(piece, piece, count, rounds);
                cudaMemcpyAsync(out + begin, piece, count * sizeof(float), cudaMemcpyDeviceToHost,
                                stream);
            });
        }
        pool.wait();
    }
    for (cudaStream_t stream : all) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
    cudaFree(d_data);
}

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    const int blocks = (n + 255) / 256;
    Pool pool;
    pool.add([=] {
        late_double_kernel<<<blocks, 256, 0, first>>>(a, b, n, delay_us);
        cudaEventRecord(doubled, first);
    });
    pool.add([=] { late_square_kernel<<<blocks, 256, 0, second>>>(a, c, n, delay_us); });
    pool.wait();
    cudaStreamWaitEvent(second, doubled);
    add_kernel<<<blocks, 256, 0, second>>>(b, c, n);
}

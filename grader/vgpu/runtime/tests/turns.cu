// Three host threads, each with a stream of its own, take pieces from a common queue and send them
// through the device. The first argument says how they share the queue, the second one how late
// they are: between two calls each thread computes for as long as a random number says.
#include <semaphore.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

__global__ void scale(float* p, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        p[i] = 2 * p[i] + 1;
}

constexpr int kThreads = 3, kPieces = 16, kPiece = 1 << 14;
constexpr size_t kBytes = kPiece * sizeof(float);

unsigned seed = 0;
float *device, *host, *spare;

void compute_for(std::chrono::microseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
}

/// Calls `next` for the number of a piece, until that is none.
template <class Next>
void work(unsigned thread, bool waits, Next next) {
    std::mt19937 random(seed * kThreads + thread);
    const auto be_late = [&] {
        if (seed != 0) compute_for(std::chrono::microseconds(random() % 400));
    };
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int k; be_late(), (k = next()) < kPieces;) {
        float *const there = device + k * kPiece, *const here = host + k * kPiece;
        cudaMemcpyAsync(there, here, kBytes, cudaMemcpyHostToDevice, stream);
        be_late();
        scale<<<16, 256, 0, stream>>>(there, kPiece);
        cudaMemcpyAsync(here, there, kBytes, cudaMemcpyDeviceToHost, stream);
        if (waits) cudaStreamSynchronize(stream);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}

/// In kThreads threads.
template <class Body>
void in_threads(Body body) {
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t) threads.emplace_back([=] { body(t); });
    for (std::thread& thread : threads) thread.join();
}

std::atomic<int> number = 0;
std::mutex mutex;
std::condition_variable changed;

int from_counter() {
    return number++;
}

int under_lock() {
    const std::lock_guard<std::mutex> lock(mutex);
    const int k = number;
    number = k + 1;
    return k;
}

int under_spin_lock() {
    static std::atomic_flag is_taken = ATOMIC_FLAG_INIT;
    while (is_taken.test_and_set()) {
    }
    const int k = number;
    number = k + 1;
    is_taken.clear();
    return k;
}

int under_shared_lock() {
    static std::shared_mutex mutex;
    {
        const std::shared_lock<std::shared_mutex> lock(mutex);
        if (number >= kPieces) return kPieces;
    }
    const std::unique_lock<std::shared_mutex> lock(mutex);
    const int k = number;
    number = k + 1;
    return k;
}

sem_t is_free;

/// The lock is held while other threads may have their turn.
int under_semaphore() {
    while (sem_wait(&is_free) != 0) {
    }
    const int k = number;
    cudaMemset(spare, 0, 16);
    number = k + 1;
    sem_post(&is_free);
    return k;
}

int after_sleep() {
    usleep(100);
    return number++;
}

int after_yield() {
    static std::atomic<bool> is_taken = false;
    while (is_taken.exchange(true)) std::this_thread::yield();
    const int k = number;
    cudaMemset(spare, 0, 16);
    number = k + 1;
    is_taken = false;
    return k;
}

int after_time_is_over() {
    static std::condition_variable never;
    std::unique_lock<std::mutex> lock(mutex);
    never.wait_for(lock, std::chrono::milliseconds(1));
    return number++;
}

int once() {
    static std::once_flag flags[kPieces + kThreads];
    int mine = kPieces;
    const int k = number;
    std::call_once(flags[k], [&] {
        cudaMemset(spare, 0, 16);
        mine = number++;
    });
    return mine < kPieces || number >= kPieces ? mine : once();
}

int produced = 0;
bool is_closed = false;

int when_there_is_one() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return is_closed || number < produced; });
    return number < produced ? number++ : kPieces;
}

/// The queue is filled after the threads were started, and other calls were made.
void produce() {
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t)
        threads.emplace_back([=] { work(t, false, when_there_is_one); });
    for (int i = 0; i < 10; ++i) cudaMemset(device, 0, 16);
    for (int k = 0; k < kPieces; ++k) {
        if (seed != 0) compute_for(std::chrono::microseconds(50));
        const std::lock_guard<std::mutex> lock(mutex);
        ++produced;
        changed.notify_one();
    }
    {
        const std::lock_guard<std::mutex> lock(mutex);
        is_closed = true;
    }
    changed.notify_all();
    for (std::thread& thread : threads) thread.join();
}

void by_async() {
    std::vector<std::future<void>> all;
    for (unsigned t = 0; t < kThreads; ++t)
        all.push_back(std::async(std::launch::async, [=] { work(t, true, from_counter); }));
    for (std::future<void>& one : all) one.get();
}

/// More threads than most machines have cores: each has one piece, launches it under a lock, and
/// waits for it.
void by_futures() {
    std::mutex in_order;
    std::vector<std::future<void>> all;
    for (int k = 0; k < kPieces; ++k) {
        all.push_back(std::async(std::launch::async, [&in_order, k] {
            cudaStream_t stream;
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            {
                const std::lock_guard<std::mutex> lock(in_order);
                if (seed != 0) compute_for(std::chrono::microseconds(k * seed % 7 * 50));
                scale<<<1, 256, 0, stream>>>(device + k * kPiece, kPiece);
            }
            cudaMemcpyAsync(host + k * kPiece, device + k * kPiece, kBytes, cudaMemcpyDeviceToHost,
                            stream);
            cudaStreamSynchronize(stream);
            cudaStreamDestroy(stream);
        }));
    }
    for (std::future<void>& one : all) one.get();
}

/// Each piece is for the thread whose turn it is, which the others wait for, and look at a flag
/// again and again. They have called before it: each has an earlier clock at times.
void spin_in_turns() {
    in_threads([](unsigned t) {
        int taken = 0;
        work(t, true, [&] {
            const int mine = static_cast<int>(t) + kThreads * taken++;
            while (number < std::min(mine, kPieces)) {
            }
            if (mine < kPieces) ++number;
            return mine;
        });
    });
}

/// The same through pipes.
void pipe_in_turns() {
    int pipes[kThreads][2];
    for (auto& ends : pipes)
        if (pipe(ends) != 0) std::exit(2);
    in_threads([&](unsigned t) {
        int taken = 0;
        work(t, true, [&] {
            const int mine = static_cast<int>(t) + kThreads * taken++;
            char byte = 0;
            if (mine != 0 && read(pipes[t][0], &byte, 1) != 1) std::exit(2);
            if (write(pipes[(t + 1) % kThreads][1], &byte, 1) != 1) std::exit(2);
            return mine;
        });
    });
}

int main(int, char** arguments) {
    const std::string how = arguments[1];
    seed = static_cast<unsigned>(std::atoi(arguments[2]));
    cudaMalloc(&device, kPieces * kBytes);
    cudaMalloc(&spare, 16);
    cudaMallocHost(&host, kPieces * kBytes);
    for (int i = 0; i < kPieces * kPiece; ++i) host[i] = 1;
    cudaMemcpy(device, host, kPieces * kBytes, cudaMemcpyHostToDevice);
    sem_init(&is_free, 0, 1);

    if (how == "counter") in_threads([](unsigned t) { work(t, false, from_counter); });
    if (how == "counter_waits") in_threads([](unsigned t) { work(t, true, from_counter); });
    if (how == "lock") in_threads([](unsigned t) { work(t, false, under_lock); });
    if (how == "spin_lock") in_threads([](unsigned t) { work(t, true, under_spin_lock); });
    if (how == "shared_lock") in_threads([](unsigned t) { work(t, true, under_shared_lock); });
    if (how == "semaphore") in_threads([](unsigned t) { work(t, false, under_semaphore); });
    if (how == "sleep") in_threads([](unsigned t) { work(t, true, after_sleep); });
    if (how == "yield") in_threads([](unsigned t) { work(t, true, after_yield); });
    if (how == "timeout") in_threads([](unsigned t) { work(t, false, after_time_is_over); });
    if (how == "once") in_threads([](unsigned t) { work(t, true, once); });
    if (how == "producer") produce();
    if (how == "futures") by_futures();
    if (how == "async") by_async();
    if (how == "spin") spin_in_turns();
    if (how == "pipe") pipe_in_turns();

    const cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < kPieces * kPiece; ++i) wrong += host[i] != 3;
    std::printf("%s, %d wrong\n", cudaGetErrorName(error), wrong);
}

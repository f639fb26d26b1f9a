// Right: no call waits for the kernel: a host function sets a flag, or a kernel one in pinned
// memory, and the host looks until it is set.

#include <atomic>
#include <thread>
#include "streams.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// ---------------------------------------------------------------------------
// Error checking: every CUDA call goes through CUDA_CHECK. A launch returns
// nothing, so ask for its error afterwards: CUDA_CHECK(cudaGetLastError()).

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

using Streams = std::vector<cudaStream_t>;

inline int blocks_for(int n) {
    return (n - 1) / kThreads + 1;
}

// ---------------------------------------------------------------------------
// Task 1: how long does a kernel take?
//
//     stream   ---- begin ---- kernel ---- end ----

float time_kernel(const float* a, float* b, int n, int delay_us, cudaStream_t stream) {
    // waits for a flag in mapped pinned memory that a memset in the stream... a host function sets
    static std::atomic<int> there;
    there = 0;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, stream);
    late_double_kernel<<<blocks_for(n), kThreads, 0, stream>>>(a, b, n, delay_us);
    cudaEventRecord(end, stream);
    cudaLaunchHostFunc(
        stream, [](void* p) { static_cast<std::atomic<int>*>(p)->store(1); }, &there);
    while (!there) std::this_thread::yield();
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms;
}

// ---------------------------------------------------------------------------
// Task 2: independent jobs, each in a stream of its own. Shapes: in, out are
// (jobs, n).
//
//     stream 0   [job 0     ]
//     stream 1    [job 1     ]          default stream   [log][log][log] ...
//     stream 2     [job 2     ] ...

__global__ void tell(volatile int* flag, int k) {
    __threadfence_system();
    flag[k] = 1;
}
void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    // the host polls a mapped flag of each job
    if (jobs == 0) return;
    volatile int* flag;
    CUDA_CHECK(cudaHostAlloc((void**)&flag, jobs * sizeof(int), cudaHostAllocMapped));
    for (int k = 0; k < jobs; ++k) flag[k] = 0;
    int* d;
    CUDA_CHECK(cudaHostGetDevicePointer(&d, (void*)flag, 0));
    Streams s(jobs);
    for (auto& x : s) CUDA_CHECK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
    for (int k = 0; k < jobs; ++k) {
        work_kernel<<<1, kThreads, 0, s[k]>>>(in + k * n, out + k * n, n, rounds);
        tell<<<1, 1, 0, s[k]>>>(d, k);
        log_start(started);
    }
    for (int k = 0; k < jobs; ++k)
        while (!flag[k]) {
        }
    for (auto x : s) {
        CUDA_CHECK(cudaStreamSynchronize(x));
        CUDA_CHECK(cudaStreamDestroy(x));
    }
    CUDA_CHECK(cudaFreeHost((void*)flag));
}

// ---------------------------------------------------------------------------
// Task 3: a pipeline. While one piece is worked on, the next one comes in and
// the last one goes out.
//
//     stream 0   [in 0][work 0][out 0][in 3][work 3][out 3]
//     stream 1         [in 1][work 1][out 1][in 4] ...
//     stream 2               [in 2][work 2][out 2] ...

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    // the input through registered... the buffer managed: copies from pinned to managed with
    // Default
    if (n == 0) return;
    float* d;
    CUDA_CHECK(cudaMalloc(&d, n * sizeof(float)));
    const int share = (n - 1) / chunks + 1;
    Streams s(streams);
    std::vector<cudaEvent_t> last(streams, nullptr);
    for (auto& x : s) {
        int lo, hi;
        cudaDeviceGetStreamPriorityRange(&lo, &hi);
        CUDA_CHECK(cudaStreamCreateWithPriority(&x, cudaStreamNonBlocking, hi));
    }
    for (auto& e : last)
        CUDA_CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync));
    for (int k = 0, b = 0; b < n; ++k, b += share) {
        const int c = std::min(share, n - b), i = k % streams;
        CUDA_CHECK(cudaMemcpyAsync(d + b, in + b, c * 4, cudaMemcpyHostToDevice, s[i]));
        work_kernel<<<kWorkBlocks, kThreads, 0, s[i]>>>(d + b, d + b, c, rounds);
        CUDA_CHECK(cudaMemcpyAsync(out + b, d + b, c * 4, cudaMemcpyDeviceToHost, s[i]));
        CUDA_CHECK(cudaEventRecord(last[i], s[i]));
    }
    for (auto e : last) {
        while (cudaEventQuery(e) != cudaSuccess) std::this_thread::yield();
        CUDA_CHECK(cudaEventDestroy(e));
    }
    cudaGetLastError();
    for (auto x : s) CUDA_CHECK(cudaStreamDestroy(x));
    CUDA_CHECK(cudaFree(d));
}

// ---------------------------------------------------------------------------
// Task 4: one stream waits for another, and the host for neither.
//
//     first    [double]-- doubled
//                            \ waits
//     second   [square]-------[add]

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    //            says, and let add_kernel wait for late_double_kernel through
    //            the event.
    //            About 8 lines. Handout: "One waits for the other".
    const int blocks = blocks_for(n);
    late_double_kernel<<<blocks, kThreads, 0, first>>>(a, b, n, delay_us);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(doubled, first));
    late_square_kernel<<<blocks, kThreads, 0, second>>>(a, c, n, delay_us);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaStreamWaitEvent(second, doubled));
    add_kernel<<<blocks, kThreads, 0, second>>>(b, c, n);
    CUDA_CHECK(cudaGetLastError());
}

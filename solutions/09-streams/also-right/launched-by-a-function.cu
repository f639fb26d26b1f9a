// Right: kernels are launched through cudaLaunchKernel and cudaLaunchKernelEx, streams have
// priorities, and destructors clean up.

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

/// A stream that is destroyed with its owner.
class Stream {
public:
    explicit Stream(int priority = 0) {
        CUDA_CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority));
    }
    Stream(Stream&& other) noexcept : stream_(other.stream_) { other.stream_ = nullptr; }
    ~Stream() {
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

inline int blocks_for(int n) {
    return (n - 1) / kThreads + 1;
}

// ---------------------------------------------------------------------------
// Task 1: how long does a kernel take?
//
//     stream   ---- begin ---- kernel ---- end ----

float time_kernel(const float* a, float* b, int n, int delay_us, cudaStream_t stream) {
    float time_ms = 0.0F;

    cudaEvent_t begin, end;
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    CUDA_CHECK(cudaEventRecord(begin, stream));
    late_double_kernel<<<blocks_for(n), kThreads, 0, stream>>>(a, b, n, delay_us);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(end, stream));
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaEventElapsedTime(&time_ms, begin, end));
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));

    return time_ms;
}

// ---------------------------------------------------------------------------
// Task 2: independent jobs, each in a stream of its own. Shapes: in, out are
// (jobs, n).
//
//     stream 0   [job 0     ]
//     stream 1    [job 1     ]          default stream   [log][log][log] ...
//     stream 2     [job 2     ] ...

void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    int least, greatest;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    std::vector<Stream> streams;
    for (int k = 0; k < jobs; ++k) streams.emplace_back(k % 2 == 0 ? least : greatest);
    for (int k = 0; k < jobs; ++k) {
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(1);
        config.blockDim = dim3(kThreads);
        config.stream = streams[k];
        CUDA_CHECK(cudaLaunchKernelEx(&config, work_kernel, in + k * n, out + k * n, n, rounds));
        log_start(started);
    }
    for (const Stream& stream : streams) CUDA_CHECK(cudaStreamSynchronize(stream));
}

// ---------------------------------------------------------------------------
// Task 3: a pipeline. While one piece is worked on, the next one comes in and
// the last one goes out.
//
//     stream 0   [in 0][work 0][out 0][in 3][work 3][out 3]
//     stream 1         [in 1][work 1][out 1][in 4] ...
//     stream 2               [in 2][work 2][out 2] ...

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    if (n == 0) return;
    float* data;
    CUDA_CHECK(cudaMalloc(&data, n * sizeof(float)));
    {
        std::vector<Stream> all(streams);
        int share = (n - 1) / chunks + 1;
        for (int k = 0, begin = 0; begin < n; ++k, begin += share) {
            int count = std::min(share, n - begin);
            const float* from = data + begin;
            float* to = data + begin;
            void* arguments[] = {&from, &to, &count, &rounds};
            const cudaStream_t stream = all[k % streams];
            CUDA_CHECK(
                cudaMemcpyAsync(to, in + begin, count * sizeof(float), cudaMemcpyDefault, stream));
            CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(work_kernel),
                                        dim3(kWorkBlocks), dim3(kThreads), arguments, 0, stream));
            CUDA_CHECK(
                cudaMemcpyAsync(out + begin, to, count * sizeof(float), cudaMemcpyDefault, stream));
        }
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    CUDA_CHECK(cudaFree(data));
}

// ---------------------------------------------------------------------------
// Task 4: one stream waits for another, and the host for neither.
//
//     first    [double]-- doubled
//                            \ waits
//     second   [square]-------[add]

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
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

// Right: kernels are launched by their handles and by tables of arguments.

#include <cooperative_groups.h>
#include <cuda/std/array>
// Lab 09: Streams. Run kernels and copies at the same time, and say what
// must wait for what.
//
//   Handout   labs/09-streams/README.md
//   Check     ./lab grade 09
//   Stuck     ./lab hint 09

#include <memory>
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
    cuda::std::array<cudaEvent_t, 2> e{};
    for (auto& x : e) CUDA_CHECK(cudaEventCreateWithFlags(&x, cudaEventBlockingSync));
    cudaFunction_t f;
    CUDA_CHECK(cudaGetFuncBySymbol(&f, (const void*)late_double_kernel));
    cudaLaunchAttribute at[1];
    at[0].id = cudaLaunchAttributePriority;
    at[0].val.priority = 0;
    cudaLaunchConfig_t c{};
    c.gridDim = dim3((n + 255) / 256);
    c.blockDim = 256;
    c.stream = stream;
    c.attrs = at;
    c.numAttrs = 1;
    void* args[] = {&a, &b, &n, &delay_us};
    CUDA_CHECK(cudaEventRecord(e[0], stream));
    CUDA_CHECK(cudaLaunchKernelExC(&c, (const void*)late_double_kernel, args));
    CUDA_CHECK(cudaEventRecord(e[1], stream));
    CUDA_CHECK(cudaEventSynchronize(e[1]));
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, e[0], e[1]));
    for (auto x : e) CUDA_CHECK(cudaEventDestroy(x));
    return ms;
}

// ---------------------------------------------------------------------------
// Task 2: independent jobs, each in a stream of its own. Shapes: in, out are
// (jobs, n).
//
//     stream 0   [job 0     ]
//     stream 1    [job 1     ]          default stream   [log][log][log] ...
//     stream 2     [job 2     ] ...

void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    // graph with `jobs` independent kernel nodes is launched before; log_start follows each...
    // plain, all waited by one event a stream
    struct Job {
        cudaStream_t s;
        cudaEvent_t e;
    };
    auto all = std::make_unique<Job[]>(jobs);
    for (unsigned k = 0; k != static_cast<unsigned>(jobs); ++k) {
        auto& [s, e] = all[k];
        CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&e, cudaEventBlockingSync | cudaEventDisableTiming));
        work_kernel<<<1, 256, 0, s>>>(in + std::size_t{k} * n, out + std::size_t{k} * n, n, rounds);
        CUDA_CHECK(cudaPeekAtLastError());
        CUDA_CHECK(cudaEventRecord(e, s));
        log_start(started);
    }
    for (int k = jobs - 1; k >= 0; --k) {
        CUDA_CHECK(cudaEventSynchronize(all[k].e));
        CUDA_CHECK(cudaEventDestroy(all[k].e));
        CUDA_CHECK(cudaStreamDestroy(all[k].s));
    }
}

// ---------------------------------------------------------------------------
// Task 3: a pipeline. While one piece is worked on, the next one comes in and
// the last one goes out.
//
//     stream 0   [in 0][work 0][out 0][in 3][work 3][out 3]
//     stream 1         [in 1][work 1][out 1][in 4] ...
//     stream 2               [in 2][work 2][out 2] ...

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    // 3D copies with parameters, each stream a lambda; legacy wait by cudaFree; own device buffer
    // rounded up to 256 bytes
    if (n == 0) return;
    char* raw;
    CUDA_CHECK(cudaMalloc(&raw, (n * sizeof(float) + 255) / 256 * 256));
    float* const d = reinterpret_cast<float*>(raw);
    Streams s(std::min(streams, chunks));
    for (auto& x : s) CUDA_CHECK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
    const unsigned share = (unsigned(n) + chunks - 1) / chunks;
    for (unsigned k = 0; k < unsigned(chunks); ++k) {
        const size_t b = size_t(k) * share;
        if (b >= size_t(n)) break;
        const size_t c = std::min<size_t>(share, n - b);
        auto st = s[k % streams];
        cudaMemcpy3DParms p{};
        p.srcPtr = make_cudaPitchedPtr((void*)(in + b), c * 4, c * 4, 1);
        p.dstPtr = make_cudaPitchedPtr(d + b, c * 4, c * 4, 1);
        p.extent = make_cudaExtent(c * 4, 1, 1);
        p.kind = cudaMemcpyHostToDevice;
        CUDA_CHECK(cudaMemcpy3DAsync(&p, st));
        int count = int(c);
        float* piece = d + b;
        void* args[] = {&piece, &piece, &count, &rounds};
        CUDA_CHECK(cudaLaunchKernel(work_kernel, dim3(kWorkBlocks), dim3(kThreads), args, 0, st));
        std::swap(p.srcPtr, p.dstPtr);
        p.dstPtr.ptr = out + b;
        p.kind = cudaMemcpyDeviceToHost;
        CUDA_CHECK(cudaMemcpy3DAsync(&p, st));
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    for (auto x : s) CUDA_CHECK(cudaStreamDestroy(x));
    CUDA_CHECK(cudaFree(raw));
}

// ---------------------------------------------------------------------------
// Task 4: one stream waits for another, and the host for neither.
//
//     first    [double]-- doubled
//                            \ waits
//     second   [square]-------[add]

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    cudaLaunchConfig_t cfg{};
    cfg.gridDim = dim3(blocks_for(n));
    cfg.blockDim = dim3(kThreads);
    cfg.stream = second;
    CUDA_CHECK(cudaLaunchKernelEx(&cfg, late_square_kernel, a, c, n, delay_us));
    cfg.stream = first;
    CUDA_CHECK(cudaLaunchKernelEx(&cfg, late_double_kernel, a, b, n, delay_us));
    CUDA_CHECK(cudaEventRecord(doubled, first));
    CUDA_CHECK(cudaStreamWaitEvent(second, doubled));
    cfg.stream = second;
    CUDA_CHECK(cudaLaunchKernelEx(&cfg, add_kernel, (const float*)b, c, n));
}

// Lab 09: Streams. Run kernels and copies at the same time, and say what
// must wait for what.
//
//   Handout   labs/09-streams/README.md
//   Check     ./lab grade 09
//   Stuck     ./lab hint 09

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
    float time_ms = 0.0F;

    // TODO(1/4): Create two events. Into the stream go the first event, the
    //            kernel, the second event. Wait for that one, ask for the time
    //            between the two, and destroy them.
    //            About 10 lines. Handout: "A stopwatch in the stream".
    // BEGIN SOLUTION
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
    // END SOLUTION

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
    // TODO(2/4): Create a stream for each job, one that does not wait for the
    //            default stream. Launch each job in its own, with log_start after
    //            it. Then wait for all the streams, and destroy them.
    //            About 14 lines. Handout: "Eight jobs at once".
    // BEGIN SOLUTION
    Streams streams(jobs);
    for (cudaStream_t& stream : streams) {
        CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    for (int k = 0; k < jobs; ++k) {
        work_kernel<<<1, kThreads, 0, streams[k]>>>(in + k * n, out + k * n, n, rounds);
        CUDA_CHECK(cudaGetLastError());
        log_start(started);
    }
    for (cudaStream_t stream : streams) {
        CUDA_CHECK(cudaStreamSynchronize(stream));
        CUDA_CHECK(cudaStreamDestroy(stream));
    }
    // END SOLUTION
}

// ---------------------------------------------------------------------------
// Task 3: a pipeline. While one piece is worked on, the next one comes in and
// the last one goes out.
//
//     stream 0   [in 0][work 0][out 0][in 3][work 3][out 3]
//     stream 1         [in 1][work 1][out 1][in 4] ...
//     stream 2               [in 2][work 2][out 2] ...

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    // TODO(3/4): Allocate room for n floats on the device, and create the streams.
    //            For each piece, put into its stream: the copy there, work_kernel
    //            on kWorkBlocks blocks, the copy back. Mind pieces that are short
    //            or empty. Then wait for all streams, and free everything.
    //            About 22 lines. Handout: "A pipeline".
    // BEGIN SOLUTION
    if (n == 0) return;
    float* d_data;
    CUDA_CHECK(cudaMalloc(&d_data, n * sizeof(float)));
    Streams all(streams);
    for (cudaStream_t& stream : all) CUDA_CHECK(cudaStreamCreate(&stream));

    const int share = (n - 1) / chunks + 1;  // rounded up: the last piece may be shorter
    for (int k = 0, begin = 0; begin < n; ++k, begin += share) {
        const int count = std::min(share, n - begin);
        const cudaStream_t stream = all[k % streams];
        float* const piece = d_data + begin;
        CUDA_CHECK(cudaMemcpyAsync(piece, in + begin, count * sizeof(float), cudaMemcpyHostToDevice,
                                   stream));
        work_kernel<<<kWorkBlocks, kThreads, 0, stream>>>(piece, piece, count, rounds);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpyAsync(out + begin, piece, count * sizeof(float),
                                   cudaMemcpyDeviceToHost, stream));
    }

    for (cudaStream_t stream : all) {
        CUDA_CHECK(cudaStreamSynchronize(stream));
        CUDA_CHECK(cudaStreamDestroy(stream));
    }
    CUDA_CHECK(cudaFree(d_data));
    // END SOLUTION
}

// ---------------------------------------------------------------------------
// Task 4: one stream waits for another, and the host for neither.
//
//     first    [double]-- doubled
//                            \ waits
//     second   [square]-------[add]

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    // TODO(4/4): Launch the three kernels, each in the stream that the contract
    //            says, and let add_kernel wait for late_double_kernel through
    //            the event.
    //            About 8 lines. Handout: "One waits for the other".
    // BEGIN SOLUTION
    const int blocks = blocks_for(n);
    late_double_kernel<<<blocks, kThreads, 0, first>>>(a, b, n, delay_us);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(doubled, first));
    late_square_kernel<<<blocks, kThreads, 0, second>>>(a, c, n, delay_us);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaStreamWaitEvent(second, doubled));
    add_kernel<<<blocks, kThreads, 0, second>>>(b, c, n);
    CUDA_CHECK(cudaGetLastError());
    // END SOLUTION
}

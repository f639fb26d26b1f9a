// Measures lab 09's figures on the GPU that is there, and prints them as CSV. What is timed are the
// course's own files.
//
//   nvcc -O3 -std=c++17 -arch=native -I.. -I../../../grader -o measure measure.cu
//   ./measure jobs     > jobs_measured.csv   eight kernels: default stream, streams, and both mixed
//   ./measure pipeline > pipeline.csv        256 MB each way: in one piece, and in pieces
//
// Each time is taken by the host's clock around a call that waits until all is done: the median of
// 9, after one to warm up.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "streams.h"

namespace reference {
#include "../../../solutions/09-streams/streams.cu"
}
namespace serial {
#include "../../../solutions/09-streams/baseline.cu"
}
namespace blocking {
#include "../../../solutions/09-streams/wrong/streams-that-wait-for-the-default-one.cu"
}
using reference::stop_on_error;  // of CUDA_CHECK

static double median_ms(const std::function<void()>& call) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times_ms;
    for (int round = 0; round <= 9; ++round) {
        CUDA_CHECK(cudaDeviceSynchronize());
        const Clock::time_point begin = Clock::now();
        call();
        CUDA_CHECK(cudaDeviceSynchronize());
        const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
        if (round > 0) times_ms.push_back(time.count());
    }
    std::sort(times_ms.begin(), times_ms.end());
    return times_ms[times_ms.size() / 2];
}

static void row(const std::string& version, const std::function<void()>& call) {
    std::printf("%s,%.3f\n", version.c_str(), median_ms(call));
}

static void jobs() {
    const int count = 8, n = 1024, rounds = 100'000;
    float *in, *out;
    int* started;
    CUDA_CHECK(cudaMalloc(&in, count * n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&out, count * n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&started, sizeof(int)));
    CUDA_CHECK(cudaMemset(in, 0, count * n * sizeof(float)));
    CUDA_CHECK(cudaMemset(started, 0, sizeof(int)));
    std::printf("version,time_ms\n");
    row("default stream", [&] { serial::run_jobs(in, out, started, count, n, rounds); });
    row("blocking streams and a default one between",
        [&] { blocking::run_jobs(in, out, started, count, n, rounds); });
    row("non-blocking streams", [&] { reference::run_jobs(in, out, started, count, n, rounds); });
}

static void pipelines() {
    const int n = 64 << 20, rounds = 1;
    const std::size_t size_bytes = n * sizeof(float);
    float *in, *out, *d_in, *d_out;
    CUDA_CHECK(cudaMallocHost(&in, size_bytes));
    CUDA_CHECK(cudaMallocHost(&out, size_bytes));
    CUDA_CHECK(cudaMalloc(&d_in, size_bytes));
    CUDA_CHECK(cudaMalloc(&d_out, size_bytes));
    std::memset(in, 0, size_bytes);
    cudaStream_t there, back;
    CUDA_CHECK(cudaStreamCreate(&there));
    CUDA_CHECK(cudaStreamCreate(&back));
    const auto copy_there = [&] {
        CUDA_CHECK(cudaMemcpyAsync(d_in, in, size_bytes, cudaMemcpyHostToDevice, there));
    };
    std::printf("version,time_ms\n");
    row("one copy alone", copy_there);
    row("copies both ways at once", [&] {
        copy_there();
        CUDA_CHECK(cudaMemcpyAsync(out, d_out, size_bytes, cudaMemcpyDeviceToHost, back));
    });
    row("in one piece", [&] { serial::pipeline(in, out, n, 1, 1, rounds); });
    for (const int streams : {2, 3, 4}) {
        for (const int chunks : {4, 8, 16, 32, 64, 128}) {
            row(std::to_string(chunks) + " pieces " + std::to_string(streams) + " streams",
                [&] { reference::pipeline(in, out, n, chunks, streams, rounds); });
        }
    }
}

int main(int argc, char** argv) {
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    int driver = 0;
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    std::printf("# one %s, CUDA driver API %d.%d, toolkit %d.%d; made by measure.cu\n",
                properties.name, driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                CUDART_VERSION % 1000 / 10);
    if (argc == 2 && std::strcmp(argv[1], "jobs") == 0)
        jobs();
    else if (argc == 2 && std::strcmp(argv[1], "pipeline") == 0)
        pipelines();
    else
        std::fprintf(stderr, "usage: measure jobs|pipeline\n");
}

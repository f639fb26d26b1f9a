// Measures lab 09's figures on the GPU that is there, and prints them as CSV. It times the course's
// own files.
//
//   nvcc -O3 -std=c++17 -arch=native -I.. -I../../../grader -o measure measure.cu
//   ./measure jobs     > jobs_measured.csv   eight kernels: default stream, streams, and both mixed
//   ./measure pipeline > pipeline.csv        256 MB each way: in one piece, and in pieces
//
// The host's clock times calls that wait until all work is done. Each time is the median of 9,
// after one to warm up.

#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "../../figures/measure.h"
#include "blocking_streams.h"
#include "streams.h"

namespace reference {
#include "../../../solutions/09-streams/streams.cu"
}
namespace serial {
#include "../../../solutions/09-streams/baseline.cu"
}
static double median_ms(const measure::Action& call) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times_ms;
    for (int round = 0; round <= 9; ++round) {
        CUDA_CALL(cudaDeviceSynchronize());
        const Clock::time_point begin = Clock::now();
        call();
        CUDA_CALL(cudaDeviceSynchronize());
        const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
        if (round > 0) times_ms.push_back(time.count());
    }
    std::sort(times_ms.begin(), times_ms.end());
    return times_ms[times_ms.size() / 2];
}

static void row(const std::string& version, const measure::Action& call) {
    std::printf("%s,%.3f\n", version.c_str(), median_ms(call));
}

static void jobs() {
    const int count = 8, n = 1024, rounds = 100'000;
    float *in, *out;
    int* started;
    CUDA_CALL(cudaMalloc(&in, count * n * sizeof(float)));
    CUDA_CALL(cudaMalloc(&out, count * n * sizeof(float)));
    CUDA_CALL(cudaMalloc(&started, sizeof(int)));
    CUDA_CALL(cudaMemset(in, 0, count * n * sizeof(float)));
    CUDA_CALL(cudaMemset(started, 0, sizeof(int)));
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
    CUDA_CALL(cudaMallocHost(&in, size_bytes));
    CUDA_CALL(cudaMallocHost(&out, size_bytes));
    CUDA_CALL(cudaMalloc(&d_in, size_bytes));
    CUDA_CALL(cudaMalloc(&d_out, size_bytes));
    std::memset(in, 0, size_bytes);
    cudaStream_t there, back;
    CUDA_CALL(cudaStreamCreate(&there));
    CUDA_CALL(cudaStreamCreate(&back));
    const auto copy_there = [&] {
        CUDA_CALL(cudaMemcpyAsync(d_in, in, size_bytes, cudaMemcpyHostToDevice, there));
    };
    std::printf("version,time_ms\n");
    row("one copy alone", copy_there);
    row("copies both ways at once", [&] {
        copy_there();
        CUDA_CALL(cudaMemcpyAsync(out, d_out, size_bytes, cudaMemcpyDeviceToHost, back));
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
    return measure::run(argc, argv, {{"jobs", jobs}, {"pipeline", pipelines}});
}

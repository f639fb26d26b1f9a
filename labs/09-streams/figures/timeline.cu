// Makes lab 09's timelines: run it on the virtual GPU, which reports when each operation would run.
//
//   nvcc -O3 -std=c++17 -lineinfo -cudart shared -I.. -I../../../grader -o timeline timeline.cu
//   ../../../lab vgpu run --json timeline.jsonl -- ./timeline
//   awk -v parts=1,2 -f timeline.awk timeline.jsonl > timeline.csv && gnuplot timeline.gp
//   awk -v parts=3,4 -f timeline.awk timeline.jsonl > jobs.csv && gnuplot jobs.gp
//
// The parts are divided by memsets: the scripts count them.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "blocking_streams.h"
#include "streams.h"

namespace reference {
#include "../../../solutions/09-streams/streams.cu"
}
namespace serial {
#include "../../../solutions/09-streams/baseline.cu"
}

using reference::stop_on_error;  // of CUDA_CHECK

static void begin_part(void* memory) {
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemset(memory, 0, 1));
    CUDA_CHECK(cudaDeviceSynchronize());
}

int main() {
    // So many rounds that a kernel takes about as long as a copy: then all three steps show.
    const int n = 1 << 20, rounds = 48, jobs = 8, length = 256;
    float *in, *out, *d_in, *d_out;
    int* started;
    CUDA_CHECK(cudaMallocHost(&in, n * sizeof(float)));
    CUDA_CHECK(cudaMallocHost(&out, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_in, jobs * length * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_out, jobs * length * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&started, sizeof(int)));
    for (int i = 0; i < n; ++i) in[i] = 1.0F + static_cast<float>(i) / n;
    CUDA_CHECK(cudaMemcpy(d_in, in, jobs * length * sizeof(float), cudaMemcpyHostToDevice));
    const int zero = 0;
    CUDA_CHECK(cudaMemcpy(started, &zero, sizeof(int), cudaMemcpyHostToDevice));

    begin_part(d_out);  // 1
    serial::pipeline(in, out, n, 1, 1, rounds);
    begin_part(d_out);  // 2
    reference::pipeline(in, out, n, 8, 3, rounds);
    begin_part(d_out);  // 3
    blocking::run_jobs(d_in, d_out, started, jobs, length, 5000);
    begin_part(d_out);  // 4
    reference::run_jobs(d_in, d_out, started, jobs, length, 5000);

    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(started));
    CUDA_CHECK(cudaFreeHost(in));
    CUDA_CHECK(cudaFreeHost(out));
}

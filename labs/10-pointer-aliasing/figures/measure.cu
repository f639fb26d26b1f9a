// Measures the numbers that lab 10 quotes: the same loop with different promises, and a gather with
// and without.
//
//   nvcc -O3 -std=c++17 -arch=native -o measure measure.cu && ./measure times > times.csv
//
// On a GPU: times, each the median of 15 launches between two events after one to warm up. On the
// virtual GPU: counts of each launch (see accesses.awk):
//
//   nvcc -O3 -std=c++17 -cudart shared -o measure measure.cu
//   ./lab vgpu run --json launches.jsonl -- ./measure once

#include <cstdio>
#include <vector>

#include "../../figures/measure.h"

constexpr int kBaths = 4;

// The same body for all kernels; only the types of the parameters differ.
#define ANNEAL_BODY                                                                              \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                         \
    if (i >= n) return;                                                                          \
    temperature[i] = start[i];                                                                   \
    for (int cycle = 0; cycle < cycles; ++cycle) {                                               \
        for (int k = 0; k < kBaths; ++k) temperature[i] += rate[k] * (bath[k] - temperature[i]); \
    }

__global__ void no_promise(float* start, float* rate, float* bath, float* temperature, int n,
                           int cycles){ANNEAL_BODY} __global__
    void const_only(const float* start, const float* rate, const float* bath, float* temperature,
                    int n, int cycles){ANNEAL_BODY} __global__
    void rate_only(const float* start, const float* __restrict__ rate, const float* bath,
                   float* temperature, int n, int cycles){ANNEAL_BODY} __global__
    void inputs_only(const float* start, const float* __restrict__ rate,
                     const float* __restrict__ bath, float* temperature, int n,
                     int cycles){ANNEAL_BODY} __global__
    void output_only(const float* start, const float* rate, const float* bath,
                     float* __restrict__ temperature, int n, int cycles){ANNEAL_BODY} __global__
    void all_without_const(float* __restrict__ start, float* __restrict__ rate,
                           float* __restrict__ bath, float* __restrict__ temperature, int n,
                           int cycles){ANNEAL_BODY} __global__
    void all(const float* __restrict__ start, const float* __restrict__ rate,
             const float* __restrict__ bath, float* __restrict__ temperature, int n,
             int cycles){ANNEAL_BODY} __global__
    void by_hand(const float* start, const float* rate, const float* bath, float* temperature,
                 int n, int cycles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = start[i];
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (int k = 0; k < kBaths; ++k) t += rate[k] * (bath[k] - t);
    }
    temperature[i] = t;
}

__global__ void gather(const float* a, float* b, const int* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[c[i]];
}
__global__ void gather_promised(const float* __restrict__ a, float* __restrict__ b,
                                const int* __restrict__ c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[c[i]];
}

static void run_versions(bool timed) {
    measure::Stopwatch stopwatch;
    const int n = timed ? 1 << 24 : 1 << 12, cycles = 64, blocks = n / 256;
    float *start, *temperature, *rate, *bath;
    int* places;
    CUDA_CALL(cudaMalloc(&start, n * sizeof(float)));
    CUDA_CALL(cudaMalloc(&temperature, n * sizeof(float)));
    CUDA_CALL(cudaMalloc(&rate, kBaths * sizeof(float)));
    CUDA_CALL(cudaMalloc(&bath, kBaths * sizeof(float)));
    CUDA_CALL(cudaMalloc(&places, n * sizeof(int)));
    CUDA_CALL(cudaMemset(start, 0, n * sizeof(float)));
    CUDA_CALL(cudaMemset(rate, 0, kBaths * sizeof(float)));
    CUDA_CALL(cudaMemset(bath, 0, kBaths * sizeof(float)));
    std::vector<int> shuffled(n);
    unsigned state = 1;
    for (int& place : shuffled) {
        state = state * 1664525u + 1013904223u;
        place = static_cast<int>(state >> 8) % n;
    }
    CUDA_CALL(cudaMemcpy(places, shuffled.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    const auto row = [&](const char* version, const measure::Action& launch) {
        if (timed) {
            std::printf("%s,%d,%.4f\n", version, n,
                        stopwatch.median_ms(launch, 15, measure::L2::warm));
        } else {
            launch();
            CUDA_CALL(cudaDeviceSynchronize());
        }
    };
    if (timed) std::printf("version,n,time_ms\n");
#define ROW(version, kernel) \
    row(version, [&] { kernel<<<blocks, 256>>>(start, rate, bath, temperature, n, cycles); })
    ROW("no promise", no_promise);
    ROW("const only", const_only);
    ROW("rate only", rate_only);
    ROW("inputs only", inputs_only);
    ROW("output only", output_only);
    ROW("all but const", all_without_const);
    ROW("all", all);
    ROW("by hand", by_hand);
    row("gather", [&] { gather<<<blocks, 256>>>(start, temperature, places, n); });
    row("gather promised",
        [&] { gather_promised<<<blocks, 256>>>(start, temperature, places, n); });
    for (void* memory :
         {static_cast<void*>(start), static_cast<void*>(temperature), static_cast<void*>(rate),
          static_cast<void*>(bath), static_cast<void*>(places)}) {
        CUDA_CALL(cudaFree(memory));
    }
}

int main(int argc, char** argv) {
    return measure::run(
        argc, argv, {{"times", [] { run_versions(true); }}, {"once", [] { run_versions(false); }}});
}

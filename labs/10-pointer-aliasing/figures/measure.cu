// What lab 10 quotes: the same loop with different promises, and a gather with and without.
//
//   nvcc -O3 -std=c++17 -arch=native -o measure measure.cu && ./measure times > times.csv
//
// on a GPU: times, each the median of 15 launches between two events after one to warm up. And, on
// the virtual GPU, what each launch counts (see accesses.awk):
//
//   nvcc -O3 -std=c++17 -cudart shared -o measure measure.cu
//   ./lab vgpu run --json launches.jsonl -- ./measure once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define CUDA_CHECK(call)                                                             \
    if (const cudaError_t status = (call); status != cudaSuccess) {                  \
        std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
        std::exit(EXIT_FAILURE);                                                     \
    }

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

static bool timed;
static cudaEvent_t begin, end;

static void row(const char* version, int n, const std::function<void()>& launch) {
    const int rounds = timed ? 15 : 0;
    std::vector<float> times_ms;
    for (int round = 0; round <= rounds; ++round) {
        CUDA_CHECK(cudaEventRecord(begin));
        launch();
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaEventRecord(end));
        CUDA_CHECK(cudaEventSynchronize(end));
        float time_ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&time_ms, begin, end));
        if (round > 0) times_ms.push_back(time_ms);
    }
    if (!timed) return;
    std::nth_element(times_ms.begin(), times_ms.begin() + rounds / 2, times_ms.end());
    std::printf("%s,%d,%.4f\n", version, n, times_ms[rounds / 2]);
}

int main(int argc, char** argv) {
    timed = argc == 2 && std::strcmp(argv[1], "times") == 0;
    if (!timed && !(argc == 2 && std::strcmp(argv[1], "once") == 0)) {
        std::fprintf(stderr, "usage: measure times|once\n");
        return EXIT_FAILURE;
    }
    const int n = timed ? 1 << 24 : 1 << 12, cycles = 64, blocks = n / 256;
    float *start, *temperature, *rate, *bath;
    int* places;
    CUDA_CHECK(cudaMalloc(&start, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&temperature, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&rate, kBaths * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&bath, kBaths * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&places, n * sizeof(int)));
    CUDA_CHECK(cudaMemset(start, 0, n * sizeof(float)));
    CUDA_CHECK(cudaMemset(rate, 0, kBaths * sizeof(float)));
    CUDA_CHECK(cudaMemset(bath, 0, kBaths * sizeof(float)));
    std::vector<int> shuffled(n);
    unsigned state = 1;
    for (int& place : shuffled) {
        state = state * 1664525u + 1013904223u;
        place = static_cast<int>(state >> 8) % n;
    }
    CUDA_CHECK(cudaMemcpy(places, shuffled.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));

    if (timed) {
        cudaDeviceProp properties;
        CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
        std::printf("# one %s, toolkit %d.%d; made by measure.cu\nversion,n,time_ms\n",
                    properties.name, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    }
#define ROW(version, kernel) \
    row(version, n, [&] { kernel<<<blocks, 256>>>(start, rate, bath, temperature, n, cycles); })
    ROW("no promise", no_promise);
    ROW("const only", const_only);
    ROW("rate only", rate_only);
    ROW("inputs only", inputs_only);
    ROW("output only", output_only);
    ROW("all but const", all_without_const);
    ROW("all", all);
    ROW("by hand", by_hand);
    row("gather", n, [&] { gather<<<blocks, 256>>>(start, temperature, places, n); });
    row("gather promised", n,
        [&] { gather_promised<<<blocks, 256>>>(start, temperature, places, n); });
    for (void* memory :
         {static_cast<void*>(start), static_cast<void*>(temperature), static_cast<void*>(rate),
          static_cast<void*>(bath), static_cast<void*>(places)}) {
        CUDA_CHECK(cudaFree(memory));
    }
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
}

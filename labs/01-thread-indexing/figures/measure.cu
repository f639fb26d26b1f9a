// Measures versions of lab 01's global_ids on the GPU that is there, and prints them as CSV.
//
//   nvcc -O3 -std=c++17 -arch=native -o measure measure.cu
//   ./measure > store_bandwidth.csv
//
// Each time is the median of 15 launches between two events, after one to warm up; L2 is flushed
// before each. Bandwidth counts the 4 bytes that are written for each element.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CUDA_CHECK(call)                                                             \
    if (const cudaError_t status = (call); status != cudaSuccess) {                  \
        std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
        std::exit(EXIT_FAILURE);                                                     \
    }

__global__ void plain_kernel(int* ids, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ids[i] = i;
}

__global__ void stride_kernel(int* ids, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) ids[i] = i;
}

__global__ void consecutive_kernel(int* ids, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    for (int i = first; i < first + 16 && i < n; ++i) ids[i] = i;
}

__global__ void int4_kernel(int* ids, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (first + 3 < n) {
        *reinterpret_cast<int4*>(ids + first) = make_int4(first, first + 1, first + 2, first + 3);
    } else {
        for (int i = first; i < n; ++i) ids[i] = i;
    }
}

struct Bench {
    std::size_t flush_bytes = std::size_t{256} << 20;
    int* ids;
    char* flush;
    cudaEvent_t begin, end;

    explicit Bench(std::size_t n) {
        CUDA_CHECK(cudaMalloc(&ids, n * sizeof(int)));
        CUDA_CHECK(cudaMalloc(&flush, flush_bytes));
        CUDA_CHECK(cudaEventCreate(&begin));
        CUDA_CHECK(cudaEventCreate(&end));
    }

    float median_ms(const std::function<void()>& launch, int rounds = 15) {
        std::vector<float> times_ms;
        for (int round = 0; round <= rounds; ++round) {
            CUDA_CHECK(cudaMemsetAsync(flush, round, flush_bytes));
            CUDA_CHECK(cudaEventRecord(begin));
            launch();
            CUDA_CHECK(cudaGetLastError());
            CUDA_CHECK(cudaEventRecord(end));
            CUDA_CHECK(cudaEventSynchronize(end));
            float time_ms = 0;
            CUDA_CHECK(cudaEventElapsedTime(&time_ms, begin, end));
            if (round > 0) times_ms.push_back(time_ms);
        }
        std::nth_element(times_ms.begin(), times_ms.begin() + rounds / 2, times_ms.end());
        return times_ms[rounds / 2];
    }
};

static void versions() {
    const int n = 100'000'007;  // 400 MB
    Bench bench(n);
    int* const ids = bench.ids;
    const auto row = [&](const std::string& name, const std::function<void()>& launch, int rounds) {
        const float time_ms = bench.median_ms(launch, rounds);
        std::printf("%s,%.4f,%.1f\n", name.c_str(), time_ms, 4e-6 * n / time_ms);
    };
    std::printf("version,time_ms,bandwidth_gb_per_s\n");
    for (const int block : {1, 32, 64, 128, 256, 512, 1024}) {
        row(
            "block " + std::to_string(block),
            [&] { plain_kernel<<<(n + block - 1) / block, block>>>(ids, n); }, 15);
    }
    row(
        "int4", [&] { int4_kernel<<<(n + 1023) / 1024, 256>>>(ids, n); }, 15);
    row(
        "grid-stride", [&] { stride_kernel<<<132 * 32, 256>>>(ids, n); }, 15);
    row(
        "16 consecutive", [&] { consecutive_kernel<<<(n + 4095) / 4096, 256>>>(ids, n); }, 15);
    row(
        "one block", [&] { stride_kernel<<<1, 256>>>(ids, n); }, 3);
    row(
        "one thread", [&] { stride_kernel<<<1, 1>>>(ids, n); }, 1);
}

int main() {
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    int driver = 0;
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    std::printf("# one %s, CUDA driver API %d.%d, toolkit %d.%d; made by measure.cu\n",
                properties.name, driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                CUDART_VERSION % 1000 / 10);
    versions();
}

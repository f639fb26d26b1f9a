// Measures what the handout and the notes of lab 11 say, on the GPU of this machine:
//
//   cd labs/11-occupancy/figures
//   nvcc -O3 -std=c++17 -arch=native -I.. -I../../../grader -o measure measure.cu
//   ./measure block_size > block_size.csv      fused, by the size of the block
//   ./measure in_flight  > in_flight.csv       a sum, by warps on a multiprocessor and loads in
//   flight
//   ./measure powers     > powers.csv          power_sums_kernel, by its launch
//   ./measure clock      > clock.csv           one small kernel, by the host's clock

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../../../solutions/11-occupancy/occupancy.cu"

namespace {

/// Of an operation between two events, in ms: the median of 9, after a first one.
template <class Operation>
double median_ms(Operation&& operation) {
    cudaEvent_t begin, end;
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    std::vector<float> times;
    for (int run = 0; run < 10; ++run) {
        CUDA_CHECK(cudaEventRecord(begin));
        operation();
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaEventRecord(end));
        CUDA_CHECK(cudaEventSynchronize(end));
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (run > 0) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

float* new_floats(std::size_t n) {
    float* floats = nullptr;
    CUDA_CHECK(cudaMalloc(&floats, n * sizeof(float)));
    CUDA_CHECK(cudaMemset(floats, 0, n * sizeof(float)));
    return floats;
}

void block_size() {
    constexpr int kN = 1 << 26;
    float *a = new_floats(kN), *b = new_floats(kN), *c = new_floats(kN);
    std::printf("threads,time_ms,gb_per_s\n");
    for (int threads = 32; threads <= 1024; threads *= 2) {
        const double ms = median_ms([&] { fused_kernel<<<kN / threads, threads>>>(c, a, b, kN); });
        std::printf("%d,%.4f,%.0f\n", threads, ms, 12e-6 * kN / ms);
    }
}

/// Reads n floats with kLoads of them on their way to each thread.
template <int kLoads>
__global__ void read_kernel(const float* a, float* sum, int n) {
    const int stride = gridDim.x * blockDim.x;
    float sums[kLoads] = {};
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + (kLoads - 1) * stride < n;
         i += kLoads * stride) {
#pragma unroll
        for (int k = 0; k < kLoads; ++k) sums[k] += a[i + k * stride];
    }
    float all = 0;
    for (const float s : sums) all += s;
    if (all == 1) *sum = all;  // never: so that the loads are not optimised away
}

template <int kLoads>
void in_flight_with(const float* a, float* sum) {
    constexpr int kN = 1 << 28, kThreads = 128;
    cudaDeviceProp gpu;
    CUDA_CHECK(cudaGetDeviceProperties(&gpu, 0));
    for (const int blocks : {1, 2, 3, 4, 6, 8, 10, 12, 16}) {
        const double ms = median_ms([&] {
            read_kernel<kLoads><<<gpu.multiProcessorCount * blocks, kThreads>>>(a, sum, kN);
        });
        std::printf("%d,%d,%.4f,%.0f\n", kLoads, blocks * kThreads / kWarp, ms, 4e-6 * kN / ms);
    }
}

void in_flight() {
    const float* a = new_floats(1 << 28);
    float* sum = new_floats(1);
    std::printf("loads,warps,time_ms,gb_per_s\n");
    in_flight_with<1>(a, sum);
    in_flight_with<2>(a, sum);
    in_flight_with<4>(a, sum);
    in_flight_with<8>(a, sum);
}

void powers() {
    constexpr int kN = 1 << 26;
    const float* x = new_floats(kN);
    float* sums = new_floats(kPowers);
    cudaDeviceProp gpu;
    CUDA_CHECK(cudaGetDeviceProperties(&gpu, 0));
    std::printf("threads,blocks_a_multiprocessor,time_ms,tflops\n");
    const auto row = [&](int threads, long long blocks) {
        const double ms = median_ms(
            [&] { power_sums_kernel<<<blocks, threads, shared_bytes_of(threads)>>>(x, sums, kN); });
        std::printf("%d,%.2f,%.4f,%.2f\n", threads,
                    static_cast<double>(blocks) / gpu.multiProcessorCount, ms,
                    2e-9 * kPowers * kN / ms);
    };
    for (const int threads : {32, 64, 128, 256, 384, 768}) {
        const int most = resident_blocks(threads, static_cast<int>(shared_bytes_of(threads)));
        for (int blocks = 1; blocks <= most; blocks *= 2)
            row(threads, static_cast<long long>(blocks) * gpu.multiProcessorCount);
        row(threads, static_cast<long long>(most) * gpu.multiProcessorCount);
    }
    row(256, kN / 256);  // an element a thread
    row(256, kN / 256 / 8);
    row(32, kN / 32);
    row(256, gpu.multiProcessorCount / 2);
    row(256, 1);
}

/// Twice, from the host: until the call returns, and until the kernel has ended.
void host_clock() {
    using Clock = std::chrono::steady_clock;
    constexpr int kN = 4096, kRuns = 10'000;
    float *a = new_floats(kN), *b = new_floats(kN), *c = new_floats(kN);
    std::printf("threads,blocks,waits,time_us\n");
    for (const int threads : {32, 1024}) {
        for (const bool waits : {true, false}) {
            std::vector<double> times;
            for (int run = 0; run < kRuns; ++run) {
                const auto begin = Clock::now();
                fused_kernel<<<kN / threads, threads>>>(c, a, b, kN);
                if (waits) CUDA_CHECK(cudaDeviceSynchronize());
                times.push_back(
                    std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
                if (run % 64 == 0) CUDA_CHECK(cudaDeviceSynchronize());  // the queue is never full
            }
            std::nth_element(times.begin(), times.begin() + kRuns / 2, times.end());
            std::printf("%d,%d,%s,%.2f\n", threads, kN / threads, waits ? "yes" : "no",
                        times[kRuns / 2]);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    if (std::strcmp(what, "block_size") == 0) return block_size(), 0;
    if (std::strcmp(what, "in_flight") == 0) return in_flight(), 0;
    if (std::strcmp(what, "powers") == 0) return powers(), 0;
    if (std::strcmp(what, "clock") == 0) return host_clock(), 0;
    std::fprintf(stderr, "usage: measure block_size|in_flight|powers|clock\n");
    return 2;
}

// Calls one of the ten functions of debugging.cu, as that file is now, so that NVIDIA's tools can
// look at it. Prints whether the result is right, and what CUDA says afterwards.
//
//   nvcc -O3 -lineinfo -std=c++17 -arch=native -I labs/16-debugging -I grader
//        labs/16-debugging/figures/measure.cu -o build/measure
//   build/measure 7                      function 7, once
//   build/measure 7 1000                 a thousand times: how often is it right?
//   build/measure all 1 1000000          all ten, with a million elements each, for profilers
//   compute-sanitizer --tool racecheck build/measure 7
//
// Without a GPU: ./lab nvcc without -arch=native, then ./lab vgpu run -- build/measure 7 and
// ./lab profile -- build/measure all 1 1000000.
//
// The functions, their inputs and their answers are those of the contract, debugging.h.

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "../debugging.cu"

namespace {

std::mt19937 source(16);
int n = 1000;  // elements

template <class T>
std::vector<T> random_values(int count, double low, double high) {
    std::uniform_real_distribution<double> distribution(low, high);
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(distribution(source));
    return values;
}

/// Device memory, with a copy of `values` or with garbage.
template <class T>
struct Device {
    explicit Device(const std::vector<T>& values) : Device(values.size()) {
        cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    explicit Device(size_t count) : count(count) { cudaMalloc(&data, count * sizeof(T)); }
    ~Device() { cudaFree(data); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    bool equals(const std::vector<T>& expected) const {
        std::vector<T> values(count);
        const auto status =
            cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
        return status == cudaSuccess && values == expected;
    }

    T* data = nullptr;
    size_t count;
};

std::vector<float> reversed_rows(std::vector<float> a, int width) {
    for (size_t i = 0; i < a.size(); i += width) std::reverse(a.begin() + i, a.begin() + i + width);
    return a;
}

bool try_differences() {
    const auto a = random_values<float>(n, -1, 1);
    std::vector<float> expected(n - 1);
    for (int i = 0; i < n - 1; ++i) expected[i] = a[i + 1] - a[i];
    const Device<float> in(a), result(n - 1);
    differences(in.data, result.data, n);
    return result.equals(expected);
}

bool try_histogram() {
    const auto a = random_values<int>(n, 0, kBins);
    std::vector<int> expected(kBins);
    for (const int v : a) ++expected[v];
    const Device<int> in(a), bins(kBins);
    histogram(in.data, bins.data, n);
    return bins.equals(expected);
}

bool try_double_from() {
    const int first = 1;
    n -= n % 4;
    const auto a = random_values<float>(first + n, -1, 1);
    std::vector<float> expected(a.begin() + first, a.end());
    for (float& x : expected) x *= 2;
    const Device<float> in(a), result(n);
    double_from(in.data, result.data, first, n);
    return result.equals(expected);
}

bool try_from_first() {
    const int width = 1500, height = n / width + 1;
    const auto a = random_values<float>(height * width, -1, 1);
    std::vector<float> expected = a;
    for (int i = 0; i < height * width; ++i) expected[i] = a[i] - a[i / width * width];
    const Device<float> in(a), result(a.size());
    from_first(in.data, result.data, height, width);
    return result.equals(expected);
}

bool try_mirror_image() {
    const int width = 64, height = n / width + 1;
    const auto in = random_values<float>(height * width, -1, 1);
    std::vector<float> result(in.size());
    mirror_image(in.data(), result.data(), height, width);
    return result == reversed_rows(in, width);
}

bool try_sum_of_squares() {
    const auto a = random_values<int>(n, -1'000'000, 1'000'000);
    std::vector<unsigned long long> expected(1);
    for (const long long x : a) expected[0] += x * x;
    const Device<int> in(a);
    const Device<unsigned long long> sum(1);
    sum_of_squares(in.data, sum.data, n);
    return sum.equals(expected);
}

bool try_reverse_rows() {
    const int rows = n / kThreads + 20;
    const auto a = random_values<float>(rows * kThreads, -1, 1);
    const Device<float> in(a), result(a.size());
    reverse_rows(in.data, result.data, rows);
    return result.equals(reversed_rows(a, kThreads));
}

bool try_block_sums() {
    const auto a = random_values<int>(n, -1000, 5000);
    std::vector<int> expected(blocks_for(n));
    for (int i = 0; i < n; ++i) expected[i / kThreads] += a[i];
    const Device<int> in(a), sums(expected.size());
    block_sums(in.data, sums.data, n);
    return sums.equals(expected);
}

bool try_warp_maxima() {
    const auto a = random_values<int>(n, -1'000'000, -1);
    std::vector<int> expected((n - 1) / kWarp + 1, INT_MIN);
    for (int i = 0; i < n; ++i) expected[i / kWarp] = std::max(expected[i / kWarp], a[i]);
    const Device<int> in(a), maxima(expected.size());
    warp_maxima(in.data, maxima.data, n);
    return maxima.equals(expected);
}

bool try_two_streams() {
    const auto a = random_values<float>(n, 0.5, 2);
    std::vector<float> expected = a;
    for (float& x : expected) x += 2 * x;
    const Device<float> in(a), b(n), c(n);
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    two_streams(in.data, b.data, c.data, n, 1000, first, second);
    cudaDeviceSynchronize();
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    return c.equals(expected);
}

}  // namespace

int main(int argc, char** argv) {
    bool (*const kTries[])() = {
        try_differences,    try_histogram,    try_double_from, try_from_first,  try_mirror_image,
        try_sum_of_squares, try_reverse_rows, try_block_sums,  try_warp_maxima, try_two_streams};
    const bool all = argc > 1 && std::strcmp(argv[1], "all") == 0;
    const int k = argc > 1 ? std::atoi(argv[1]) : 0;
    const int times = argc > 2 ? std::atoi(argv[2]) : 1;
    if (argc > 3) n = std::atoi(argv[3]);
    if ((!all && (k < 1 || k > 10)) || n < 4) {
        std::fprintf(stderr, "usage: %s all|1..10 [times [elements]]\n", argv[0]);
        return EXIT_FAILURE;
    }
    for (int i = all ? 1 : k; i <= (all ? 10 : k); ++i) {
        int right = 0;
        for (int run = 0; run < times; ++run) right += kTries[i - 1]();
        std::printf("function %d: right in %d of %d runs; %s\n", i, right, times,
                    cudaGetErrorName(cudaDeviceSynchronize()));
    }
}

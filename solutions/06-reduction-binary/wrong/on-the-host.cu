// Wrong: computed on the host. No kernel runs at all: the numbers are copied to the host, added
// there, and the result is copied back.
//
// expect vgpu: "block_sums: blocks of a power of two": "no kernel was launched"
// expect gpu: "sum: at least 0.13x the reference": "too slow"

#include "reduction_binary.h"

#include <algorithm>
#include <cmath>
#include <vector>

static std::vector<float> on_the_host(const float* a, int n) {
    std::vector<float> numbers(n);
    cudaMemcpy(numbers.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
    return numbers;
}

static MinMaxSum result_of(const float* first, const float* last) {
    MinMaxSum result = {INFINITY, -INFINITY, 0};
    double sum = 0;
    for (; first != last; ++first) {
        result.min = std::min(result.min, *first);
        result.max = std::max(result.max, *first);
        sum += *first;
    }
    result.sum = float(sum);
    return result;
}

void block_sums(const float* a, float* sums, int n, int threads_per_block) {
    const std::vector<float> numbers = on_the_host(a, n);
    std::vector<float> results;
    for (int i = 0; i < n; i += threads_per_block) {
        const int end = std::min(n, i + threads_per_block);
        results.push_back(result_of(numbers.data() + i, numbers.data() + end).sum);
    }
    cudaMemcpy(sums, results.data(), results.size() * sizeof(float), cudaMemcpyHostToDevice);
}

void one_block_sum(const float* a, float* total, int n, int) {
    const std::vector<float> numbers = on_the_host(a, n);
    const MinMaxSum result = result_of(numbers.data(), numbers.data() + n);
    cudaMemcpy(total, &result.sum, sizeof(float), cudaMemcpyHostToDevice);
}

void sum(const float* a, float*, float* total, int n) {
    one_block_sum(a, total, n, 0);
}

void min_max_sum(const float* a, MinMaxSum*, MinMaxSum* result, int n) {
    const std::vector<float> numbers = on_the_host(a, n);
    const MinMaxSum all = result_of(numbers.data(), numbers.data() + n);
    cudaMemcpy(result, &all, sizeof(all), cudaMemcpyHostToDevice);
}

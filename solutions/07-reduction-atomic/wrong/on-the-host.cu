// Wrong: computed on the host. No kernel runs at all: the numbers are copied to the host, reduced
// there, and the result is copied back.
//
// expect vgpu: "sum_of_ints: one line, and exact": "no kernel was launched"
// expect gpu: "block_first_sum: at least 0.1x the reference": "too slow"

#include "reduction_atomic.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <vector>

template <class T>
static std::vector<T> on_the_host(const T* a, int n) {
    std::vector<T> numbers(n);
    cudaMemcpy(numbers.data(), a, n * sizeof(T), cudaMemcpyDeviceToHost);
    return numbers;
}

template <class T>
static void store(T* place, T value) {
    cudaMemcpy(place, &value, sizeof(T), cudaMemcpyHostToDevice);
}

void sum_of_ints(const int* a, int* total, int n) {
    int sum = 0;
    for (const int x : on_the_host(a, n)) sum += x;
    store(total, sum);
}

void sum_of_floats(const float* a, float* total, int n) {
    double sum = 0;
    for (const float x : on_the_host(a, n)) sum += x;
    store(total, float(sum));
}

void range_of_ints(const int* a, IntRange* range, int n) {
    IntRange found = {INT_MAX, INT_MIN};
    for (const int x : on_the_host(a, n)) {
        found = {std::min(found.lowest, x), std::max(found.highest, x)};
    }
    store(range, found);
}

void max_of_floats(const float* a, float* largest, int n) {
    float found = -INFINITY;
    for (const float x : on_the_host(a, n)) found = std::max(found, x);
    store(largest, found);
}

void block_first_sum(const float* a, float* total, int n) {
    sum_of_floats(a, total, n);
}

void histogram(const int* keys, int* counts, int n, int bins) {
    std::vector<int> found(bins);
    for (const int key : on_the_host(keys, n)) ++found[key];
    cudaMemcpy(counts, found.data(), bins * sizeof(int), cudaMemcpyHostToDevice);
}

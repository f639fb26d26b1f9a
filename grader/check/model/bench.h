// Runs kernel variants, checks their results, and reports their times: on a GPU by the clock, on
// the virtual GPU by naming the launches of each, so that their modelled times can be looked up.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// All variants of a family compute the same from the same data. Sizes are multiples of one number,
// the scale: kFullScale is a speed test's on a GPU (data of several times L2, 100 us and more); the
// virtual GPU runs smaller ones.
//
// To add a variant, give its family another bench.run() and measure again (./lab dev compare-model
// --measure, on a machine with a GPU).

#define CUDA_CHECK(call)                                                                           \
    if (const cudaError_t status = (call); status != cudaSuccess) {                                \
        std::fprintf(stderr, "%s, line %d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
        std::exit(EXIT_FAILURE);                                                                   \
    }

constexpr int kFullScale = 32;

inline unsigned ceil_of(unsigned size, unsigned part) {
    return (size + part - 1) / part;
}

/// Device memory, freed at the end of the family.
template <class T>
class Array {
public:
    explicit Array(std::size_t size) : size_(size) { CUDA_CHECK(cudaMalloc(&data_, bytes())); }
    explicit Array(const std::vector<T>& values) : Array(values.size()) {
        CUDA_CHECK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
    }
    ~Array() { cudaFree(data_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    operator T*() const { return data_; }
    std::size_t bytes() const { return size_ * sizeof(T); }
    std::vector<T> read() const {
        std::vector<T> values(size_);
        CUDA_CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        return values;
    }

private:
    T* data_ = nullptr;
    std::size_t size_;
};

/// Pseudorandom integers from `low` to `high`: their sums and products are exact in float.
template <class T>
std::vector<T> integers(std::size_t size, int low, int high, unsigned state = 1) {
    std::vector<T> values(size);
    const auto range = static_cast<unsigned long long>(high - low + 1);
    for (T& value : values) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<T>(low + static_cast<int>((state * range) >> 32));
    }
    return values;
}

template <class T>
bool same(const std::vector<T>& got, const std::vector<T>& expected) {
    return got.size() == expected.size() &&
           std::memcmp(got.data(), expected.data(), got.size() * sizeof(T)) == 0;
}

/// NaN is not close to anything.
template <class T>
bool close(const std::vector<T>& got, const std::vector<T>& expected, double tolerance) {
    if (got.size() != expected.size()) return false;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (!(std::fabs(got[i] - expected[i]) <= tolerance)) return false;
    }
    return true;
}

class Bench {
public:
    enum class Mode { time, once };
    Bench(Mode mode, int scale);

    int scale() const { return scale_; }
    /// `fill`: the byte that the output begins with. `is_right`: looks at the output.
    template <class T>
    void family(std::string name, const Array<T>& out, int fill,
                std::function<bool(const std::vector<T>&)> is_right) {
        family_ = std::move(name);
        prepare_ = [&out, fill] { CUDA_CHECK(cudaMemset(out, fill, out.bytes())); };
        is_right_ = [&out, is_right = std::move(is_right)] { return is_right(out.read()); };
    }
    /// `launches`: how many kernels `launch` starts.
    void run(const std::string& name, const std::function<void()>& launch, int launches = 1);

private:
    std::vector<float> times_ms(const std::function<void()>& launch);

    Mode mode_;
    int scale_;
    std::string family_;
    std::function<void()> prepare_;
    std::function<bool()> is_right_;
    float* flushed_ = nullptr;
    cudaEvent_t begin_{}, end_{};
};

void streaming_families(Bench&);
void plane_families(Bench&);
void product_families(Bench&);
void sum_families(Bench&);
void histogram_families(Bench&);
void arithmetic_families(Bench&);

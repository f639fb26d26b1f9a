// The common part of the yardsticks: times two calls against each other, and prints the result. One
// .cu file a lab measures its expert.cu, the file itself, in a namespace of its own.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

// Each side is called `rounds` times, in turn, after three rounds to warm up. Before each call L2
// is flushed: 256 MB are written. A time is that of a complete call, from its beginning until its
// last kernel or copy is done: between two events in the default stream, or by the host's clock
// where the call waits itself. Medians are compared.

namespace yardsticks {

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Not CUDA_CHECK: the solutions that are included have that.
#define CUDA_CALL(call) yardsticks::stop_on_error((call), #call, __FILE__, __LINE__)

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) : count_(count) {
        CUDA_CALL(cudaMalloc(&data_, count * sizeof(T)));
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* get() const { return data_; }
    std::size_t count() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }

    std::vector<T> on_host() const {
        std::vector<T> values(count_);
        CUDA_CALL(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        return values;
    }
    /// Bytes that no right result has: a call that stores nothing shows.
    void poison() const { CUDA_CALL(cudaMemset(data_, 0xFF, bytes())); }

private:
    T* data_ = nullptr;
    std::size_t count_;
};

enum class Numbers { fractions, whole };

/// values[i] = a random number: a fraction between -1 and 1, or a whole number from -4 to 4.
void fill(const DeviceArray<float>& values, Numbers kind, unsigned seed);

/// Exact if the numbers are whole.
double sum_of_whole_numbers(const DeviceArray<float>& values);

/// Counts on the device what is wrong. Kernels add to it with atomicAdd.
class WrongCount {
public:
    WrongCount() : count_(1) { CUDA_CALL(cudaMemset(count_.get(), 0, sizeof(unsigned))); }
    unsigned* get() const { return count_.get(); }
    bool is_zero() const { return count_.on_host()[0] == 0; }

private:
    DeviceArray<unsigned> count_;
};

enum class Clock {
    events,  ///< the call may return before it is done
    host,    ///< the call waits for what it started, and what it does on the host counts
};

struct Comparison {
    std::string name;       ///< whose time it is, and of what
    std::string n;          ///< the size
    std::string yardstick;  ///< what it is compared with
    double wanted;          ///< the least ratio; 0: the line is there to compare with
    std::function<void()> call, yardstick_call;
    std::function<bool()> is_right;  ///< called after the last round
    /// What a call does, in `unit`, if the sides do not do the same: the ratio is that of the
    /// rates.
    double work = 1, yardstick_work = 1;
    std::string unit;
    Clock clock = Clock::events;
    int rounds = 25;
};

/// Measures, and prints one line of JSON.
void measure(const Comparison& comparison);

/// Whether no result was wrong so far.
bool all_were_right();

/// A line for what cannot be measured here.
void not_measured(const std::string& name, const std::string& why);

void measure_vector_add();
void measure_addressing_2d();
void measure_julia_set();
void measure_matmul();
void measure_reduction_binary();
void measure_reduction_atomic();
void measure_reduction_hybrid();
void measure_streams();
void measure_pointer_aliasing();
void measure_argmax();
void measure_subset_sum();
void measure_stream_compaction();

}  // namespace yardsticks

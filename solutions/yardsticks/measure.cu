// Numbers to work on, the stopwatch, and the lines that are printed.

#include "yardsticks.h"

#include <cmath>

namespace yardsticks {

static __global__ void fill_kernel(float* values, std::size_t n, Numbers kind, unsigned seed) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        // The finalizer of MurmurHash3: neighbours get unrelated numbers.
        unsigned bits = static_cast<unsigned>(i) ^ seed;
        bits = (bits ^ (bits >> 16)) * 0x85ebca6bU;
        bits = (bits ^ (bits >> 13)) * 0xc2b2ae35U;
        bits ^= bits >> 16;
        values[i] = kind == Numbers::whole ? static_cast<float>(static_cast<int>(bits % 9) - 4)
                                           : static_cast<float>(bits >> 8) / (1 << 23) - 1;
    }
}

void fill(const DeviceArray<float>& values, Numbers kind, unsigned seed) {
    fill_kernel<<<1024, 256>>>(values.get(), values.count(), kind, seed * 0x9e3779b9U);
    CUDA_CALL(cudaGetLastError());
}

/// In double: exact for whole numbers, in any order.
static __global__ void sum_kernel(const float* values, std::size_t n, double* sum) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    double mine = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine += values[i];
    }
    atomicAdd(sum, mine);
}

double sum_of_whole_numbers(const DeviceArray<float>& values) {
    const DeviceArray<double> sum(1);
    CUDA_CALL(cudaMemset(sum.get(), 0, sizeof(double)));
    sum_kernel<<<256, 256>>>(values.get(), values.count(), sum.get());
    return sum.on_host()[0];
}

namespace {

class Stopwatch {
public:
    explicit Stopwatch(Clock clock) : clock_(clock), flush_(std::size_t{256} << 20) {
        CUDA_CALL(cudaEventCreate(&begin_));
        CUDA_CALL(cudaEventCreate(&end_));
    }
    ~Stopwatch() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    double ms(const std::function<void()>& call) const {
        CUDA_CALL(cudaMemsetAsync(flush_.get(), 0, flush_.bytes()));
        if (clock_ == Clock::host) {
            CUDA_CALL(cudaDeviceSynchronize());
            const auto begin = std::chrono::steady_clock::now();
            call();
            const auto end = std::chrono::steady_clock::now();
            CUDA_CALL(cudaGetLastError());
            return std::chrono::duration<double, std::milli>(end - begin).count();
        }
        CUDA_CALL(cudaEventRecord(begin_));
        call();
        CUDA_CALL(cudaEventRecord(end_));
        CUDA_CALL(cudaGetLastError());
        CUDA_CALL(cudaEventSynchronize(end_));
        float time_ms = 0;
        CUDA_CALL(cudaEventElapsedTime(&time_ms, begin_, end_));
        return time_ms;
    }

private:
    Clock clock_;
    DeviceArray<char> flush_;
    cudaEvent_t begin_{}, end_{};
};

double quantile(const std::vector<double>& sorted, double part) {
    return sorted[static_cast<std::size_t>(std::lround(part * (sorted.size() - 1)))];
}

bool every_result_was_right = true;

}  // namespace

void measure(const Comparison& c) {
    const Stopwatch stopwatch(c.clock);
    std::vector<double> times_ms, yardstick_times_ms;
    for (int round = -3; round < c.rounds; ++round) {
        const double yardstick_ms = stopwatch.ms(c.yardstick_call);
        const double ms = stopwatch.ms(c.call);
        if (round < 0) continue;
        times_ms.push_back(ms);
        yardstick_times_ms.push_back(yardstick_ms);
    }
    const bool right = c.is_right();
    every_result_was_right = every_result_was_right && right;

    std::sort(times_ms.begin(), times_ms.end());
    std::sort(yardstick_times_ms.begin(), yardstick_times_ms.end());
    const double ms = quantile(times_ms, 0.5), yardstick_ms = quantile(yardstick_times_ms, 0.5);
    const double rate = c.work / ms, yardstick_rate = c.yardstick_work / yardstick_ms;
    std::printf("{\"name\": \"%s\", \"n\": \"%s\", \"ms\": %.5f, \"ms_quartiles\": [%.5f, %.5f], ",
                c.name.c_str(), c.n.c_str(), ms, quantile(times_ms, 0.25),
                quantile(times_ms, 0.75));
    std::printf(
        "\"yardstick\": \"%s\", \"yardstick_ms\": %.5f, "
        "\"yardstick_ms_quartiles\": [%.5f, %.5f], ",
        c.yardstick.c_str(), yardstick_ms, quantile(yardstick_times_ms, 0.25),
        quantile(yardstick_times_ms, 0.75));
    if (!c.unit.empty()) {
        std::printf("\"rate\": %.1f, \"yardstick_rate\": %.1f, \"unit\": \"%s\", ", rate,
                    yardstick_rate, c.unit.c_str());
    }
    std::printf("\"ratio\": %.4f, ", rate / yardstick_rate);
    if (c.wanted > 0) {
        std::printf("\"wanted\": %.2f, \"reached\": %s, ", c.wanted,
                    rate / yardstick_rate >= c.wanted ? "true" : "false");
    }
    std::printf("\"rounds\": %d, \"correct\": %s}\n", c.rounds, right ? "true" : "false");
    std::fflush(stdout);
}

void not_measured(const std::string& name, const std::string& why) {
    std::printf("{\"name\": \"%s\", \"not_measured\": \"%s\"}\n", name.c_str(), why.c_str());
}

bool all_were_right() {
    return every_result_was_right;
}

}  // namespace yardsticks

// Shared by the labs' figures/measure.cu: error checks, a stopwatch for the GPU, and the main
// function that picks a figure by its name. Include it as "../../figures/measure.h"; nvcc needs no
// option for it.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace measure {

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Not CUDA_CHECK: the solutions that some programs include define that.
#define CUDA_CALL(call) measure::stop_on_error((call), #call, __FILE__, __LINE__)

/// Prints the GPU, the driver's API and the toolkit, as a comment of the CSV.
inline void print_machine() {
    cudaDeviceProp properties;
    CUDA_CALL(cudaGetDeviceProperties(&properties, 0));
    int driver = 0;
    CUDA_CALL(cudaDriverGetVersion(&driver));
    std::printf("# one %s, CUDA driver API %d.%d, toolkit %d.%d; made by measure.cu\n",
                properties.name, driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                CUDART_VERSION % 1000 / 10);
}

/// Whether L2 keeps the data of the call before.
enum class L2 { cold, warm };

using Action = std::function<void()>;

/// Times calls with two events in the default stream.
class Stopwatch {
public:
    Stopwatch() {
        CUDA_CALL(cudaEventCreate(&begin_));
        CUDA_CALL(cudaEventCreate(&end_));
    }
    ~Stopwatch() {
        cudaFree(flush_);
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    /// Runs untimed before each call and before the flush: resets the data that the call changes.
    Action before = [] {};
    /// Runs untimed after each call: checks the result.
    Action after = [] {};

    /// The median of `rounds` (an odd number) calls, after one to warm up.
    float median_ms(const Action& call, int rounds = 15, L2 l2 = L2::cold) {
        std::vector<float> times_ms;
        for (int round = 0; round <= rounds; ++round) {
            before();
            if (l2 == L2::cold) flush();
            CUDA_CALL(cudaEventRecord(begin_));
            call();
            CUDA_CALL(cudaGetLastError());
            CUDA_CALL(cudaEventRecord(end_));
            CUDA_CALL(cudaEventSynchronize(end_));
            after();
            float time_ms = 0;
            CUDA_CALL(cudaEventElapsedTime(&time_ms, begin_, end_));
            if (round > 0) times_ms.push_back(time_ms);
        }
        std::nth_element(times_ms.begin(), times_ms.begin() + rounds / 2, times_ms.end());
        return times_ms[rounds / 2];
    }

private:
    static constexpr std::size_t kFlushBytes = std::size_t{256} << 20;  // several times any L2
    char* flush_ = nullptr;
    cudaEvent_t begin_, end_;

    void flush() {
        if (flush_ == nullptr) CUDA_CALL(cudaMalloc(&flush_, kFlushBytes));
        CUDA_CALL(cudaMemsetAsync(flush_, 0, kFlushBytes));
    }
};

/// One figure that a program makes: `measure NAME` runs it.
struct Figure {
    const char* name;
    Action make;
};

/// The main function: runs the figure that the only argument names, after a line about the machine.
inline int run(int argc, char** argv, std::initializer_list<Figure> figures) {
    std::string names;
    for (const Figure& figure : figures) {
        if (argc == 2 && figure.name == std::string(argv[1])) {
            print_machine();
            figure.make();
            return EXIT_SUCCESS;
        }
        names += std::string(names.empty() ? "" : "|") + figure.name;
    }
    std::fprintf(stderr, "usage: measure %s\n", names.c_str());
    return EXIT_FAILURE;
}

}  // namespace measure

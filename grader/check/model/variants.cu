// Kernel variants of the course's families, to compare the cost model with a GPU.
//
//   variants time           on a GPU: family, variant, milliseconds (median, least, most) as CSV
//   variants once SCALE     on the virtual GPU: family, variant, launches; each runs once
//
// Times are event-timed medians of 21 calls after one to warm up; before each, 256 MB are read, so
// that L2 holds none of the data. `./lab dev compare-model` runs both and compares them.

#include <algorithm>

#include "check/model/bench.h"

namespace {

constexpr std::size_t kFlushBytes = std::size_t{256} << 20;
constexpr int kCalls = 21;

/// Reads, and writes only what never happens: L2 is left without dirty lines to write back.
__global__ void flush_kernel(float* data, std::size_t size) {
    float sum = 0;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride)
        sum += data[i];
    if (sum != 0) data[0] = sum;
}

}  // namespace

Bench::Bench(Mode mode, int scale) : mode_(mode), scale_(scale) {
    if (mode == Mode::once) {
        std::printf("family,variant,launches\n");
        return;
    }
    CUDA_CHECK(cudaMalloc(&flushed_, kFlushBytes));
    CUDA_CHECK(cudaMemset(flushed_, 0, kFlushBytes));
    CUDA_CHECK(cudaEventCreate(&begin_));
    CUDA_CHECK(cudaEventCreate(&end_));
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    std::printf("# one %s, CUDA %d.%d; made by variants.cu, scale %d\n", properties.name,
                CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, scale);
    std::printf("family,variant,ms,least_ms,most_ms\n");
}

std::vector<float> Bench::times_ms(const std::function<void()>& launch) {
    std::vector<float> times;
    for (int call = 0; call <= kCalls; ++call) {
        prepare_();
        flush_kernel<<<1056, 256>>>(flushed_, kFlushBytes / sizeof(float));
        CUDA_CHECK(cudaEventRecord(begin_));
        launch();
        CUDA_CHECK(cudaEventRecord(end_));
        CUDA_CHECK(cudaEventSynchronize(end_));
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, begin_, end_));
        if (call > 0) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    return times;
}

void Bench::run(const std::string& name, const std::function<void()>& launch, int launches) {
    prepare_();
    launch();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    if (!is_right_()) {
        std::fprintf(stderr, "%s, %s: wrong result\n", family_.c_str(), name.c_str());
        std::exit(EXIT_FAILURE);
    }
    if (mode_ == Mode::once) {
        std::printf("%s,%s,%d\n", family_.c_str(), name.c_str(), launches);
    } else {
        const std::vector<float> times = times_ms(launch);
        std::printf("%s,%s,%.5f,%.5f,%.5f\n", family_.c_str(), name.c_str(),
                    times[times.size() / 2], times.front(), times.back());
    }
    std::fflush(stdout);
}

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    const int scale = argc > 2 ? std::atoi(argv[2]) : kFullScale;
    if ((what != "time" && what != "once") || scale < 1 || scale > kFullScale) {
        std::fprintf(stderr, "usage: variants time|once [SCALE, 1 to %d]\n", kFullScale);
        return EXIT_FAILURE;
    }
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::fprintf(stderr, "variants: there is no GPU\n");
        return 4;
    }
    Bench bench(what == "time" ? Bench::Mode::time : Bench::Mode::once, scale);
    streaming_families(bench);
    plane_families(bench);
    product_families(bench);
    sum_families(bench);
    histogram_families(bench);
    arithmetic_families(bench);
}

// The expert's float sum and its histogram against CUB, 2^28 elements, all scratch memory allocated
// beforehand.

#include <climits>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>

#include "reduction_atomic.h"
#include "yardsticks.h"

namespace reduction_atomic_expert {
#include "../07-reduction-atomic/expert.cu"
}

namespace yardsticks {

constexpr int kElements = 1 << 28, kBins = 256;

static void measure_float_sum() {
    const DeviceArray<float> a(kElements), sum(1), library_sum(1);
    fill(a, Numbers::whole, 7);  // sums of few small whole numbers are exact in any order
    std::size_t library_bytes = 0;
    CUDA_CALL(
        cub::DeviceReduce::Sum(nullptr, library_bytes, a.get(), library_sum.get(), kElements));
    const DeviceArray<char> library_scratch(library_bytes);
    sum.poison();
    measure({"reduction-atomic, block_first_sum", "2^28", "cub::DeviceReduce::Sum", 0,
             [&] { reduction_atomic_expert::block_first_sum(a.get(), sum.get(), kElements); },
             [&] {
                 CUDA_CALL(cub::DeviceReduce::Sum(library_scratch.get(), library_bytes, a.get(),
                                                  library_sum.get(), kElements));
             },
             [&] { return sum.on_host()[0] == sum_of_whole_numbers(a); }, 4e-6 * kElements,
             4e-6 * kElements, "GB/s"});
}

static __global__ void fill_keys_kernel(int* keys, unsigned factor) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    keys[i] = static_cast<int>((i * factor) >> 24);  // an odd factor: 0 to 255, all as often
}

static void measure_histogram() {
    const DeviceArray<int> keys(kElements), counts(kBins), library_counts(kBins);
    fill_keys_kernel<<<kElements / 256, 256>>>(keys.get(), 2654435761U);
    std::size_t library_bytes = 0;
    const auto library = [&](void* scratch) {
        CUDA_CALL(cub::DeviceHistogram::HistogramEven(scratch, library_bytes, keys.get(),
                                                      library_counts.get(), kBins + 1, 0, kBins,
                                                      kElements));
    };
    library(nullptr);
    const DeviceArray<char> library_scratch(library_bytes);
    counts.poison();
    measure(
        {"reduction-atomic, histogram of 256 bins", "2^28", "cub::DeviceHistogram::HistogramEven",
         0, [&] { reduction_atomic_expert::histogram(keys.get(), counts.get(), kElements, kBins); },
         [&] { library(library_scratch.get()); },
         [&] {
             const std::vector<int> got = counts.on_host();
             int sum = 0;
             for (const int count : got) sum += count;
             return sum == kElements && got == library_counts.on_host();
         },
         4e-6 * kElements, 4e-6 * kElements, "GB/s"});
}

void measure_reduction_atomic() {
    measure_float_sum();
    measure_histogram();
}

}  // namespace yardsticks

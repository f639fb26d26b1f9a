// argmax against cub::DeviceReduce::ArgMax. What both need besides the vector is allocated
// beforehand. CUB leaves open which of several equal numbers it finds; the numbers here have one
// largest.

#include <cub/device/device_reduce.cuh>

#include "argmax.h"

#include "yardsticks.h"

namespace argmax_expert {
#include "../12-argmax/expert.cu"
}

namespace yardsticks {

static void measure_search(int power, double wanted) {
    const int n = 1 << power;
    const DeviceArray<float> a(n), library_value(1);
    const DeviceArray<Best> partial(kMostBlocks), best(1);
    const DeviceArray<cuda::std::int64_t> library_index(1);
    fill(a, Numbers::fractions, power);
    const int place = n / 3;
    const float largest = 1.5F;  // all others are below 1
    CUDA_CALL(cudaMemcpy(a.get() + place, &largest, sizeof(largest), cudaMemcpyHostToDevice));
    best.poison();
    library_value.poison();
    library_index.poison();
    std::size_t scratch_bytes = 0;
    CUDA_CALL(cub::DeviceReduce::ArgMax(nullptr, scratch_bytes, a.get(), library_value.get(),
                                        library_index.get(), cuda::std::int64_t{n}));
    const DeviceArray<char> scratch(scratch_bytes);
    measure({"argmax, argmax", "2^" + std::to_string(power), "cub::DeviceReduce::ArgMax", wanted,
             [&] { argmax_expert::argmax(a.get(), partial.get(), best.get(), n); },
             [&] {
                 CUDA_CALL(cub::DeviceReduce::ArgMax(scratch.get(), scratch_bytes, a.get(),
                                                     library_value.get(), library_index.get(),
                                                     cuda::std::int64_t{n}));
             },
             [&] {
                 const Best mine = best.on_host()[0];
                 return mine.value == largest && mine.index == place &&
                        library_value.on_host()[0] == largest &&
                        library_index.on_host()[0] == place;
             },
             4e-6 * n, 4e-6 * n, "GB/s"});
}

void measure_argmax() {
    measure_search(20, 1.0);
    measure_search(24, 1.0);
    measure_search(28, 0.9);
}

}  // namespace yardsticks

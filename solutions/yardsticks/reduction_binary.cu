// sum and min_max_sum of 2^28 floats against cub::DeviceReduce::Sum, all scratch memory allocated
// beforehand.

#include <cub/device/device_reduce.cuh>

#include "reduction_binary.h"

#include "yardsticks.h"

namespace reduction_binary_expert {
#include "../06-reduction-binary/expert.cu"
}

namespace yardsticks {

void measure_reduction_binary() {
    const int n = 1 << 28;
    const DeviceArray<float> a(n), sum(1), library_sum(1), scratch(n / 32);
    const DeviceArray<MinMaxSum> three(1), three_scratch(n / 32);
    fill(a, Numbers::whole, 6);  // sums of few small whole numbers are exact in any order
    std::size_t library_bytes = 0;
    CUDA_CALL(cub::DeviceReduce::Sum(nullptr, library_bytes, a.get(), library_sum.get(), n));
    const DeviceArray<char> library_scratch(library_bytes);
    const auto library = [&] {
        CUDA_CALL(cub::DeviceReduce::Sum(library_scratch.get(), library_bytes, a.get(),
                                         library_sum.get(), n));
    };
    const double expected_sum = sum_of_whole_numbers(a);
    sum.poison();
    three.poison();
    measure({"reduction-binary, sum", "2^28", "cub::DeviceReduce::Sum", 0.9,
             [&] { reduction_binary_expert::sum(a.get(), scratch.get(), sum.get(), n); }, library,
             [&] {
                 return sum.on_host()[0] == expected_sum &&
                        library_sum.on_host()[0] == expected_sum;
             },
             4e-6 * n, 4e-6 * n, "GB/s"});
    measure({"reduction-binary, min_max_sum", "2^28", "cub::DeviceReduce::Sum", 0,
             [&] {
                 reduction_binary_expert::min_max_sum(a.get(), three_scratch.get(), three.get(), n);
             },
             library,
             [&] {
                 const MinMaxSum got = three.on_host()[0];
                 return got.min == -4 && got.max == 4 && got.sum == expected_sum;
             },
             4e-6 * n, 4e-6 * n, "GB/s"});
}

}  // namespace yardsticks

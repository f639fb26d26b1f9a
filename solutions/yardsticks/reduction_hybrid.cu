// sum_fast against cub::DeviceReduce::Sum. What both need besides the vector is allocated
// beforehand.

#include <cub/device/device_reduce.cuh>

#include "reduction_hybrid.h"

#include "yardsticks.h"

namespace reduction_hybrid_expert {
#include "../08-reduction-hybrid/expert.cu"
}

namespace yardsticks {

static void measure_sum(int power, double wanted) {
    const int n = 1 << power;
    const DeviceArray<float> a(n), sum(1), library_sum(1);
    fill(a, Numbers::whole, power);  // sums of few small whole numbers are exact in any order
    sum.poison();
    library_sum.poison();
    std::size_t scratch_bytes = 0;
    CUDA_CALL(cub::DeviceReduce::Sum(nullptr, scratch_bytes, a.get(), library_sum.get(), n));
    const DeviceArray<char> scratch(scratch_bytes);
    measure({"reduction-hybrid, sum_fast", "2^" + std::to_string(power), "cub::DeviceReduce::Sum",
             wanted, [&] { reduction_hybrid_expert::sum_fast(a.get(), sum.get(), n); },
             [&] {
                 CUDA_CALL(cub::DeviceReduce::Sum(scratch.get(), scratch_bytes, a.get(),
                                                  library_sum.get(), n));
             },
             [&] {
                 const double expected = sum_of_whole_numbers(a);
                 return sum.on_host()[0] == expected && library_sum.on_host()[0] == expected;
             },
             4e-6 * n, 4e-6 * n, "GB/s"});
}

void measure_reduction_hybrid() {
    measure_sum(20, 1.2);
    measure_sum(24, 1.05);
    measure_sum(28, 1.0);
}

}  // namespace yardsticks

// anneal with the promise kept, and the expert's, against the version that promises nothing: 2^24
// elements, 64 cycles.

#include "pointer_aliasing.h"

#include "yardsticks.h"

namespace pointer_aliasing_expert {
#include "../10-pointer-aliasing/expert.cu"
}
namespace pointer_aliasing_reference {
#include "../10-pointer-aliasing/pointer_aliasing.cu"
}
namespace pointer_aliasing_no_promise {
#include "../10-pointer-aliasing/baseline.cu"
}

namespace yardsticks {

/// Rates are at most 1/2 and temperatures at most 1, so an error of one rounding, 2^-24, is not
/// more than halved... and what a bath adds is at most two roundings: 4 * 2^-24 in all, taken eight
/// times.
static __global__ void check_temperatures_kernel(const float* start, const float* rate,
                                                 const float* bath, const float* temperature, int n,
                                                 int cycles, unsigned* wrong) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double expected = start[i];
    for (int step = 0; step < kBaths * cycles; ++step) {
        const int k = step % kBaths;
        expected += rate[k] * (bath[k] - expected);
    }
    if (!(fabs(temperature[i] - expected) <= 32.0 / (1 << 24))) atomicAdd(wrong, 1u);
}

void measure_pointer_aliasing() {
    const int n = 1 << 24, cycles = 64;
    const DeviceArray<float> start(n), rate(kBaths), bath(kBaths), temperature(n);
    fill(start, Numbers::fractions, 1);
    fill(bath, Numbers::fractions, 2);
    // So small that what was at the start still counts after all cycles: (1 - 0.0105)^256 = 0.07.
    const std::vector<float> rates = {0.002F, 0.01F, 0.02F, 0.01F};
    CUDA_CALL(cudaMemcpy(rate.get(), rates.data(), rate.bytes(), cudaMemcpyHostToDevice));
    const auto race = [&](const char* name, auto anneal) {
        temperature.poison();
        measure({name, "2^24, 64 cycles", "no promise", 11,
                 [&] { anneal(start.get(), rate.get(), bath.get(), temperature.get(), n, cycles); },
                 [&] {
                     pointer_aliasing_no_promise::anneal(start.get(), rate.get(), bath.get(),
                                                         temperature.get(), n, cycles);
                 },
                 [&] {
                     const WrongCount wrong;
                     check_temperatures_kernel<<<n / 256, 256>>>(start.get(), rate.get(),
                                                                 bath.get(), temperature.get(), n,
                                                                 cycles, wrong.get());
                     return wrong.is_zero();
                 }});
    };
    race("pointer-aliasing, the promise alone (reference)", pointer_aliasing_reference::anneal);
    race("pointer-aliasing, expert", pointer_aliasing_expert::anneal);
}

}  // namespace yardsticks

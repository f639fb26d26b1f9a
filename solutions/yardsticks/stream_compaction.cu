// compact_stable against cub::DeviceSelect::If, which keeps the order, too. What both need besides
// the vectors is allocated beforehand. About half of the elements are kept.

#include <cub/device/device_select.cuh>

#include "stream_compaction.h"

#include "yardsticks.h"

namespace compaction_expert {
#include "../14-stream-compaction/expert.cu"
}

namespace yardsticks {

struct IsKept {
    __host__ __device__ bool operator()(float x) const { return x > 0; }
};

static __global__ void compare_kernel(const float* x, const float* y, int n, unsigned* wrong) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (x[i] != y[i]) atomicAdd(wrong, 1u);
    }
}

static void measure_selection(int power, double wanted) {
    const int n = 1 << power;
    const DeviceArray<float> a(n), kept(n), library_kept(n);
    const DeviceArray<int> offsets(n / kTile + 1), count(1), library_count(1);
    fill(a, Numbers::fractions, power);
    kept.poison();
    library_kept.poison();
    count.poison();
    library_count.poison();
    std::size_t scratch_bytes = 0;
    CUDA_CALL(cub::DeviceSelect::If(nullptr, scratch_bytes, a.get(), library_kept.get(),
                                    library_count.get(), n, IsKept{}));
    const DeviceArray<char> scratch(scratch_bytes);
    compaction_expert::compact_stable(a.get(), offsets.get(), kept.get(), count.get(), n);
    const double bytes = 4e-6 * (n + static_cast<double>(count.on_host()[0]));
    measure(
        {"stream-compaction, compact_stable", "2^" + std::to_string(power), "cub::DeviceSelect::If",
         wanted,
         [&] {
             compaction_expert::compact_stable(a.get(), offsets.get(), kept.get(), count.get(), n);
         },
         [&] {
             CUDA_CALL(cub::DeviceSelect::If(scratch.get(), scratch_bytes, a.get(),
                                             library_kept.get(), library_count.get(), n, IsKept{}));
         },
         [&] {
             const int found = count.on_host()[0];
             if (found <= 0 || found != library_count.on_host()[0]) return false;
             const WrongCount wrong;
             compare_kernel<<<1024, 256>>>(kept.get(), library_kept.get(), found, wrong.get());
             return wrong.is_zero();
         },
         bytes, bytes, "GB/s"});
}

void measure_stream_compaction() {
    measure_selection(20, 0.9);
    measure_selection(24, 0.9);
    measure_selection(28, 0.9);
}

}  // namespace yardsticks

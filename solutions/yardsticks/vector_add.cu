// Vector add against a copy from device to device, 2^28 elements, by bytes read and written.

#include "vector_add.h"

#include "yardsticks.h"

namespace vector_add_expert {
#include "../02-vector-add/expert.cu"
}

namespace yardsticks {

static __global__ void check_sums_kernel(const float* a, const float* b, const float* c, int n,
                                         unsigned* wrong) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && c[i] != a[i] + b[i]) atomicAdd(wrong, 1u);
}

void measure_vector_add() {
    const int n = 1 << 28;
    const DeviceArray<float> a(n), b(n), c(n);
    fill(a, Numbers::fractions, 1);
    fill(b, Numbers::fractions, 2);
    c.poison();
    const double gigabytes = 1e-9 * a.bytes();
    measure(
        {"vector-add", "2^28", "cudaMemcpyAsync from device to device, 2^28 floats", 1.0,
         [&] { vector_add_expert::launch_vector_add(a.get(), b.get(), c.get(), n); },
         [&] { CUDA_CALL(cudaMemcpyAsync(c.get(), a.get(), a.bytes(), cudaMemcpyDeviceToDevice)); },
         [&] {
             const WrongCount wrong;
             check_sums_kernel<<<n / 256, 256>>>(a.get(), b.get(), c.get(), n, wrong.get());
             return wrong.is_zero();
         },
         3e3 * gigabytes, 2e3 * gigabytes, "GB/s"});
}

}  // namespace yardsticks

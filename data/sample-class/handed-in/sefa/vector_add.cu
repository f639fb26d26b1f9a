// Wrong: computed on the host. No kernel runs at all: launch_vector_add copies the vectors to the
// host, adds them there, and copies the sum back; vector_add never touches the device.
//
// expect vgpu: "launch_vector_add: up to 256 elements": "no kernel was launched"
// expect vgpu: "vector_add: there and back": "no kernel was launched"
// expect gpu: "launch_vector_add: at least 0.45x the reference": "too slow"

#include "vector_add.h"

#include <cstddef>
#include <vector>

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    const std::size_t size_bytes = n * sizeof(float);
    std::vector<float> x(n), y(n);
    cudaMemcpy(x.data(), a, size_bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(y.data(), b, size_bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) x[i] += y[i];
    cudaMemcpy(c, x.data(), size_bytes, cudaMemcpyHostToDevice);
}

void vector_add(const float* a, const float* b, float* c, int n) {
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// Wrong: computed on the host. The product is right, and no kernel was launched.
//
// expect vgpu: "matmul_tiled: multiples of 32": "no kernel was launched"
// expect gpu: "matmul_tiled: at least 0.77x the reference": "too slow"

#include "matmul_shared.h"

#include <vector>

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    std::vector<float> host_a(m * k), host_b(k * n), host_c(m * n, 0.0F);
    cudaMemcpy(host_a.data(), a, host_a.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(host_b.data(), b, host_b.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < m; ++row) {
        for (int i = 0; i < k; ++i) {
            for (int col = 0; col < n; ++col) {
                host_c[row * n + col] += host_a[row * k + i] * host_b[i * n + col];
            }
        }
    }
    cudaMemcpy(c, host_c.data(), host_c.size() * sizeof(float), cudaMemcpyHostToDevice);
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int) {
    matmul_tiled(a, b, c, m, k, n);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    matmul_tiled(a, b, c, m, k, n);
}

// matmul_coarsened against cuBLAS in FP32 ("pedantic": no tensor cores, no other types), n = 4096.

#include "matmul_shared.h"

#include "yardsticks.h"

#if __has_include(<cublas_v2.h>) && !defined(YARDSTICKS_WITHOUT_CUBLAS)
#include <cublas_v2.h>
#define HAVE_CUBLAS
#endif

namespace matmul_expert {
#include "../05-matmul-shared/expert.cu"
}
namespace matmul_reference {
#include "../05-matmul-shared/matmul_shared.cu"
}

namespace yardsticks {

struct Shape {
    int m, k, n;
};

/// Against sums in double, within the tolerance that lab 05 derives: gamma(k) * sum of |a b|, and
/// one rounding of the result.
static __global__ void check_product_kernel(const float* a, const float* b, const float* c, Shape s,
                                            unsigned* wrong) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= s.m || col >= s.n) return;
    double expected = 0, magnitude = 0;
    for (int i = 0; i < s.k; ++i) {
        const double product = static_cast<double>(a[row * s.k + i]) * b[i * s.n + col];
        expected += product;
        magnitude += fabs(product);
    }
    const double u = 1.0 / (1 << 24), gamma = s.k * u / (1 - s.k * u);
    if (!(fabs(c[row * s.n + col] - expected) <= (gamma + u) * magnitude)) atomicAdd(wrong, 1u);
}

static bool is_product(const float* a, const float* b, const float* c, Shape s) {
    const WrongCount wrong;
    const dim3 blocks((s.n - 1) / 16 + 1, (s.m - 1) / 16 + 1);
    check_product_kernel<<<blocks, dim3(16, 16)>>>(a, b, c, s, wrong.get());
    return wrong.is_zero();
}

/// Shapes with every kind of edge, and pointers that are not aligned.
static bool is_right_for_all_shapes(const DeviceArray<float>& a, const DeviceArray<float>& b,
                                    const DeviceArray<float>& c) {
    const int lengths[] = {1, 3, 4, 31, 64, 127, 128, 129, 132, 257, 300};
    bool right = true;
    for (const int m : lengths) {
        for (const int k : lengths) {
            for (const int n : lengths) {
                const int shift = (m + k + n) % 4 == 0 ? 1 : 0;
                c.poison();
                matmul_expert::matmul_coarsened(a.get() + shift, b.get() + shift, c.get() + shift,
                                                m, k, n);
                right = right &&
                        is_product(a.get() + shift, b.get() + shift, c.get() + shift, {m, k, n});
            }
        }
    }
    return right;
}

static const char *const kExpert = "matmul", *const kOther = "matmul, rows that are not aligned";

using Multiply = void (*)(const float* a, const float* b, float* c, int m, int k, int n);

static void race(const char* name, Multiply multiply, const char* yardstick, Multiply other, int n,
                 double wanted) {
    const DeviceArray<float> a(static_cast<std::size_t>(n) * n), b(a.count()), c(a.count()),
        other_c(a.count());
    fill(a, Numbers::fractions, 1);
    fill(b, Numbers::fractions, 2);
    c.poison();
    other_c.poison();
    const double work = 2e-9 * n * n * n;
    measure({name, std::to_string(n), yardstick, wanted,
             [&] { multiply(a.get(), b.get(), c.get(), n, n, n); },
             [&] { other(a.get(), b.get(), other_c.get(), n, n, n); },
             [&] {
                 return is_product(a.get(), b.get(), c.get(), {n, n, n}) &&
                        is_product(a.get(), b.get(), other_c.get(), {n, n, n});
             },
             work, work, "TFLOP/s"});
}

#ifdef HAVE_CUBLAS
static void check(cublasStatus_t status) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    std::fprintf(stderr, "cuBLAS: status %d\n", static_cast<int>(status));
    std::exit(EXIT_FAILURE);
}

static void cublas(const float* a, const float* b, float* c, int m, int k, int n) {
    static const cublasHandle_t handle = [] {
        cublasHandle_t made = nullptr;
        check(cublasCreate(&made));
        check(cublasSetMathMode(made, CUBLAS_PEDANTIC_MATH));
        return made;
    }();
    const float one = 1, zero = 0;
    // Column-major: its b * a is our a * b.
    check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n));
}
#endif

void measure_matmul() {
    {
        const DeviceArray<float> a(100'000), b(100'000), c(100'000);
        fill(a, Numbers::fractions, 3);
        fill(b, Numbers::fractions, 4);
        if (!is_right_for_all_shapes(a, b, c)) {
            std::fprintf(stderr, "matmul: the expert is wrong for some shape\n");
            std::exit(EXIT_FAILURE);
        }
    }
    const auto expert = matmul_expert::matmul_coarsened;
    const auto reference = matmul_reference::matmul_coarsened;
#ifdef HAVE_CUBLAS
    const char* const library = "cublasSgemm, CUBLAS_PEDANTIC_MATH";
    race(kExpert, expert, library, cublas, 4096, 0.85);
    race(kOther, expert, library, cublas, 4095, 0);
#else
    not_measured(kExpert, "cuBLAS was not there");
    not_measured(kOther, "cuBLAS was not there");
#endif
    race("matmul", expert, "4 x 4 elements a thread (reference)", reference, 4096, 0);
}

}  // namespace yardsticks

// CUDA's mathematical functions and half-precision intrinsics, one kernel each; numbers_test.cpp
// compares them with the host's, within the errors that CUDA documents.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define ONE(name, T, value)                                            \
    extern "C" __global__ void name##_##T(const T* x, T* out, int n) { \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;           \
        if (i < n) out[i] = value;                                     \
    }
#define FLOAT(name) ONE(name, float, name##f(x[i]))
#define DOUBLE(name) ONE(name, double, name(x[i]))
#define BOTH(name) FLOAT(name) DOUBLE(name)

// A table of names: clang-format takes it for code.
// clang-format off
BOTH(sin) BOTH(cos) BOTH(tan) BOTH(exp) BOTH(exp2) BOTH(exp10) BOTH(expm1) BOTH(log) BOTH(log2)
BOTH(log10) BOTH(log1p) BOTH(sqrt) BOTH(rsqrt) BOTH(cbrt) BOTH(asin) BOTH(acos) BOTH(atan) BOTH(sinh)
BOTH(cosh) BOTH(tanh) BOTH(asinh) BOTH(acosh) BOTH(atanh) BOTH(erf) BOTH(erfc) BOTH(lgamma) BOTH(tgamma)
ONE(pow, float, powf(x[i], x[n - 1 - i])) ONE(pow, double, pow(x[i], x[n - 1 - i]))
ONE(atan2, float, atan2f(x[i], x[n - 1 - i])) ONE(atan2, double, atan2(x[i], x[n - 1 - i]))
ONE(hypot, float, hypotf(x[i], x[n - 1 - i])) ONE(hypot, double, hypot(x[i], x[n - 1 - i]))
ONE(fmod, float, fmodf(x[i], x[n - 1 - i])) ONE(fmod, double, fmod(x[i], x[n - 1 - i]))

#define HALF(name, value) ONE(name, half, value) ONE(name, __nv_bfloat16, value)
HALF(add, __hadd(x[i], x[n - 1 - i]))
HALF(mul, __hmul(x[i], x[n - 1 - i]))
HALF(div, __hdiv(x[i], x[n - 1 - i]))
HALF(sqrt, hsqrt(x[i]))
HALF(exp, hexp(x[i]))
HALF(log, hlog(x[i]))
HALF(sin, hsin(x[i]))
HALF(floor, hfloor(x[i]))
HALF(max, __hmax(x[i], x[n - 1 - i]))
HALF(choose, __hlt(x[i], x[n - 1 - i]) ? __hneg(x[i]) : __habs(x[n - 1 - i]))

/// Pairs, conversions and atomics: the sum of all, and the dot product with itself reversed.
extern "C" __global__ void sums_half(const __half2* x, __half2* sum, float* dot, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    atomicAdd(sum, x[i]);
    const float2 product = __half22float2(__hmul2(x[i], __lowhigh2highlow(x[n - 1 - i])));
    atomicAdd(dot, product.x + product.y);
}
// clang-format on

extern "C" __global__ void add_subnormals(float* global, float* shared, float x) {
    __shared__ float sum;
    sum = *global;
    atomicAdd(&sum, x);
    *shared = sum;
    atomicAdd(global, x);
}

// Variants bound by arithmetic: Julia sets, functions, quotients, branches, and pointers that may
// alias.

#include "check/model/bench.h"

namespace {

__device__ int global_id() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// ---------------------------------------------------------------------------
// Julia sets

constexpr int kWidth = 4096;

template <class T>
__host__ __device__ int steps(int x, int y, int height) {
    T re = T(1.5) * (kWidth / 2 - x) / (kWidth / 2), im = T(1.5) * (height / 2 - y) / (height / 2);
    int i = 0;
    for (; i < 200 && re * re + im * im < 1000; ++i) {
        const T next = re * re - im * im - T(0.8);
        im = 2 * re * im + T(0.156);
        re = next;
    }
    return i;
}

__global__ void julia_kernel(int* out, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < kWidth && y < height) out[y * kWidth + x] = steps<float>(x, y, height);
}

/// The lanes of a warp 128 columns apart.
__global__ void julia_far_apart_kernel(int* out, int height) {
    const int x = threadIdx.x * (kWidth / 32) + blockIdx.x * 8 + threadIdx.y, y = blockIdx.y;
    out[y * kWidth + x] = steps<float>(x, y, height);
}

void julia(Bench& bench) {
    const int height = 128 * bench.scale();
    const Array<int> out(std::size_t{kWidth} * height);
    std::vector<int> first;
    // The last bit decides at the edge of the set: the CPU's image may differ in one pixel of 200.
    bench.family<int>("julia", out, 0xFF, [&](const std::vector<int>& got) {
        if (!first.empty()) return same(got, first);
        first = got;
        int wrong = 0, seen = 0;
        for (int y = 0; y < height; y += 61)
            for (int x = 0; x < kWidth; x += 7, ++seen)
                wrong += got[std::size_t{kWidth} * y + x] != steps<float>(x, y, height);
        return wrong <= seen / 200;
    });
    for (const auto& [x, y] :
         {std::pair(32u, 8u), {16u, 16u}, {8u, 32u}, {256u, 1u}, {1u, 256u}, {8u, 4u}, {1u, 1u}}) {
        bench.run(std::to_string(x) + " x " + std::to_string(y), [&, x = x, y = y] {
            julia_kernel<<<dim3(kWidth / x, ceil_of(height, y)), dim3(x, y)>>>(out, height);
        });
    }
    bench.run("lanes far apart", [&] {
        julia_far_apart_kernel<<<dim3(kWidth / 256, height), dim3(32, 8)>>>(out, height);
    });
}

// ---------------------------------------------------------------------------
// Functions: the sum of sin(k x) over k = 1 to 16

constexpr int kTerms = 16;

template <class Sine>
__device__ void sines(const float* in, float* out, int n, Sine sine) {
    const int i = global_id();
    if (i >= n) return;
    float sum = 0;
    for (int k = 1; k <= kTerms; ++k) sum += sine(k * in[i]);
    out[i] = sum;
}

__global__ void fast_sine_kernel(const float* in, float* out, int n) {
    sines(in, out, n, [](float x) { return __sinf(x); });
}
__global__ void sine_kernel(const float* in, float* out, int n) {
    sines(in, out, n, [](float x) { return sinf(x); });
}
__global__ void double_sine_kernel(const float* in, float* out, int n) {
    sines(in, out, n, [](float x) { return static_cast<float>(sin(static_cast<double>(x))); });
}
/// sin((k + 1) x) from sin(k x) and cos(k x).
__global__ void rotated_sine_kernel(const float* in, float* out, int n) {
    const int i = global_id();
    if (i >= n) return;
    float s, c, sum = 0;
    sincosf(in[i], &s, &c);
    float re = 1, im = 0;
    for (int k = 1; k <= kTerms; ++k) {
        const float next = re * c - im * s;
        im = re * s + im * c;
        re = next;
        sum += im;
    }
    out[i] = sum;
}

/// From -3 to 3.
std::vector<float> fractions(int n, unsigned seed) {
    auto values = integers<float>(n, -3000, 3000, seed);
    for (float& value : values) value /= 1000;
    return values;
}

void functions(Bench& bench) {
    const int n = (1 << 20) * bench.scale();
    const auto values = fractions(n, 1);
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) {
        const double s = std::sin(values[i]), c = std::cos(values[i]);
        double sum = 0, re = 1, im = 0;
        for (int k = 1; k <= kTerms; ++k) {
            const double next = re * c - im * s;
            im = re * s + im * c;
            re = next;
            sum += im;
        }
        expected[i] = static_cast<float>(sum);
    }
    const Array<float> in(values), out(n);
    bench.family<float>("sines", out, 0xFF,
                        [&](const auto& got) { return close(got, expected, 1e-2); });
    const unsigned blocks = ceil_of(n, 256);
    bench.run("sinf", [&] { sine_kernel<<<blocks, 256>>>(in, out, n); });
    bench.run("__sinf", [&] { fast_sine_kernel<<<blocks, 256>>>(in, out, n); });
    bench.run("double", [&] { double_sine_kernel<<<blocks, 256>>>(in, out, n); });
    bench.run("rotation", [&] { rotated_sine_kernel<<<blocks, 256>>>(in, out, n); });
}

// ---------------------------------------------------------------------------
// Quotients: 64 steps of Newton's method for a cube root

template <class T, class Quotient>
__device__ void roots(const float* in, float* out, int n, Quotient quotient) {
    const int i = global_id();
    if (i >= n) return;
    const T value = in[i];
    T root = 1;
    for (int step = 0; step < 64; ++step)
        root = (2 * root + quotient(value, root * root)) * T(1. / 3);
    out[i] = static_cast<float>(root);
}

__global__ void root_kernel(const float* in, float* out, int n) {
    roots<float>(in, out, n, [](float a, float b) { return a / b; });
}
__global__ void fast_root_kernel(const float* in, float* out, int n) {
    roots<float>(in, out, n, [](float a, float b) { return __fdividef(a, b); });
}
__global__ void double_root_kernel(const float* in, float* out, int n) {
    roots<double>(in, out, n, [](double a, double b) { return a / b; });
}

void quotients(Bench& bench) {
    const int n = (1 << 20) * bench.scale();
    auto values = integers<float>(n, 1, 1000, 2);
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = std::cbrt(values[i]);
    const Array<float> in(values), out(n);
    bench.family<float>("cube roots", out, 0xFF,
                        [&](const auto& got) { return close(got, expected, 1e-4); });
    const unsigned blocks = ceil_of(n, 256);
    bench.run("float", [&] { root_kernel<<<blocks, 256>>>(in, out, n); });
    bench.run("__fdividef", [&] { fast_root_kernel<<<blocks, 256>>>(in, out, n); });
    bench.run("double", [&] { double_root_kernel<<<blocks, 256>>>(in, out, n); });
}

// ---------------------------------------------------------------------------
// Branches: element i takes one of 8 ways, by i % 8

constexpr int kSteps = 32;

__device__ float way(int which, float x) {
    switch (which) {
        case 0:
            for (int i = 0; i < kSteps; ++i) x = x * 0.5f + 1;
            break;
        case 1:
            for (int i = 0; i < kSteps; ++i) x = x * 0.25f - 2;
            break;
        case 2:
            for (int i = 0; i < kSteps; ++i) x = 3 - x * 0.5f;
            break;
        case 3:
            for (int i = 0; i < kSteps; ++i) x = fminf(x + 1, 40) * 0.75f;
            break;
        case 4:
            for (int i = 0; i < kSteps; ++i) x = fmaxf(x - 2, -30) * 0.5f;
            break;
        case 5:
            for (int i = 0; i < kSteps; ++i) x = fabsf(x) * 0.5f - 3;
            break;
        case 6:
            for (int i = 0; i < kSteps; ++i) x = x < 0 ? -x : x * 0.5f - 1;
            break;
        default:
            for (int i = 0; i < kSteps; ++i) x = x * -0.5f + 4;
    }
    return x;
}

__global__ void divergent_kernel(const float* in, float* out) {
    const int i = global_id();
    out[i] = way(i % 8, in[i]);
}

/// Each warp of a block of 256 takes one way: its elements are 8 apart.
__global__ void sorted_kernel(const float* in, float* out) {
    const int i = blockIdx.x * 256 + threadIdx.x % 32 * 8 + threadIdx.x / 32;
    out[i] = way(threadIdx.x / 32, in[i]);
}

/// The same, by way of shared memory.
__global__ void sorted_shared_kernel(const float* in, float* out) {
    __shared__ float part[256];
    const int t = threadIdx.x, i = t % 32 * 8 + t / 32;
    part[t] = in[global_id()];
    __syncthreads();
    part[i] = way(t / 32, part[i]);
    __syncthreads();
    out[global_id()] = part[t];
}

/// All ways, and one kept.
__global__ void all_ways_kernel(const float* in, float* out) {
    const int i = global_id();
    float kept = 0;
    for (int which = 0; which < 8; ++which) {
        const float value = way(which, in[i]);
        if (which == i % 8) kept = value;
    }
    out[i] = kept;
}

void branches(Bench& bench) {
    const int n = (1 << 20) * bench.scale();
    const auto values = fractions(n, 3);
    const Array<float> in(values), out(n);
    std::vector<float> first;
    // Way 0 and way 7 converge to known values; the rest of the first variant's results is kept.
    bench.family<float>("branches", out, 0xFF, [&](const std::vector<float>& got) {
        if (!first.empty()) return same(got, first);
        first = got;
        for (std::size_t i = 0; i < got.size(); i += 8)
            if (!(std::fabs(got[i] - 2) < 1e-5) || !(std::fabs(got[i + 7] - 8. / 3) < 1e-5) ||
                !(std::fabs(got[i + 2] - 2) < 1e-5) || !(std::fabs(got[i + 1] + 8. / 3) < 1e-5))
                return false;
        return true;
    });
    bench.run("divergent", [&] { divergent_kernel<<<n / 256, 256>>>(in, out); });
    bench.run("a way a warp", [&] { sorted_kernel<<<n / 256, 256>>>(in, out); });
    bench.run("a way a warp shared", [&] { sorted_shared_kernel<<<n / 256, 256>>>(in, out); });
    bench.run("all ways", [&] { all_ways_kernel<<<n / 256, 256>>>(in, out); });
}

// ---------------------------------------------------------------------------
// 64 rounds of 4 updates with 4 coefficients, through pointers

constexpr int kRounds = 64;

__global__ void may_alias_kernel(float* out, const float* in, const float* c, int n) {
    const int i = global_id();
    if (i >= n) return;
    out[i] = in[i];
    for (int round = 0; round < kRounds; ++round)
        for (int k = 0; k < 4; ++k) out[i] = out[i] * c[k] + 0.5f;
}

__global__ void restrict_kernel(float* __restrict__ out, const float* __restrict__ in,
                                const float* __restrict__ c, int n) {
    const int i = global_id();
    if (i >= n) return;
    out[i] = in[i];
    for (int round = 0; round < kRounds; ++round)
        for (int k = 0; k < 4; ++k) out[i] = out[i] * c[k] + 0.5f;
}

/// The value in a register, the coefficients loaded again and again.
__global__ void volatile_kernel(float* out, const float* in, const volatile float* c, int n) {
    const int i = global_id();
    if (i >= n) return;
    float value = in[i];
    for (int round = 0; round < kRounds; ++round)
        for (int k = 0; k < 4; ++k) value = value * c[k] + 0.5f;
    out[i] = value;
}

/// The coefficients in registers, the value in memory after each round.
__global__ void store_each_round_kernel(volatile float* out, const float* in, const float* c,
                                        int n) {
    const int i = global_id();
    if (i >= n) return;
    const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    float value = in[i];
    for (int round = 0; round < kRounds; ++round) {
        value = (((value * c0 + 0.5f) * c1 + 0.5f) * c2 + 0.5f) * c3 + 0.5f;
        out[i] = value;
    }
}

void aliasing(Bench& bench) {
    const int n = (1 << 18) * bench.scale();
    const auto values = fractions(n, 4);
    const float factors[] = {0.5f, -0.25f, 0.75f, 0.125f};
    std::vector<float> expected(values);
    for (float& value : expected)
        for (int update = 0; update < 4 * kRounds; ++update)
            value = value * factors[update % 4] + 0.5f;
    const Array<float> in(values), out(n),
        c(std::vector<float>(std::begin(factors), std::end(factors)));
    bench.family<float>("pointers", out, 0xFF,
                        [&](const auto& got) { return close(got, expected, 1e-5); });
    const unsigned blocks = ceil_of(n, 256);
    bench.run("restrict", [&] { restrict_kernel<<<blocks, 256>>>(out, in, c, n); });
    bench.run("may alias", [&] { may_alias_kernel<<<blocks, 256>>>(out, in, c, n); });
    bench.run("coefficients again", [&] { volatile_kernel<<<blocks, 256>>>(out, in, c, n); });
    bench.run("stores again", [&] { store_each_round_kernel<<<blocks, 256>>>(out, in, c, n); });
}

}  // namespace

void arithmetic_families(Bench& bench) {
    julia(bench);
    functions(bench);
    quotients(bench);
    branches(bench);
    aliasing(bench);
}

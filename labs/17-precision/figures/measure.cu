// Measures lab 17's figures and prints them as CSV.
//
//   nvcc -O3 -std=c++17 -arch=native -I.. -I../../../grader -o measure measure.cu
//   ./measure errors  > errors.csv     rounding errors of sums, by their length
//   ./measure sine    > sine.csv       errors of sines, by the angle
//   ./measure cell    > cell.csv       a cell of five operations as one kernel and as five
//   ./measure types   > types.csv      axpy in four types, and arithmetic alone
//   ./measure halves  > halves.csv     sums of halves, by the width of a load
//   ./measure atomics > atomics.csv    additions of halves, pairs of halves and floats
//   ./measure sums    > sums.csv       a plain sum of floats, a compensated one, one in double
//   ./measure sines   > sines.csv      sines by the intrinsic, reduced, precise and in double
//
// The first two are errors: the virtual GPU computes what a GPU computes, bit for bit. The others
// are times: each the median of 15 complete calls between two events, after one to warm up; L2 is
// flushed before each.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../../figures/measure.h"
#include "precision.h"

namespace reference {
#include "../../../solutions/17-precision/precision.cu"
}
namespace expert {
#include "../../../solutions/17-precision/expert.cu"
}

namespace {

constexpr int kBlock = 256;

int blocks(long long n) {
    return static_cast<int>((n + kBlock - 1) / kBlock);
}

template <class T>
T* device_array(std::size_t n) {
    T* array = nullptr;
    CUDA_CALL(cudaMalloc(&array, n * sizeof(T)));
    CUDA_CALL(cudaMemset(array, 0, n * sizeof(T)));
    return array;
}

// ---------------------------------------------------------------------------
// Errors of sums of numbers in [0, 1).

std::vector<float> numbers(std::size_t n) {
    std::vector<float> a(n);
    std::uint64_t state = 17;
    for (float& x : a) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x = static_cast<float>(state >> 40) / 16777216.0F;
    }
    return a;
}

__global__ void one_after_the_other(const float* a, int n, float* sums) {
    __half in_half = 0;
    float in_float = 0;
    Pair pair = {0, 0};
    for (int i = 0; i < n; ++i) {
        in_half = in_half + __float2half(a[i]);
        in_float += a[i];
        pair = reference::add(pair, {a[i], 0});
    }
    sums[0] = __half2float(in_half);
    sums[1] = in_float;
    sums[2] = pair.sum + pair.error;
}

__global__ void upper_half_onto_lower(float* a, int half) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) a[i] += a[i + half];
}

void errors() {
    constexpr int kLargest = 20;
    float *a = device_array<float>(1 << kLargest), *sums = device_array<float>(3);
    std::printf("n,half,running,compensated,pairs\n");
    for (int power = 4; power <= kLargest; ++power) {
        const int n = 1 << power;
        const std::vector<float> host = numbers(n);
        double exact = 0, exact_of_halves = 0;  // the halves in a half's sum are rounded first
        for (const float x : host) {
            exact += x;
            exact_of_halves += __half2float(__float2half(x));
        }
        CUDA_CALL(cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
        one_after_the_other<<<1, 1>>>(a, n, sums);
        for (int half = n / 2; half > 0; half /= 2) {
            upper_half_onto_lower<<<blocks(half), kBlock>>>(a, half);
        }
        float got[4];
        CUDA_CALL(cudaMemcpy(got, sums, 3 * sizeof(float), cudaMemcpyDeviceToHost));
        CUDA_CALL(cudaMemcpy(got + 3, a, sizeof(float), cudaMemcpyDeviceToHost));
        std::printf("%d", n);
        for (const float& sum : got) {
            const double right = &sum == got ? exact_of_halves : exact;
            std::printf(",%.3g", std::fabs(sum - right) / right);
        }
        std::printf("\n");
    }
}

// ---------------------------------------------------------------------------
// Errors of sines.

/// 2 pi as one float.
__device__ float reduced_once(float x) {
    return __sinf(fmaf(rintf(x * 0.15915494F), -6.28318548F, x));
}

__global__ void all_sines(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = __sinf(x[i]);
    y[n + i] = reduced_once(x[i]);
    y[2 * n + i] = reference::fast_sine(x[i]);
    y[3 * n + i] = sinf(x[i]);
}

void sine() {
    constexpr int kPoints = 4096, kKinds = 4;
    float *x = device_array<float>(kPoints), *y = device_array<float>(kKinds * kPoints);
    std::printf("x,intrinsic,one_float,two_floats,sinf\n");
    for (double begin = 0.125; begin < 1'000'000; begin *= std::sqrt(2.0)) {
        const std::vector<float> parts = numbers(kPoints);
        std::vector<float> angles;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            angles.push_back(static_cast<float>(begin * (1 + 0.414 * parts[i])));
        }
        CUDA_CALL(cudaMemcpy(x, angles.data(), sizeof(float) * kPoints, cudaMemcpyHostToDevice));
        all_sines<<<blocks(kPoints), kBlock>>>(x, y, kPoints);
        std::vector<float> got(kKinds * kPoints);
        CUDA_CALL(cudaMemcpy(got.data(), y, sizeof(float) * got.size(), cudaMemcpyDeviceToHost));
        std::printf("%.5g", begin);
        for (int kind = 0; kind < kKinds; ++kind) {
            double worst = 0;
            for (int i = 0; i < kPoints; ++i) {
                const double error =
                    std::fabs(got[kind * kPoints + i] - std::sin(double{angles[i]}));
                worst = std::fmax(worst, error);
            }
            std::printf(",%.3g", worst);
        }
        std::printf("\n");
    }
}

// ---------------------------------------------------------------------------
// A cell of five operations. The gates are three arrays of n numbers.

template <class T>
__device__ float sigmoid(T x) {
    return 1 / (1 + __expf(-static_cast<float>(x)));
}
template <class T>
__device__ float elu(T x) {
    const float value = static_cast<float>(x);
    return value > 0 ? value : __expf(value) - 1;
}

template <class T>
__global__ void cell_kernel(const T* gates, const T* old_cell, T* new_h, T* new_cell, T* parts,
                            int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float in = sigmoid(gates[i]), out = sigmoid(gates[n + i]),
                candidate = elu(gates[2 * n + i]);
    const float cell = fmaf(candidate, in, static_cast<float>(old_cell[i]));
    parts[i] = static_cast<T>(in);
    parts[n + i] = static_cast<T>(out);
    parts[2 * n + i] = static_cast<T>(candidate);
    new_cell[i] = static_cast<T>(cell);
    new_h[i] = static_cast<T>(tanhf(cell) * out);
}

enum class Step { sigmoid, elu, add_product, tanh_times };

/// One of the operations: to = step(x), or with y and z.
template <Step step, class T>
__global__ void step_kernel(const T* x, const T* y, const T* z, T* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float result = 0;
    if constexpr (step == Step::sigmoid) result = sigmoid(x[i]);
    if constexpr (step == Step::elu) result = elu(x[i]);
    if constexpr (step == Step::add_product) {
        result = fmaf(static_cast<float>(x[i]), static_cast<float>(y[i]), static_cast<float>(z[i]));
    }
    if constexpr (step == Step::tanh_times) {
        result = tanhf(static_cast<float>(x[i])) * static_cast<float>(y[i]);
    }
    to[i] = static_cast<T>(result);
}

template <class T>
void time_cell(const char* type, int n) {
    T *gates = device_array<T>(3 * std::size_t(n)), *old_cell = device_array<T>(n);
    T *h = device_array<T>(n), *cell = device_array<T>(n),
      *parts = device_array<T>(3 * std::size_t(n));
    measure::Stopwatch watch;
    const auto row = [&](const char* version, int arrays, double ms) {
        std::printf("%s,%s,%.4f,%.0f\n", type, version, ms, 1e-6 * arrays * sizeof(T) * n / ms);
    };
    row("one kernel", 9, watch.median_ms([&] {
        cell_kernel<<<blocks(n), kBlock>>>(gates, old_cell, h, cell, parts, n);
    }));
    row("five kernels", 13, watch.median_ms([&] {
        const int b = blocks(n);
        const T* none = nullptr;
        step_kernel<Step::sigmoid><<<b, kBlock>>>(gates, none, none, parts, n);
        step_kernel<Step::sigmoid><<<b, kBlock>>>(gates + n, none, none, parts + n, n);
        step_kernel<Step::elu><<<b, kBlock>>>(gates + 2 * n, none, none, parts + 2 * n, n);
        step_kernel<Step::add_product><<<b, kBlock>>>(parts + 2 * n, parts, old_cell, cell, n);
        step_kernel<Step::tanh_times><<<b, kBlock>>>(cell, parts + n, none, h, n);
    }));
    for (T* array : {gates, old_cell, h, cell, parts}) cudaFree(array);
}

void cell() {
    std::printf("type,version,time_ms,gb_per_s\n");
    time_cell<float>("float", 1 << 25);
    time_cell<__half>("half", 1 << 25);
    time_cell<__nv_bfloat16>("bfloat16", 1 << 25);
}

// ---------------------------------------------------------------------------
// Types.

constexpr int kChains = 8;

/// 512 fused multiplications and additions for each thread, in chains that begin with different
/// numbers: equal ones would be computed once.
template <class T>
__global__ void arithmetic_kernel(const T* x, T* y, T a, T b) {
    T value[kChains];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < kChains; ++k) value[k] = x[i + k];
    for (int k = 0; k < 64; ++k) {
        for (T& v : value) v = a * v + b;
    }
    T sum = value[0];
    for (int k = 1; k < kChains; ++k) sum = sum + value[k];
    y[i] = sum;
}

template <class T>
double time_arithmetic(T a, T b) {
    constexpr int kN = 1 << 22;
    T *x = device_array<T>(kN + kChains), *y = device_array<T>(kN);
    measure::Stopwatch watch;
    const double ms =
        watch.median_ms([&] { arithmetic_kernel<<<blocks(kN), kBlock>>>(x, y, a, b); });
    cudaFree(x);
    cudaFree(y);
    return 1e-9 * 2 * 512 * kN / ms;
}

template <class T, class A, class Function>
void time_axpy(const char* type, A a, Function function) {
    constexpr int kN = 1 << 26;
    T *x = device_array<T>(kN), *y = device_array<T>(kN);
    measure::Stopwatch watch;
    const double ms = watch.median_ms([&] { function(a, x, y, kN); });
    std::printf("axpy %s,%.4f,%.0f\n", type, ms, 3e-6 * sizeof(T) * kN / ms);
    cudaFree(x);
    cudaFree(y);
}

void types() {
    std::printf("what,time_ms,gb_per_s\n");
    time_axpy<float>("float", 1.1F, reference::axpy_float);
    time_axpy<double>("double", 1.1, reference::axpy_double);
    time_axpy<__half>("half", 1.1F, reference::axpy_half);
    time_axpy<__nv_bfloat16>("bfloat16", 1.1F, reference::axpy_bfloat);
    std::printf("# arithmetic alone, 10^12 operations a second\n");
    std::printf("# float,%.3g\n", time_arithmetic(1.1F, 0.1F));
    std::printf("# double,%.3g\n", time_arithmetic(1.1, 0.1));
    std::printf("# half,%.3g\n", time_arithmetic(__float2half(1.1F), __float2half(0.1F)));
    std::printf("# half2,%.3g\n",
                2 * time_arithmetic(__float2half2_rn(1.1F), __float2half2_rn(0.1F)));
}

// ---------------------------------------------------------------------------
// Sums of halves, by the width of a load.

__global__ void one_half_a_load_kernel(const __half* a, float* sum, int n) {
    const int stride = gridDim.x * blockDim.x;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine += __half2float(a[i]);
    }
    const float total = reference::sum_of_block(mine);
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

void halves() {
    constexpr int kN = 1 << 28;
    const __half* a = device_array<__half>(kN);
    float* sum = device_array<float>(1);
    measure::Stopwatch watch;
    std::printf("version,time_ms,gb_per_s\n");
    const auto row = [&](const char* version, const measure::Action& call) {
        const double ms = watch.median_ms(call);
        std::printf("%s,%.4f,%.0f\n", version, ms, 2e-6 * kN / ms);
    };
    row("one half a load",
        [&] { one_half_a_load_kernel<<<reference::blocks_at_once(kN), kBlock>>>(a, sum, kN); });
    row("two halves a load", [&] { reference::sum_half(a, sum, kN); });
    row("eight halves a load", [&] { expert::sum_half(a, sum, kN); });
}

// ---------------------------------------------------------------------------
// Atomic additions of 2^24 numbers, to places apart or to 32 next to each other.

template <class T>
__global__ void scatter_kernel(T* table, unsigned mask, T value) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(table + (i * 2654435761u >> 8 & mask), value);
}

template <class T>
void time_scatter(const char* type, T value) {
    constexpr int kThreads = 1 << 24;
    constexpr unsigned kPlaces = 1 << 22;
    T* table = device_array<T>(kPlaces);
    measure::Stopwatch watch;
    for (const unsigned places : {kPlaces, 32U}) {
        const double ms = watch.median_ms(
            [&] { scatter_kernel<<<blocks(kThreads), kBlock>>>(table, places - 1, value); });
        std::printf("%s,%u,%.4f,%.3f\n", type, places, ms, 1e6 * ms / kThreads);
    }
    cudaFree(table);
}

void atomics() {
    std::printf("type,places,time_ms,ns_each\n");
    time_scatter("float", 1.0F);
    time_scatter("half", __float2half(0.0F));
    time_scatter("half2", __float2half2_rn(0.0F));
    time_scatter("bfloat16", __float2bfloat16(0.0F));
    time_scatter("bfloat162", __float2bfloat162_rn(0.0F));
    time_scatter("double", 1.0);
}

// ---------------------------------------------------------------------------
// Sums of floats, and sines.

template <class T>
__global__ void plain_sum_kernel(const float* a, T* sum, int n) {
    const int stride = gridDim.x * blockDim.x;
    __shared__ T of_warp[kBlock / 32];
    T mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) mine += a[i];
    for (int offset = 16; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(0xffffffff, mine, offset);
    }
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < kBlock / 32; ++w) mine += of_warp[w];
    atomicAdd(sum, mine);
}

void sums() {
    constexpr int kN = 1 << 28;
    const float* a = device_array<float>(kN);
    float* sum = device_array<float>(1);
    double* in_double = device_array<double>(1);
    Pair* partial = device_array<Pair>(kMostBlocks);
    measure::Stopwatch watch;
    std::printf("version,time_ms,gb_per_s\n");
    const auto row = [&](const char* version, const measure::Action& call) {
        const double ms = watch.median_ms(call);
        std::printf("%s,%.4f,%.0f\n", version, ms, 4e-6 * kN / ms);
    };
    const int b = reference::blocks_at_once(kN);
    row("plain", [&] { plain_sum_kernel<<<b, kBlock>>>(a, sum, kN); });
    row("in double", [&] { plain_sum_kernel<<<b, kBlock>>>(a, in_double, kN); });
    row("compensated", [&] { reference::sum_compensated(a, partial, sum, kN); });
    row("expert", [&] { expert::sum_compensated(a, partial, sum, kN); });
}

enum class Sine { intrinsic, reduced, precise, in_double };

template <Sine kind>
__global__ void kind_kernel(const float* x, const float* w, float* y, int n, int terms) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < terms; ++k) {
        const float angle = (k + 1) * x[i];
        if constexpr (kind == Sine::intrinsic) sum += w[k] * __sinf(angle);
        if constexpr (kind == Sine::reduced) sum += w[k] * reference::fast_sine(angle);
        if constexpr (kind == Sine::precise) sum += w[k] * sinf(angle);
        if constexpr (kind == Sine::in_double) sum += w[k] * sin(static_cast<double>(angle));
    }
    y[i] = sum;
}

void times_of_sines() {
    constexpr int kN = 1 << 24, kTerms = 32;
    float *x = device_array<float>(kN), *y = device_array<float>(kN),
          *w = device_array<float>(kTerms);
    std::vector<float> angles = numbers(kN);
    for (float& angle : angles) angle *= 31'250;
    CUDA_CALL(cudaMemcpy(x, angles.data(), sizeof(float) * kN, cudaMemcpyHostToDevice));
    measure::Stopwatch watch;
    std::printf("version,time_ms,sines_per_ns\n");
    const auto row = [&](const char* version, const measure::Action& call) {
        const double ms = watch.median_ms(call);
        std::printf("%s,%.4f,%.0f\n", version, ms, 1e-6 * kTerms * kN / ms);
    };
    const int b = blocks(kN);
    row("__sinf", [&] { kind_kernel<Sine::intrinsic><<<b, kBlock>>>(x, w, y, kN, kTerms); });
    row("reduced", [&] { kind_kernel<Sine::reduced><<<b, kBlock>>>(x, w, y, kN, kTerms); });
    row("sinf", [&] { kind_kernel<Sine::precise><<<b, kBlock>>>(x, w, y, kN, kTerms); });
    row("sin", [&] { kind_kernel<Sine::in_double><<<b, kBlock>>>(x, w, y, kN, kTerms); });
    row("expert", [&] { expert::sines(x, w, y, kN, kTerms); });
}

}  // namespace

int main(int argc, char** argv) {
    return measure::run(argc, argv,
                        {{"errors", errors},
                         {"sine", sine},
                         {"cell", cell},
                         {"types", types},
                         {"halves", halves},
                         {"atomics", atomics},
                         {"sums", sums},
                         {"sines", times_of_sines}});
}

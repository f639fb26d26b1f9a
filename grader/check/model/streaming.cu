// Each element once: stores of ids, vector sums in float and double, gathers and scatters.

#include "check/model/bench.h"

namespace {

__device__ int global_id() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// ---------------------------------------------------------------------------
// Stores

__global__ void store_kernel(int* out, int n) {
    const int i = global_id();
    if (i < n) out[i] = i;
}

__global__ void store_stride_kernel(int* out, int n) {
    for (int i = global_id(); i < n; i += gridDim.x * blockDim.x) out[i] = i;
}

__global__ void store_consecutive_kernel(int* out, int n) {
    const int first = 16 * global_id();
    for (int i = first; i < first + 16 && i < n; ++i) out[i] = i;
}

__global__ void store_four_kernel(int4* out, int n) {
    const int i = global_id();
    if (i < n / 4) out[i] = make_int4(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
}

void stores(Bench& bench) {
    const int n = (1 << 21) * bench.scale();
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = i;
    const Array<int> out(n);
    bench.family<int>("store ids", out, 0xFF, [&](const auto& got) { return same(got, expected); });
    for (const unsigned threads : {256, 64, 32, 1024}) {
        bench.run("block " + std::to_string(threads),
                  [&] { store_kernel<<<ceil_of(n, threads), threads>>>(out, n); });
    }
    bench.run("grid-stride", [&] { store_stride_kernel<<<1056, 256>>>(out, n); });
    bench.run("16 consecutive",
              [&] { store_consecutive_kernel<<<ceil_of(n, 16 * 256), 256>>>(out, n); });
    bench.run("int4", [&] {
        store_four_kernel<<<ceil_of(n, 4 * 256), 256>>>(
            reinterpret_cast<int4*>(static_cast<int*>(out)), n);
    });
}

// ---------------------------------------------------------------------------
// Vector add

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = global_id();
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void add_stride_kernel(const float* a, const float* b, float* c, int n) {
    for (int i = global_id(); i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}

__global__ void add_consecutive_kernel(const float* a, const float* b, float* c, int n, int each) {
    const int first = each * global_id();
    for (int i = first; i < first + each && i < n; ++i) c[i] = a[i] + b[i];
}

__global__ void add_four_kernel(const float4* a, const float4* b, float4* c, int n) {
    const int i = global_id();
    if (i >= n / 4) return;
    const float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

/// Neighbouring threads are `stride` elements apart; n is a multiple of it.
__global__ void add_far_apart_kernel(const float* a, const float* b, float* c, int n, int stride) {
    const int id = global_id(), rows = n / stride;
    if (id >= n) return;
    const int i = id % rows * stride + id / rows;
    c[i] = a[i] + b[i];
}

void vector_add(Bench& bench) {
    const int n = (1 << 20) * bench.scale();
    const auto x = integers<float>(n, -100, 100, 1), y = integers<float>(n, -100, 100, 2);
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = x[i] + y[i];
    const Array<float> a(x), b(y), c(n);
    bench.family<float>("vector add", c, 0xFF,
                        [&](const auto& got) { return same(got, expected); });
    for (const unsigned threads : {256, 32, 64, 128, 512, 1024}) {
        bench.run("block " + std::to_string(threads),
                  [&] { add_kernel<<<ceil_of(n, threads), threads>>>(a, b, c, n); });
    }
    bench.run("float4", [&] {
        add_four_kernel<<<ceil_of(n, 4 * 256), 256>>>(
            reinterpret_cast<const float4*>(static_cast<float*>(a)),
            reinterpret_cast<const float4*>(static_cast<float*>(b)),
            reinterpret_cast<float4*>(static_cast<float*>(c)), n);
    });
    bench.run("grid-stride", [&] { add_stride_kernel<<<1056, 256>>>(a, b, c, n); });
    for (const int each : {2, 4, 16}) {
        bench.run(std::to_string(each) + " consecutive", [&] {
            add_consecutive_kernel<<<ceil_of(n, each * 256), 256>>>(a, b, c, n, each);
        });
    }
    bench.run("32 apart", [&] { add_far_apart_kernel<<<n / 256, 256>>>(a, b, c, n, 32); });
    bench.run("2 apart", [&] { add_far_apart_kernel<<<n / 256, 256>>>(a, b, c, n, 2); });
    bench.run("one block of 1024", [&] { add_stride_kernel<<<1, 1024>>>(a, b, c, n); });
    bench.run("66 blocks", [&] { add_stride_kernel<<<66, 256>>>(a, b, c, n); });
}

// ---------------------------------------------------------------------------
// y = a x + y in double, into a third array

__global__ void saxpy_kernel(double a, const double* x, const double* y, double* out, int n) {
    const int i = global_id();
    if (i < n) out[i] = a * x[i] + y[i];
}

__global__ void saxpy_stride_kernel(double a, const double* x, const double* y, double* out,
                                    int n) {
    for (int i = global_id(); i < n; i += gridDim.x * blockDim.x) out[i] = a * x[i] + y[i];
}

__global__ void saxpy_consecutive_kernel(double a, const double* x, const double* y, double* out,
                                         int n) {
    const int first = 8 * global_id();
    for (int i = first; i < first + 8 && i < n; ++i) out[i] = a * x[i] + y[i];
}

__global__ void saxpy_two_kernel(double a, const double2* x, const double2* y, double2* out,
                                 int n) {
    const int i = global_id();
    if (i >= n / 2) return;
    const double2 u = x[i], v = y[i];
    out[i] = make_double2(a * u.x + v.x, a * u.y + v.y);
}

void saxpy(Bench& bench) {
    const int n = (1 << 19) * bench.scale();
    const auto u = integers<double>(n, -100, 100, 3), v = integers<double>(n, -100, 100, 4);
    std::vector<double> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = 3 * u[i] + v[i];
    const Array<double> x(u), y(v), out(n);
    bench.family<double>("saxpy in double", out, 0xFF,
                         [&](const auto& got) { return same(got, expected); });
    bench.run("block 256", [&] { saxpy_kernel<<<ceil_of(n, 256), 256>>>(3, x, y, out, n); });
    bench.run("block 64", [&] { saxpy_kernel<<<ceil_of(n, 64), 64>>>(3, x, y, out, n); });
    bench.run("grid-stride", [&] { saxpy_stride_kernel<<<1056, 256>>>(3, x, y, out, n); });
    bench.run("8 consecutive",
              [&] { saxpy_consecutive_kernel<<<ceil_of(n, 8 * 256), 256>>>(3, x, y, out, n); });
    bench.run("double2", [&] {
        saxpy_two_kernel<<<ceil_of(n, 2 * 256), 256>>>(
            3, reinterpret_cast<const double2*>(static_cast<double*>(x)),
            reinterpret_cast<const double2*>(static_cast<double*>(y)),
            reinterpret_cast<double2*>(static_cast<double*>(out)), n);
    });
}

// ---------------------------------------------------------------------------
// Permutations

__global__ void gather_kernel(const float* in, const int* from, float* out, int n) {
    for (int i = global_id(); i < n; i += gridDim.x * blockDim.x) out[i] = in[from[i]];
}

__global__ void gather_four_kernel(const float* in, const int* from, float* out, int n) {
    const int first = 4 * global_id();
    for (int i = first; i < first + 4 && i < n; ++i) out[i] = in[from[i]];
}

__global__ void scatter_kernel(const float* in, const int* to, float* out, int n) {
    for (int i = global_id(); i < n; i += gridDim.x * blockDim.x) out[to[i]] = in[i];
}

void permutations(Bench& bench) {
    int n = 1 << 20;  // a power of two, at most the scale's
    while (2 * n <= (1 << 20) * bench.scale()) n *= 2;
    const unsigned mask = n - 1;
    std::vector<int> source(n), target(n);
    for (unsigned i = 0; i < static_cast<unsigned>(n); ++i) {
        const unsigned mixed = (i * 2654435761u) & mask;  // odd factor: one to one
        source[i] = static_cast<int>(mixed ^ (mixed >> 9));
        target[source[i]] = static_cast<int>(i);
    }
    const auto values = integers<float>(n, -100, 100, 5);
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = values[source[i]];
    const Array<float> in(values), out(n);
    const Array<int> from(source), to(target);
    bench.family<float>("permutation", out, 0xFF,
                        [&](const auto& got) { return same(got, expected); });
    bench.run("gather", [&] { gather_kernel<<<n / 256, 256>>>(in, from, out, n); });
    bench.run("gather grid-stride", [&] { gather_kernel<<<1056, 256>>>(in, from, out, n); });
    bench.run("gather 4 consecutive",
              [&] { gather_four_kernel<<<n / 1024, 256>>>(in, from, out, n); });
    bench.run("gather block 64", [&] { gather_kernel<<<n / 64, 64>>>(in, from, out, n); });
    bench.run("scatter", [&] { scatter_kernel<<<n / 256, 256>>>(in, to, out, n); });
    bench.run("scatter grid-stride", [&] { scatter_kernel<<<1056, 256>>>(in, to, out, n); });
}

}  // namespace

void streaming_families(Bench& bench) {
    stores(bench);
    vector_add(bench);
    saxpy(bench);
    permutations(bench);
}

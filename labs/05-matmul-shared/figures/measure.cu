// Measures lab 05's figures on the GPU that is there, and prints them as CSV.
//
//   nvcc -O3 -std=c++17 -arch=native -I .. -I ../../../grader -o measure measure.cu [-lcublas]
//   ./measure versions > tflops_by_version.csv   every version at n = 2048 and 4096, and as raced
//   ./measure sizes    > tflops_by_size.csv      five versions against n
//   ./measure expert                             plans of the expert version at n = 4096
//   ./measure check                              every version against the naive one, odd
//                                                shapes too
//
// -DWITH_CUBLAS with -lcublas adds cuBLAS, held to float arithmetic. A time is the median of
// several launches between two events, L2 flushed before each; 2 * m * k * n operations a product.

#include "../../../solutions/05-matmul-shared/expert.cu"

#include <cmath>
#include <string>
#include <vector>

#include "../../figures/measure.h"

#ifdef WITH_CUBLAS
#include <cublas_v2.h>
#endif

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0;
}

__global__ void naive_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

/// kPad more columns a tile; kTurned stores the tile of b transposed.
template <int kTile, int kPad, bool kTurned>
__global__ void tiled_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ float a_tile[kTile][kTile + kPad], b_tile[kTile][kTile + kPad];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
    float sum = 0;
    for (int first = 0; first < k; first += kTile) {
        a_tile[y][x] = element(a, row, first + x, m, k);
        (kTurned ? b_tile[x][y] : b_tile[y][x]) = element(b, first + y, col, k, n);
        __syncthreads();
        for (int i = 0; i < kTile; ++i) {
            sum += a_tile[y][i] * (kTurned ? b_tile[x][i] : b_tile[i][x]);
        }
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                               int tile) {
    extern __shared__ float tiles[];
    float *const a_tile = tiles, *const b_tile = tiles + tile * tile;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        a_tile[y * tile + x] = element(a, row, first + x, m, k);
        b_tile[y * tile + x] = element(b, first + y, col, k, n);
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += a_tile[y * tile + i] * b_tile[i * tile + x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

/// kRows x kCols threads a block, kEachM x kEachN elements a thread, steps of kDepth along k.
template <int kRows, int kCols, int kEachM, int kEachN, int kDepth, bool kUnrolled>
__global__ void coarsened_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    constexpr int kTileM = kRows * kEachM, kTileN = kCols * kEachN, kThreads = kRows * kCols;
    __shared__ float a_tile[kTileM][kDepth], b_tile[kDepth][kTileN];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * kCols + x;
    const int tile_row = blockIdx.y * kTileM, tile_col = blockIdx.x * kTileN;
    float sum[kEachM][kEachN] = {};
    for (int first = 0; first < k; first += kDepth) {
#pragma unroll
        for (int i = thread; i < kTileM * kDepth; i += kThreads) {
            a_tile[i / kDepth][i % kDepth] =
                element(a, tile_row + i / kDepth, first + i % kDepth, m, k);
        }
#pragma unroll
        for (int i = thread; i < kDepth * kTileN; i += kThreads) {
            b_tile[i / kTileN][i % kTileN] =
                element(b, first + i / kTileN, tile_col + i % kTileN, k, n);
        }
        __syncthreads();
#pragma unroll(kUnrolled ? kDepth : 1)
        for (int i = 0; i < kDepth; ++i) {
#pragma unroll(kUnrolled ? kEachM : 1)
            for (int r = 0; r < kEachM; ++r) {
#pragma unroll(kUnrolled ? kEachN : 1)
                for (int s = 0; s < kEachN; ++s) {
                    sum[r][s] += a_tile[y + r * kRows][i] * b_tile[i][x + s * kCols];
                }
            }
        }
        __syncthreads();
    }
#pragma unroll(kUnrolled ? kEachM : 1)
    for (int r = 0; r < kEachM; ++r) {
#pragma unroll(kUnrolled ? kEachN : 1)
        for (int s = 0; s < kEachN; ++s) {
            const int row = tile_row + y + r * kRows, col = tile_col + x + s * kCols;
            if (row < m && col < n) c[row * n + col] = sum[r][s];
        }
    }
}

struct Shape {
    int m, k, n;
};
struct Arrays {
    const float *a, *b;
    float* c;
};
struct Version {
    std::string name;
    std::function<void(Arrays, Shape)> launch;
};

static int ceil_of(int size, int tile) {
    return (size + tile - 1) / tile;
}

static Version naive() {
    return {"naive", [](Arrays x, Shape s) {
                naive_kernel<<<dim3(ceil_of(s.n, 32), ceil_of(s.m, 32)), dim3(32, 32)>>>(
                    x.a, x.b, x.c, s.m, s.k, s.n);
            }};
}

template <int kTile, int kPad = 0, bool kTurned = false>
static Version tiled(const char* name) {
    return {name, [](Arrays x, Shape s) {
                const dim3 blocks(ceil_of(s.n, kTile), ceil_of(s.m, kTile));
                tiled_kernel<kTile, kPad, kTurned>
                    <<<blocks, dim3(kTile, kTile)>>>(x.a, x.b, x.c, s.m, s.k, s.n);
            }};
}

static Version dynamic(const char* name, int tile) {
    return {name, [tile](Arrays x, Shape s) {
                const dim3 blocks(ceil_of(s.n, tile), ceil_of(s.m, tile));
                dynamic_kernel<<<blocks, dim3(tile, tile), 2 * sizeof(float) * tile * tile>>>(
                    x.a, x.b, x.c, s.m, s.k, s.n, tile);
            }};
}

template <int kRows, int kCols, int kEachM, int kEachN, int kDepth, bool kUnrolled = true>
static Version coarsened(const char* name) {
    return {name, [](Arrays x, Shape s) {
                const dim3 blocks(ceil_of(s.n, kCols * kEachN), ceil_of(s.m, kRows * kEachM));
                coarsened_kernel<kRows, kCols, kEachM, kEachN, kDepth, kUnrolled>
                    <<<blocks, dim3(kCols, kRows)>>>(x.a, x.b, x.c, s.m, s.k, s.n);
            }};
}

template <class P>
static Version expert_version(const char* name) {
    return {name, [](Arrays x, Shape s) { expert<P>(x.a, x.b, x.c, s.m, s.k, s.n); }};
}

static std::vector<Version> cublas() {
#ifdef WITH_CUBLAS
    static cublasHandle_t handle = [] {
        cublasHandle_t created;
        cublasCreate(&created);
        cublasSetMathMode(created, CUBLAS_PEDANTIC_MATH);  // no TF32
        return created;
    }();
    return {{"cuBLAS", [](Arrays x, Shape s) {
                 // It works on columns: the transposed product is ours in rows.
                 const float one = 1, zero = 0;
                 cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, s.n, s.m, s.k, &one, x.b, s.n, x.a,
                             s.k, &zero, x.c, s.n);
             }}};
#else
    return {};
#endif
}

static std::vector<Version> experts() {
    return {expert_version<Plan<128, 128, 8, 8, 8, 2>>("128x128x8, 8x8 a thread"),
            expert_version<Plan<128, 128, 16, 8, 8, 2>>("128x128x16, 8x8 a thread"),
            expert_version<Plan<128, 128, 8, 16, 8, 2>>("128x128x8, 16x8 a thread"),
            expert_version<Plan<128, 128, 16, 16, 8, 2>>("128x128x16, 16x8 a thread"),
            expert_version<Plan<128, 128, 8, 8, 16, 2>>("128x128x8, 8x16 a thread"),
            expert_version<Plan<128, 256, 8, 16, 8, 1>>("128x256x8, 16x8 a thread"),
            expert_version<Plan<256, 128, 8, 16, 8, 1>>("256x128x8, 16x8 a thread"),
            expert_version<Plan<64, 128, 16, 8, 8, 4>>("64x128x16, 8x8 a thread")};
}

static std::vector<Version> all_versions() {
    std::vector<Version> all = {naive(),
                                tiled<8>("tiles of 8"),
                                tiled<16>("tiles of 16"),
                                tiled<32>("tiles of 32"),
                                dynamic("tiles of 32, dynamic", 32),
                                tiled<32, 0, true>("bank conflicts"),
                                tiled<32, 1, true>("bank conflicts, padded"),
                                coarsened<16, 32, 2, 1, 32>("2 a thread"),
                                coarsened<8, 32, 4, 1, 32>("4 a thread"),
                                coarsened<8, 32, 8, 1, 32>("8 a thread"),
                                coarsened<16, 16, 4, 4, 16, false>("4x4 a thread, not unrolled"),
                                coarsened<16, 16, 4, 4, 16>("4x4 a thread"),
                                coarsened<16, 16, 8, 8, 16>("8x8 a thread"),
                                expert_version<Best>("expert")};
    for (Version& version : cublas()) all.push_back(std::move(version));
    return all;
}

struct Bench {
    float *a, *b, *c;
    measure::Stopwatch stopwatch;

    explicit Bench(std::size_t elements) {
        std::vector<float> numbers(elements);
        unsigned state = 1;
        for (float& number : numbers) {
            state = state * 1664525u + 1013904223u;
            number = static_cast<float>(state >> 8) / (1 << 23) - 1;
        }
        for (float** array : {&a, &b, &c}) {
            CUDA_CALL(cudaMalloc(array, elements * sizeof(float)));
            CUDA_CALL(cudaMemcpy(*array, numbers.data(), elements * sizeof(float),
                                 cudaMemcpyHostToDevice));
            std::rotate(numbers.begin(), numbers.begin() + 1, numbers.end());
        }
    }

    double tflops(const Version& version, Shape shape, int rounds = 9) {
        const Arrays arrays = {a, b, c};
        const float time_ms = stopwatch.median_ms([&] { version.launch(arrays, shape); }, rounds);
        return 2e-9 * shape.m * shape.k * shape.n / time_ms;
    }
};

static void versions() {
    Bench bench(std::size_t{4096} * 4096);
    std::printf("version,n_2048_tflops,n_4096_tflops,race_tflops\n");
    for (const Version& version : all_versions()) {
        std::printf("%s,%.2f,%.2f,%.2f\n", version.name.c_str(),
                    bench.tflops(version, {2048, 2048, 2048}),
                    bench.tflops(version, {4096, 4096, 4096}, 5),
                    bench.tflops(version, {2300, 256, 2308}, 15));  // as the grader races
    }
}

static void sizes() {
    Bench bench(std::size_t{8192} * 8192);
    std::vector<Version> shown = {naive(), tiled<32>("tiles of 32"),
                                  coarsened<16, 16, 4, 4, 16>("4x4 a thread"),
                                  expert_version<Best>("expert")};
    for (Version& version : cublas()) shown.push_back(std::move(version));
    std::printf("n");
    for (const Version& version : shown) std::printf(",%s", version.name.c_str());
    for (int n : {128, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192}) {
        std::printf("\n%d", n);
        for (const Version& version : shown) {
            std::printf(",%.3f", bench.tflops(version, {n, n, n}, n > 4096 ? 3 : 9));
        }
    }
    std::printf("\n");
}

static void expert_plans() {
    Bench bench(std::size_t{4096} * 4096);
    std::vector<Version> all = experts();
    for (Version& version : cublas()) all.push_back(std::move(version));
    std::printf("plan,n_2048_tflops,n_4096_tflops,n_4095_tflops\n");
    for (const Version& version : all) {
        std::printf(
            "%s,%.2f,%.2f,%.2f\n", version.name.c_str(), bench.tflops(version, {2048, 2048, 2048}),
            bench.tflops(version, {4096, 4096, 4096}), bench.tflops(version, {4095, 4095, 4095}));
    }
}

/// The largest difference from the naive kernel, as a share of k.
static void check() {
    Bench bench(std::size_t{1} << 18);
    std::vector<Version> all = all_versions();
    for (Version& version : experts()) all.push_back(std::move(version));
    for (const Shape shape : {Shape{256, 128, 512}, Shape{259, 131, 517}, Shape{130, 400, 132},
                              Shape{1, 1, 1}, Shape{129, 7, 300}, Shape{64, 0, 64}}) {
        const std::size_t size = static_cast<std::size_t>(shape.m) * shape.n;
        std::vector<float> expected(size), got(size);
        const auto run = [&](const Version& version, std::vector<float>& result) {
            CUDA_CALL(cudaMemset(bench.c, 0xFF, size * sizeof(float)));
            version.launch({bench.a, bench.b, bench.c}, shape);
            CUDA_CALL(cudaGetLastError());
            CUDA_CALL(
                cudaMemcpy(result.data(), bench.c, size * sizeof(float), cudaMemcpyDeviceToHost));
        };
        run(naive(), expected);
        for (const Version& version : all) {
            if (shape.k == 0 && version.name == "cuBLAS") continue;
            run(version, got);
            float worst = 0;
            bool all_close = true;
            for (std::size_t i = 0; i < size; ++i) {
                const float error = std::abs(got[i] - expected[i]);
                worst = std::max(worst, error);
                all_close = all_close && error <= 1e-6f * shape.k;  // a NaN is not
            }
            std::printf("%s  %d x %d x %d  %s  worst %g\n", all_close ? "ok " : "BAD", shape.m,
                        shape.k, shape.n, version.name.c_str(), worst);
        }
    }
}

int main(int argc, char** argv) {
    return measure::run(
        argc, argv,
        {{"versions", versions}, {"sizes", sizes}, {"expert", expert_plans}, {"check", check}});
}

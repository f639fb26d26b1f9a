// Matrix products: c (m, kN) = a (m, kK) * b (kK, kN).

#include "check/model/bench.h"

namespace {

constexpr int kN = 2304, kK = 256;

__global__ void naive_kernel(const float* a, const float* b, float* c) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < kK; ++i) sum += a[y * kK + i] * b[i * kN + x];
    c[y * kN + x] = sum;
}

/// threadIdx.x along the rows of a and c.
__global__ void turned_kernel(const float* a, const float* b, float* c) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < kK; ++i) sum += a[y * kK + i] * b[i * kN + x];
    c[y * kN + x] = sum;
}

/// kTurned stores the tile of b transposed.
template <int kTile, int kPad, bool kTurned>
__global__ void tiled_kernel(const float* a, const float* b, float* c) {
    __shared__ float a_tile[kTile][kTile + kPad], b_tile[kTile][kTile + kPad];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
    float sum = 0;
    for (int first = 0; first < kK; first += kTile) {
        a_tile[y][x] = a[row * kK + first + x];
        (kTurned ? b_tile[x][y] : b_tile[y][x]) = b[(first + y) * kN + col];
        __syncthreads();
        for (int i = 0; i < kTile; ++i)
            sum += a_tile[y][i] * (kTurned ? b_tile[x][i] : b_tile[i][x]);
        __syncthreads();
    }
    c[row * kN + col] = sum;
}

/// kRows x kCols threads a block, kEachM x kEachN results a thread, steps of kDepth.
template <int kRows, int kCols, int kEachM, int kEachN, int kDepth>
__global__ void registers_kernel(const float* a, const float* b, float* c) {
    constexpr int kTileM = kRows * kEachM, kTileN = kCols * kEachN, kThreads = kRows * kCols;
    __shared__ float a_tile[kTileM][kDepth], b_tile[kDepth][kTileN];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * kCols + x;
    const int top = blockIdx.y * kTileM, left = blockIdx.x * kTileN;
    float sum[kEachM][kEachN] = {};
    for (int first = 0; first < kK; first += kDepth) {
        for (int i = thread; i < kTileM * kDepth; i += kThreads)
            a_tile[i / kDepth][i % kDepth] = a[(top + i / kDepth) * kK + first + i % kDepth];
        for (int i = thread; i < kDepth * kTileN; i += kThreads)
            b_tile[i / kTileN][i % kTileN] = b[(first + i / kTileN) * kN + left + i % kTileN];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kDepth; ++i)
#pragma unroll
            for (int r = 0; r < kEachM; ++r)
#pragma unroll
                for (int s = 0; s < kEachN; ++s)
                    sum[r][s] += a_tile[y + r * kRows][i] * b_tile[i][x + s * kCols];
        __syncthreads();
    }
    for (int r = 0; r < kEachM; ++r)
        for (int s = 0; s < kEachN; ++s)
            c[(top + y + r * kRows) * kN + left + x + s * kCols] = sum[r][s];
}

/// By Freivalds: c v = a (b v) for a vector v, exact in double as all are small integers.
bool is_product(const std::vector<float>& c, const std::vector<float>& a,
                const std::vector<float>& b, int m) {
    const auto v = integers<double>(kN, -1000, 1000, 9);
    std::vector<double> bv(kK, 0);
    for (int i = 0; i < kK; ++i)
        for (int x = 0; x < kN; ++x) bv[i] += b[i * kN + x] * v[x];
    for (int y = 0; y < m; ++y) {
        double got = 0, expected = 0;
        for (int x = 0; x < kN; ++x) got += c[y * kN + x] * v[x];
        for (int i = 0; i < kK; ++i) expected += a[y * kK + i] * bv[i];
        if (!(got == expected)) return false;
    }
    return true;
}

struct Arrays {
    const float *a, *b;
    float* c;
    int m;
};

template <int kTile, int kPad = 0, bool kTurned = false>
void run_tiled(Bench& bench, const char* name, Arrays x) {
    bench.run(name, [=] {
        tiled_kernel<kTile, kPad, kTurned>
            <<<dim3(kN / kTile, x.m / kTile), dim3(kTile, kTile)>>>(x.a, x.b, x.c);
    });
}

template <int kRows, int kCols, int kEachM, int kEachN, int kDepth>
void run_registers(Bench& bench, const char* name, Arrays x) {
    bench.run(name, [=] {
        registers_kernel<kRows, kCols, kEachM, kEachN, kDepth>
            <<<dim3(kN / (kCols * kEachN), x.m / (kRows * kEachM)), dim3(kCols, kRows)>>>(x.a, x.b,
                                                                                          x.c);
    });
}

}  // namespace

void product_families(Bench& bench) {
    const int m = 256 * bench.scale();
    const auto u = integers<float>(std::size_t{kK} * m, -3, 3, 1),
               v = integers<float>(std::size_t{kN} * kK, -3, 3, 2);
    const Array<float> a(u), b(v), c(std::size_t{kN} * m);
    bench.family<float>("product", c, 0xFF,
                        [&](const auto& got) { return is_product(got, u, v, m); });
    const Arrays all{a, b, c, m};
    bench.run("naive 32 x 8",
              [&] { naive_kernel<<<dim3(kN / 32, m / 8), dim3(32, 8)>>>(a, b, c); });
    bench.run("naive 16 x 16",
              [&] { naive_kernel<<<dim3(kN / 16, m / 16), dim3(16, 16)>>>(a, b, c); });
    bench.run("turned 32 x 8",
              [&] { turned_kernel<<<dim3(m / 32, kN / 8), dim3(32, 8)>>>(a, b, c); });
    run_tiled<8>(bench, "tile 8", all);
    run_tiled<16>(bench, "tile 16", all);
    run_tiled<32>(bench, "tile 32", all);
    run_tiled<32, 0, true>(bench, "tile 32 with conflicts", all);
    run_tiled<32, 1, true>(bench, "tile 32 padded", all);
    run_registers<8, 32, 4, 1, 32>(bench, "4 a thread", all);
    run_registers<16, 16, 2, 2, 16>(bench, "2 x 2 a thread", all);
    run_registers<16, 16, 4, 4, 16>(bench, "4 x 4 a thread", all);
    run_registers<16, 16, 8, 8, 16>(bench, "8 x 8 a thread", all);
}

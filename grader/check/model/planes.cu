// Planes of rows: sums element by element in several orders, transposes, a stencil along rows.

#include "check/model/bench.h"

namespace {

constexpr int kWidth = 4096;

__device__ int column_id() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ int row_id() {
    return blockIdx.y * blockDim.y + threadIdx.y;
}

// ---------------------------------------------------------------------------
// Sums

__global__ void add_kernel(const float* a, const float* b, float* c, int height) {
    const int x = column_id(), y = row_id();
    if (x < kWidth && y < height) c[y * kWidth + x] = a[y * kWidth + x] + b[y * kWidth + x];
}

/// threadIdx.x along a column.
__global__ void add_turned_kernel(const float* a, const float* b, float* c, int height) {
    const int y = column_id(), x = row_id();
    if (x < kWidth && y < height) c[y * kWidth + x] = a[y * kWidth + x] + b[y * kWidth + x];
}

__global__ void add_row_a_thread_kernel(const float* a, const float* b, float* c, int height) {
    const int y = column_id();
    if (y >= height) return;
    for (int x = 0; x < kWidth; ++x) c[y * kWidth + x] = a[y * kWidth + x] + b[y * kWidth + x];
}

__global__ void add_column_a_thread_kernel(const float* a, const float* b, float* c, int height) {
    const int x = column_id();
    if (x >= kWidth) return;
    for (int y = 0; y < height; ++y) c[y * kWidth + x] = a[y * kWidth + x] + b[y * kWidth + x];
}

void sums(Bench& bench) {
    const int height = 256 * bench.scale();
    const std::size_t size = std::size_t{kWidth} * height;
    const auto u = integers<float>(size, -100, 100, 1), v = integers<float>(size, -100, 100, 2);
    std::vector<float> expected(size);
    for (std::size_t i = 0; i < size; ++i) expected[i] = u[i] + v[i];
    const Array<float> a(u), b(v), c(size);
    bench.family<float>("plane sum", c, 0xFF, [&](const auto& got) { return same(got, expected); });
    for (const auto& [x, y] : {std::pair(32u, 8u), {16u, 16u}, {8u, 32u}, {4u, 64u}, {256u, 1u}}) {
        bench.run("rows " + std::to_string(x) + " x " + std::to_string(y), [&, x = x, y = y] {
            add_kernel<<<dim3(ceil_of(kWidth, x), ceil_of(height, y)), dim3(x, y)>>>(a, b, c,
                                                                                     height);
        });
    }
    for (const auto& [x, y] : {std::pair(32u, 8u), {16u, 16u}}) {
        bench.run("columns " + std::to_string(x) + " x " + std::to_string(y), [&, x = x, y = y] {
            add_turned_kernel<<<dim3(ceil_of(height, x), ceil_of(kWidth, y)), dim3(x, y)>>>(a, b, c,
                                                                                            height);
        });
    }
    bench.run("a row a thread",
              [&] { add_row_a_thread_kernel<<<ceil_of(height, 64), 64>>>(a, b, c, height); });
    bench.run("a column a thread",
              [&] { add_column_a_thread_kernel<<<kWidth / 64, 64>>>(a, b, c, height); });
}

// ---------------------------------------------------------------------------
// Transposes: out is (kWidth, height)

__global__ void transpose_read_rows_kernel(const float* in, float* out, int height) {
    const int x = column_id(), y = row_id();
    if (x < kWidth && y < height) out[x * height + y] = in[y * kWidth + x];
}

__global__ void transpose_write_rows_kernel(const float* in, float* out, int height) {
    const int y = column_id(), x = row_id();
    if (x < kWidth && y < height) out[x * height + y] = in[y * kWidth + x];
}

/// Blocks of (kTile, kRows) threads; sizes are multiples of kTile.
template <int kTile, int kPad, int kRows>
__global__ void transpose_tile_kernel(const float* in, float* out, int height) {
    __shared__ float tile[kTile][kTile + kPad];
    const int left = blockIdx.x * kTile, top = blockIdx.y * kTile, x = threadIdx.x;
    for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x] = in[(top + y) * kWidth + left + x];
    __syncthreads();
    for (int y = threadIdx.y; y < kTile; y += kRows)
        out[(left + y) * height + top + x] = tile[x][y];
}

template <int kTile, int kPad, int kRows>
void run_tile(Bench& bench, const char* name, const float* in, float* out, int height) {
    bench.run(name, [=] {
        transpose_tile_kernel<kTile, kPad, kRows>
            <<<dim3(kWidth / kTile, height / kTile), dim3(kTile, kRows)>>>(in, out, height);
    });
}

void transposes(Bench& bench) {
    const int height = 256 * bench.scale();
    const std::size_t size = std::size_t{kWidth} * height;
    const auto values = integers<float>(size, -1000, 1000, 3);
    std::vector<float> expected(size);
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
        for (std::size_t x = 0; x < kWidth; ++x) expected[x * height + y] = values[y * kWidth + x];
    const Array<float> in(values), out(size);
    bench.family<float>("transpose", out, 0xFF,
                        [&](const auto& got) { return same(got, expected); });
    bench.run("read rows", [&] {
        transpose_read_rows_kernel<<<dim3(kWidth / 32, ceil_of(height, 8)), dim3(32, 8)>>>(in, out,
                                                                                           height);
    });
    bench.run("write rows", [&] {
        transpose_write_rows_kernel<<<dim3(ceil_of(height, 32), kWidth / 8), dim3(32, 8)>>>(in, out,
                                                                                            height);
    });
    run_tile<32, 0, 32>(bench, "tile 32", in, out, height);
    run_tile<32, 1, 32>(bench, "tile 32 padded", in, out, height);
    run_tile<32, 0, 8>(bench, "tile 32 of 8 rows", in, out, height);
    run_tile<32, 1, 8>(bench, "tile 32 of 8 rows padded", in, out, height);
    run_tile<16, 1, 16>(bench, "tile 16 padded", in, out, height);
    run_tile<8, 1, 8>(bench, "tile 8 padded", in, out, height);
}

// ---------------------------------------------------------------------------
// The sum of 2 * kRadius + 1 neighbours along a row; zeros beside it

constexpr int kRadius = 8;

__global__ void stencil_kernel(const float* in, float* out) {
    const int x = column_id(), row = blockIdx.y * kWidth;
    float sum = 0;
    for (int d = -kRadius; d <= kRadius; ++d)
        if (x + d >= 0 && x + d < kWidth) sum += in[row + x + d];
    out[row + x] = sum;
}

__global__ void stencil_shared_kernel(const float* in, float* out) {
    __shared__ float part[256 + 2 * kRadius];
    const int first = blockIdx.x * 256 - kRadius, row = blockIdx.y * kWidth, t = threadIdx.x;
    for (int i = t; i < 256 + 2 * kRadius; i += 256)
        part[i] = first + i >= 0 && first + i < kWidth ? in[row + first + i] : 0;
    __syncthreads();
    float sum = 0;
    for (int d = 0; d <= 2 * kRadius; ++d) sum += part[t + d];
    out[row + blockIdx.x * 256 + t] = sum;
}

/// 16 neighbouring results a thread, each from the one before.
__global__ void stencil_running_kernel(const float* in, float* out) {
    const int first = 16 * column_id(), row = blockIdx.y * kWidth;
    float sum = 0;
    for (int x = first - kRadius - 1; x < first + kRadius; ++x)
        if (x >= 0) sum += in[row + x];
    for (int x = first; x < first + 16; ++x) {
        if (x + kRadius < kWidth) sum += in[row + x + kRadius];
        if (x - kRadius - 1 >= 0) sum -= in[row + x - kRadius - 1];
        out[row + x] = sum;
    }
}

void stencils(Bench& bench) {
    const int height = 256 * bench.scale();
    const std::size_t size = std::size_t{kWidth} * height;
    const auto values = integers<float>(size, -100, 100, 4);
    std::vector<float> expected(size);
    for (int y = 0; y < height; ++y) {
        const float* in = values.data() + std::size_t{kWidth} * y;
        for (int x = 0; x < kWidth; ++x) {
            float sum = 0;
            for (int d = -kRadius; d <= kRadius; ++d)
                if (x + d >= 0 && x + d < kWidth) sum += in[x + d];
            expected[std::size_t{kWidth} * y + x] = sum;
        }
    }
    const Array<float> in(values), out(size);
    // -0 and 0 are the same sum.
    bench.family<float>("stencil", out, 0xFF,
                        [&](const auto& got) { return close(got, expected, 0); });
    const dim3 grid(kWidth / 256, height);
    bench.run("global", [&] { stencil_kernel<<<grid, 256>>>(in, out); });
    bench.run("shared", [&] { stencil_shared_kernel<<<grid, 256>>>(in, out); });
    bench.run("running sum of 16",
              [&] { stencil_running_kernel<<<dim3(1, height), 256>>>(in, out); });
}

}  // namespace

void plane_families(Bench& bench) {
    sums(bench);
    transposes(bench);
    stencils(bench);
}

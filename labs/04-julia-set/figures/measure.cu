// Measures lab 04's figures on the GPU that is there, and prints them as CSV.
//
//   nvcc -O3 -std=c++17 -arch=native -o measure measure.cu
//   ./measure > throughput.csv        every version at dim = 4096, scale = 1.5
//   ./measure 1024                    another dim
//
// Each time is the median of 15 launches between two events, after one to warm up. Only steps that
// count are counted: all for "every lane 200 steps", those up to the escape for the others.

#include <chrono>
#include <vector>

#include "../../figures/measure.h"

constexpr float kScale = 1.5F;
constexpr int kSteps = 200;

template <class T>
__host__ __device__ int escape_count(T re, T im) {
    for (int step = 0; step < kSteps; ++step) {
        const T new_re = re * re - im * im + T(-0.8F);
        im = 2 * re * im + T(0.156F);
        re = new_re;
        if (re * re + im * im > 1000) return step;
    }
    return kSteps;
}

__device__ int always_all_steps(float re, float im) {
    int survived = 0;
    for (int step = 0; step < kSteps; ++step) {
        const float new_re = re * re - im * im - 0.8F;
        im = 2 * re * im + 0.156F;
        re = new_re;
        if (re * re + im * im <= 1000) ++survived;
    }
    return survived;
}

template <class T>
__host__ __device__ T along(int numerator, int dim) {
    return T(kScale) * numerator / dim;
}

/// One pixel a thread; a block has the shape that it is launched with.
template <class T>
__global__ void plain_kernel(int* counts, int dim) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dim || y >= dim) return;
    counts[y * dim + x] =
        escape_count(along<T>(2 * x + 1 - dim, dim), along<T>(dim - 1 - 2 * y, dim));
}

/// The same in blocks of 256 threads for 16 x 16 pixels, whose warps are `width` pixels wide.
template <int width>
__global__ void tile_kernel(int* counts, int dim) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int across = 16 / width, height = 32 / width;
    const int x = blockIdx.x * 16 + warp % across * width + lane % width;
    const int y = blockIdx.y * 16 + warp / across * height + lane / width;
    if (x >= dim || y >= dim) return;
    counts[y * dim + x] =
        escape_count(along<float>(2 * x + 1 - dim, dim), along<float>(dim - 1 - 2 * y, dim));
}

/// Warps that stand upright: threadIdx.x runs along y.
__global__ void column_kernel(int* counts, int dim) {
    const int x = blockIdx.x * blockDim.y + threadIdx.y, y = blockIdx.y * blockDim.x + threadIdx.x;
    if (x >= dim || y >= dim) return;
    counts[y * dim + x] =
        escape_count(along<float>(2 * x + 1 - dim, dim), along<float>(dim - 1 - 2 * y, dim));
}

__global__ void all_steps_kernel(int* counts, int dim) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dim || y >= dim) return;
    counts[y * dim + x] =
        always_all_steps(along<float>(2 * x + 1 - dim, dim), along<float>(dim - 1 - 2 * y, dim));
}

struct Bench {
    int dim;
    int* counts = nullptr;
    measure::Stopwatch stopwatch;

    explicit Bench(int pixels_a_side) : dim(pixels_a_side) {
        CUDA_CALL(cudaMalloc(&counts, sizeof(int) * dim * dim));
    }

    dim3 blocks(int width, int height) const {
        return dim3((dim - 1) / width + 1, (dim - 1) / height + 1);
    }

    /// Steps that the image takes, those that escape included.
    double steps() const {
        std::vector<int> image(static_cast<std::size_t>(dim) * dim);
        CUDA_CALL(
            cudaMemcpy(image.data(), counts, sizeof(int) * image.size(), cudaMemcpyDeviceToHost));
        double sum = 0;
        for (const int count : image) sum += std::min(count + 1, kSteps);
        return sum;
    }

    void row(const char* version, const measure::Action& launch, bool all_steps = false) {
        const double time_ms = stopwatch.median_ms(launch, 15, measure::L2::warm);
        const double counted = all_steps ? double(kSteps) * dim * dim : steps();
        std::printf("\"%s\",%.4f,%.0f\n", version, time_ms, counted / time_ms * 1e-6);
    }
};

static double cpu_ms(int dim) {
    std::vector<int> counts(static_cast<std::size_t>(dim) * dim);
    const auto begin = std::chrono::steady_clock::now();
    for (int y = 0; y < dim; ++y)
        for (int x = 0; x < dim; ++x)
            counts[y * dim + x] = escape_count(along<float>(2 * x + 1 - dim, dim),
                                               along<float>(dim - 1 - 2 * y, dim));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    // Looking at the result keeps the loop from being removed.
    if (*std::max_element(counts.begin(), counts.end()) > kSteps) std::abort();
    return took.count();
}

int main(int argc, char** argv) {
    Bench bench(argc > 1 ? std::atoi(argv[1]) : 4096);
    const int dim = bench.dim;
    int* const counts = bench.counts;
    measure::print_machine();
    std::printf("# dim = %d, scale = %g; one CPU thread takes %.0f ms\n", dim, kScale, cpu_ms(dim));
    std::printf("version,time_ms,billion_steps_per_s\n");
    const auto plain = [&](int width, int height) {
        return [=, &bench] {
            plain_kernel<float><<<bench.blocks(width, height), dim3(width, height)>>>(counts, dim);
        };
    };
    bench.row("warps of 32 x 1 (blocks of 32 x 8)", plain(32, 8));
    bench.row("warps of 16 x 2 (blocks of 16 x 16)", plain(16, 16));
    bench.row("warps of 8 x 4",
              [&] { tile_kernel<8><<<bench.blocks(16, 16), 256>>>(counts, dim); });
    bench.row("warps of 1 x 32",
              [&] { column_kernel<<<bench.blocks(8, 32), dim3(32, 8)>>>(counts, dim); });
    bench.row("blocks of one warp, 8 x 4", plain(8, 4));
    bench.row("blocks of 2 x 2", plain(2, 2));
    bench.row("one thread a block", plain(1, 1));
    bench.row("double, blocks of 16 x 16",
              [&] { plain_kernel<double><<<bench.blocks(16, 16), dim3(16, 16)>>>(counts, dim); });
    bench.row(
        "every lane 200 steps",
        [&] { all_steps_kernel<<<bench.blocks(16, 16), dim3(16, 16)>>>(counts, dim); }, true);
}

// Measures the numbers in lab 03's question: the same work in blocks of different shapes, and in
// other layouts.
//
//   nvcc -O3 -std=c++17 -arch=native -o measure measure.cu && ./measure times > times.csv
//
// On a GPU: times. Each is the median of 15 launches between two events after one to warm up, with
// L2 flushed before each; bandwidth counts 8 bytes per pixel, one float read and one written. On
// the virtual GPU: counts of each launch (see shapes.awk):
//
//   nvcc -O3 -std=c++17 -cudart shared -o measure measure.cu
//   ./lab vgpu run --json launches.jsonl -- ./measure once

#include <cstdio>
#include <string>

#include "../../figures/measure.h"

__global__ void rows_kernel(const float* raw, const float* gain, const float* offset, float* image,
                            int height, int width, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        image[y * pitch + x] = gain[x] * raw[y * pitch + x] + offset[y];
    }
}

__global__ void swapped_kernel(const float* raw, const float* gain, const float* offset,
                               float* image, int height, int width) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) image[y * width + x] = gain[x] * raw[y * width + x] + offset[y];
}

__global__ void flat_kernel(const float* raw, const float* gain, const float* offset, float* image,
                            int height, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < height * width) image[i] = gain[i % width] * raw[i] + offset[i / width];
}

__global__ void row_a_thread_kernel(const float* raw, const float* gain, const float* offset,
                                    float* image, int height, int width) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height) return;
    for (int x = 0; x < width; ++x) {
        image[y * width + x] = gain[x] * raw[y * width + x] + offset[y];
    }
}

struct Bench {
    int height, width;
    bool timed;
    float *raw, *gain, *offset, *image;
    measure::Stopwatch stopwatch;

    Bench(int rows, int columns, bool with_times)
        : height(rows), width(columns), timed(with_times) {
        const std::size_t elements = static_cast<std::size_t>(height) * (width + 64);
        CUDA_CALL(cudaMalloc(&raw, elements * sizeof(float)));
        CUDA_CALL(cudaMalloc(&image, elements * sizeof(float)));
        CUDA_CALL(cudaMalloc(&gain, width * sizeof(float)));
        CUDA_CALL(cudaMalloc(&offset, height * sizeof(float)));
        CUDA_CALL(cudaMemset(raw, 0, elements * sizeof(float)));
        CUDA_CALL(cudaMemset(gain, 0, width * sizeof(float)));
        CUDA_CALL(cudaMemset(offset, 0, height * sizeof(float)));
    }

    ~Bench() {
        for (float* memory : {raw, image, gain, offset}) cudaFree(memory);
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void row(const std::string& version, const measure::Action& launch) {
        if (!timed) {
            launch();
            CUDA_CALL(cudaDeviceSynchronize());
            return;
        }
        const float time_ms = stopwatch.median_ms(launch);
        std::printf("%s,%d,%d,%.4f,%.1f\n", version.c_str(), height, width, time_ms,
                    8e-6 * height * width / time_ms);
    }

    dim3 blocks_for(dim3 threads) const {
        return {(width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y};
    }

    void shapes(int pitch) {
        const dim3 all[] = {{256, 1}, {128, 2}, {64, 4},  {32, 8}, {16, 16},
                            {8, 32},  {4, 64},  {2, 128}, {1, 256}};
        for (const dim3 threads : all) {
            row(std::to_string(threads.x) + " x " + std::to_string(threads.y), [&] {
                rows_kernel<<<blocks_for(threads), threads>>>(raw, gain, offset, image, height,
                                                              width, pitch);
            });
        }
    }

    void versions() {
        row("32 x 8", [&] {
            rows_kernel<<<blocks_for({32, 8}), dim3(32, 8)>>>(raw, gain, offset, image, height,
                                                              width, width);
        });
        row("32 x 4", [&] {
            rows_kernel<<<blocks_for({32, 4}), dim3(32, 4)>>>(raw, gain, offset, image, height,
                                                              width, width);
        });
        row("128 x 1", [&] {
            rows_kernel<<<blocks_for({128, 1}), dim3(128, 1)>>>(raw, gain, offset, image, height,
                                                                width, width);
        });
        row("32 x 8 pitched", [&] {  // the pitch that cudaMallocPitch chooses: 512 bytes and more
            rows_kernel<<<blocks_for({32, 8}), dim3(32, 8)>>>(raw, gain, offset, image, height,
                                                              width, (width + 127) / 128 * 128);
        });
        row("one-dimensional", [&] {
            flat_kernel<<<(height * width + 255) / 256, 256>>>(raw, gain, offset, image, height,
                                                               width);
        });
        row("threads down the columns", [&] {
            const dim3 blocks((height + 31) / 32, (width + 7) / 8);
            swapped_kernel<<<blocks, dim3(32, 8)>>>(raw, gain, offset, image, height, width);
        });
        row("one row a thread", [&] {
            row_a_thread_kernel<<<(height + 255) / 256, 256>>>(raw, gain, offset, image, height,
                                                               width);
        });
    }
};

static void times() {
    std::printf("version,height,width,time_ms,bandwidth_gb_per_s\n");
    for (const int width : {16384, 16381}) {
        Bench bench(16384, width, true);
        bench.shapes(width);
    }
    Bench race(5003, 6701, true);  // as the grader races
    race.versions();
}

static void once() {
    Bench(1024, 1024, false).shapes(1024);
    Bench(1024, 1021, false).shapes(1021);
    Bench(1024, 1021, false).shapes(1024);
}

int main(int argc, char** argv) {
    return measure::run(argc, argv, {{"times", times}, {"once", once}});
}

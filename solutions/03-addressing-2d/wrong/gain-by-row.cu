// Wrong: the arrays of one element a column and of one a row are exchanged: gain[y] and offset[x].
//
// expect vgpu: "calibrate_image: every pixel": "offset has one element for each row"
// expect gpu: "calibrate_image: every pixel": "of image are wrong"

#include "addressing_2d.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

__global__ void calibrate_image_kernel(const float* raw, const float* gain, const float* offset,
                                       float* image, int height, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        const int i = y * width + x;
        image[i] = gain[y] * raw[i] + offset[x];
    }
}

void calibrate_image(const float* raw, const float* gain, const float* offset, float* image,
                     int height, int width) {
    const dim3 threads(32, 8);  // x comes first: 32 along a row, 8 rows

    if (height == 0 || width == 0) return;
    const dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);

    calibrate_image_kernel<<<blocks, threads>>>(raw, gain, offset, image, height, width);
    CUDA_CHECK(cudaGetLastError());
}

__device__ float frame_raw[kFrameHeight][kFrameWidth], frame_image[kFrameHeight][kFrameWidth];
__device__ float frame_gain[kFrameWidth], frame_offset[kFrameHeight];

__global__ void calibrate_frame_kernel() {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < kFrameWidth && y < kFrameHeight) {
        frame_image[y][x] = frame_gain[x] * frame_raw[y][x] + frame_offset[y];
    }
}

void calibrate_frame(const float* raw, const float* gain, const float* offset, float* image) {
    CUDA_CHECK(cudaMemcpyToSymbol(frame_raw, raw, sizeof(frame_raw)));
    CUDA_CHECK(cudaMemcpyToSymbol(frame_gain, gain, sizeof(frame_gain)));
    CUDA_CHECK(cudaMemcpyToSymbol(frame_offset, offset, sizeof(frame_offset)));

    const dim3 threads(32, 8);
    const dim3 blocks((kFrameWidth + threads.x - 1) / threads.x,
                      (kFrameHeight + threads.y - 1) / threads.y);
    calibrate_frame_kernel<<<blocks, threads>>>();
    CUDA_CHECK(cudaGetLastError());

    CUDA_CHECK(cudaMemcpyFromSymbol(image, frame_image, sizeof(frame_image)));
}

__global__ void calibrate_pitched_kernel(const float* raw, int raw_pitch, const float* gain,
                                         const float* offset, float* image, int image_pitch,
                                         int height, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        image[y * image_pitch + x] = gain[x] * raw[y * raw_pitch + x] + offset[y];
    }
}

void calibrate_pitched(const float* raw, int raw_pitch, const float* gain, const float* offset,
                       float* image, int image_pitch, int height, int width) {
    if (height == 0 || width == 0) return;
    const dim3 threads(32, 8);
    const dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
    calibrate_pitched_kernel<<<blocks, threads>>>(raw, raw_pitch, gain, offset, image, image_pitch,
                                                  height, width);
    CUDA_CHECK(cudaGetLastError());
}

void calibrate_host_image(const float* raw, const float* gain, const float* offset, float* image,
                          int height, int width) {
    if (height == 0 || width == 0) return;
    float *d_gain, *d_offset;
    CUDA_CHECK(cudaMalloc(&d_gain, width * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_offset, height * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d_gain, gain, width * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_offset, offset, height * sizeof(float), cudaMemcpyHostToDevice));

    const std::size_t row_bytes = width * sizeof(float);
    float *d_raw, *d_image;
    std::size_t raw_pitch_bytes, image_pitch_bytes;
    CUDA_CHECK(cudaMallocPitch(&d_raw, &raw_pitch_bytes, row_bytes, height));
    CUDA_CHECK(cudaMallocPitch(&d_image, &image_pitch_bytes, row_bytes, height));

    CUDA_CHECK(cudaMemcpy2D(d_raw, raw_pitch_bytes, raw, row_bytes, row_bytes, height,
                            cudaMemcpyHostToDevice));
    calibrate_pitched(d_raw, static_cast<int>(raw_pitch_bytes / sizeof(float)), d_gain, d_offset,
                      d_image, static_cast<int>(image_pitch_bytes / sizeof(float)), height, width);
    CUDA_CHECK(cudaMemcpy2D(image, row_bytes, d_image, image_pitch_bytes, row_bytes, height,
                            cudaMemcpyDeviceToHost));  // waits for the kernel

    CUDA_CHECK(cudaFree(d_raw));
    CUDA_CHECK(cudaFree(d_image));

    CUDA_CHECK(cudaFree(d_gain));
    CUDA_CHECK(cudaFree(d_offset));
}

__global__ void calibrate_columns_kernel(const float* raw, const float* gain, const float* offset,
                                         float* image, int height, int width) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        const int i = x * height + y;
        image[i] = gain[x] * raw[i] + offset[y];
    }
}

void calibrate_columns(const float* raw, const float* gain, const float* offset, float* image,
                       int height, int width) {
    const dim3 threads(32, 8);

    if (height == 0 || width == 0) return;
    const dim3 blocks((height + threads.x - 1) / threads.x, (width + threads.y - 1) / threads.y);

    calibrate_columns_kernel<<<blocks, threads>>>(raw, gain, offset, image, height, width);
    CUDA_CHECK(cudaGetLastError());
}

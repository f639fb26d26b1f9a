// Wrong: a hang in the kernel. The loop over the rows has a stride that is 0 when there is one row
// of blocks.
//
// expect vgpu: "calibrate_image: every pixel": "never finished"
// expect gpu: "calibrate_image: every pixel": "never ended"

#include "addressing_2d.h"

#include <cstddef>

__global__ void image_kernel(const float* raw, const float* gain, const float* offset, float* image,
                             int height, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = (gridDim.y - 1) * blockDim.y;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; x < width && y < height; y += stride) {
        image[y * width + x] = gain[x] * raw[y * width + x] + offset[y];
    }
}

void calibrate_image(const float* raw, const float* gain, const float* offset, float* image,
                     int height, int width) {
    if (height == 0 || width == 0) return;
    const dim3 threads(32, 8);
    const dim3 blocks((width + 31) / 32, (height + 7) / 8);
    image_kernel<<<blocks, threads>>>(raw, gain, offset, image, height, width);
}

__device__ float frame_raw[kFrameHeight][kFrameWidth], frame_image[kFrameHeight][kFrameWidth];
__device__ float frame_gain[kFrameWidth], frame_offset[kFrameHeight];

__global__ void frame_kernel() {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < kFrameWidth && y < kFrameHeight) {
        frame_image[y][x] = frame_gain[x] * frame_raw[y][x] + frame_offset[y];
    }
}

void calibrate_frame(const float* raw, const float* gain, const float* offset, float* image) {
    cudaMemcpyToSymbol(frame_raw, raw, sizeof(frame_raw));
    cudaMemcpyToSymbol(frame_gain, gain, sizeof(frame_gain));
    cudaMemcpyToSymbol(frame_offset, offset, sizeof(frame_offset));
    frame_kernel<<<dim3((kFrameWidth + 31) / 32, (kFrameHeight + 7) / 8), dim3(32, 8)>>>();
    cudaMemcpyFromSymbol(image, frame_image, sizeof(frame_image));
}

__global__ void pitched_kernel(const float* raw, int raw_pitch, const float* gain,
                               const float* offset, float* image, int image_pitch, int height,
                               int width) {
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
    const dim3 blocks((width + 31) / 32, (height + 7) / 8);
    pitched_kernel<<<blocks, threads>>>(raw, raw_pitch, gain, offset, image, image_pitch, height,
                                        width);
}

void calibrate_host_image(const float* raw, const float* gain, const float* offset, float* image,
                          int height, int width) {
    if (height == 0 || width == 0) return;
    const std::size_t row_bytes = width * sizeof(float);
    float *d_raw, *d_image, *d_gain, *d_offset;
    std::size_t raw_pitch_bytes, image_pitch_bytes;
    cudaMalloc(&d_gain, row_bytes);
    cudaMalloc(&d_offset, height * sizeof(float));
    cudaMallocPitch(&d_raw, &raw_pitch_bytes, row_bytes, height);
    cudaMallocPitch(&d_image, &image_pitch_bytes, row_bytes, height);
    cudaMemcpy(d_gain, gain, row_bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_offset, offset, height * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy2D(d_raw, raw_pitch_bytes, raw, row_bytes, row_bytes, height, cudaMemcpyHostToDevice);
    calibrate_pitched(d_raw, raw_pitch_bytes / sizeof(float), d_gain, d_offset, d_image,
                      image_pitch_bytes / sizeof(float), height, width);
    cudaMemcpy2D(image, row_bytes, d_image, image_pitch_bytes, row_bytes, height,
                 cudaMemcpyDeviceToHost);
    cudaFree(d_raw);
    cudaFree(d_image);
    cudaFree(d_gain);
    cudaFree(d_offset);
}

__global__ void columns_kernel(const float* raw, const float* gain, const float* offset,
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
    if (height == 0 || width == 0) return;
    const dim3 threads(32, 8);
    const dim3 blocks((height + 31) / 32, (width + 7) / 8);
    columns_kernel<<<blocks, threads>>>(raw, gain, offset, image, height, width);
}

// Right: the static arrays by their addresses, as rows of fixed length, and a host image in managed
// memory.

#include "addressing_2d.h"

#include <cstddef>
#include <cstring>

__global__ void image_kernel(const float* raw, const float* gain, const float* offset, float* image,
                             int height, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        const int i = y * width + x;
        image[i] = gain[x] * raw[i] + offset[y];
    }
}

void calibrate_image(const float* raw, const float* gain, const float* offset, float* image,
                     int height, int width) {
    if (height == 0 || width == 0) return;
    const dim3 threads(32, 8);
    const dim3 blocks((width + 31) / 32, (height + 7) / 8);
    image_kernel<<<blocks, threads>>>(raw, gain, offset, image, height, width);
}

using Row = float[kFrameWidth];
__device__ Row frame_raw[kFrameHeight], frame_image[kFrameHeight];
__constant__ float frame_gain[kFrameWidth], frame_offset[kFrameHeight];

__global__ void frame_kernel(const Row* raw, Row* image) {
    const int y = blockIdx.x;
    for (int x = threadIdx.x; x < kFrameWidth; x += blockDim.x) {
        image[y][x] = frame_gain[x] * raw[y][x] + frame_offset[y];
    }
}

void calibrate_frame(const float* raw, const float* gain, const float* offset, float* image) {
    void *d_raw, *d_image;
    cudaGetSymbolAddress(&d_raw, frame_raw);
    cudaGetSymbolAddress(&d_image, frame_image);
    cudaMemcpy(d_raw, raw, sizeof(frame_raw), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(frame_gain, gain, sizeof(frame_gain));
    cudaMemcpyToSymbol(frame_offset, offset, sizeof(frame_offset));
    frame_kernel<<<kFrameHeight, 128>>>(static_cast<const Row*>(d_raw), static_cast<Row*>(d_image));
    cudaMemcpy(image, d_image, sizeof(frame_image), cudaMemcpyDeviceToHost);
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
    const std::size_t pixels = static_cast<std::size_t>(height) * width;
    float *m_raw, *m_image, *m_gain, *m_offset;
    cudaMallocManaged(&m_raw, pixels * sizeof(float));
    cudaMallocManaged(&m_image, pixels * sizeof(float));
    cudaMallocManaged(&m_gain, width * sizeof(float));
    cudaMallocManaged(&m_offset, height * sizeof(float));
    std::memcpy(m_raw, raw, pixels * sizeof(float));
    std::memcpy(m_gain, gain, width * sizeof(float));
    std::memcpy(m_offset, offset, height * sizeof(float));
    calibrate_pitched(m_raw, width, m_gain, m_offset, m_image, width, height, width);
    cudaDeviceSynchronize();
    std::memcpy(image, m_image, pixels * sizeof(float));
    cudaFree(m_raw);
    cudaFree(m_image);
    cudaFree(m_gain);
    cudaFree(m_offset);
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

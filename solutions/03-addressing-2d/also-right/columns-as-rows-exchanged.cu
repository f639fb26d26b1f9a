// Right: columns are rows of another image, in which gain and offset have changed places: one
// kernel for both. The four arrays of the frame are two, copied in halves.

#include <cstring>
#include <vector>
#include "addressing_2d.h"
__global__ void rows(const float* raw, int rp, const float* along, const float* across, float* img,
                     int ip, int h, int w, bool gain_along) {
    const int x = threadIdx.x + blockDim.x * blockIdx.x, y = threadIdx.y + blockDim.y * blockIdx.y;
    if (x >= w) return;
    if (y >= h) return;
    const float* const in = raw + y * rp;
    float* const out = img + y * ip;
    out[x] = gain_along ? along[x] * in[x] + across[y] : across[y] * in[x] + along[x];
}
#define GRID dim3((w + 63) / 64, (h + 3) / 4), dim3(64, 4)
void calibrate_image(const float* raw, const float* gain, const float* offset, float* image, int h,
                     int w) {
    if (h * w == 0) return;
    rows<<<GRID>>>(raw, w, gain, offset, image, w, h, w, true);
}
__device__ float data[2][kFrameHeight][kFrameWidth];
__device__ float lines[kFrameHeight + kFrameWidth];
__global__ void one_row() {
    const int y = blockIdx.x;
    const float o = lines[kFrameWidth + y];
    for (int x = threadIdx.x; x < kFrameWidth; x += blockDim.x)
        data[1][y][x] = lines[x] * data[0][y][x] + o;
}
void calibrate_frame(const float* raw, const float* gain, const float* offset, float* image) {
    cudaMemcpyToSymbol(data, raw, sizeof(data) / 2, 0);
    cudaMemcpyToSymbol(lines, gain, sizeof(float) * kFrameWidth);
    cudaMemcpyToSymbol(lines, offset, sizeof(float) * kFrameHeight, sizeof(float) * kFrameWidth);
    one_row<<<kFrameHeight, 96>>>();
    cudaMemcpyFromSymbol(image, data, sizeof(data) / 2, sizeof(data) / 2);
}
void calibrate_pitched(const float* raw, int rp, const float* gain, const float* offset,
                       float* image, int ip, int h, int w) {
    if (h == 0 || w == 0) return;
    rows<<<GRID>>>(raw, rp, gain, offset, image, ip, h, w, true);
}
void calibrate_host_image(const float* raw, const float* gain, const float* offset, float* image,
                          int height, int width) {
    if (height < 1 || width < 1) return;
    size_t pitch;
    float *a, *b, *lines_d;
    cudaMallocPitch((void**)&a, &pitch, sizeof(float) * width, 2 * height);
    b = a + pitch / sizeof(float) * height;
    cudaMalloc((void**)&lines_d, sizeof(float) * (width + height));
    cudaMemcpy(lines_d, gain, sizeof(float) * width, cudaMemcpyHostToDevice);
    cudaMemcpy(lines_d + width, offset, sizeof(float) * height, cudaMemcpyHostToDevice);
    cudaMemcpy2D(a, pitch, raw, sizeof(float) * width, sizeof(float) * width, height,
                 cudaMemcpyHostToDevice);
    calibrate_pitched(a, pitch / sizeof(float), lines_d, lines_d + width, b, pitch / sizeof(float),
                      height, width);
    cudaMemcpy2D(image, sizeof(float) * width, b, pitch, sizeof(float) * width, height,
                 cudaMemcpyDefault);
    cudaFree(a);
    cudaFree(lines_d);
}
void calibrate_columns(const float* raw, const float* gain, const float* offset, float* image,
                       int height, int width) {
    if (height == 0 || width == 0) return;
    const int h = width, w = height;
    rows<<<GRID>>>(raw, w, offset, gain, image, w, h, w, false);
}

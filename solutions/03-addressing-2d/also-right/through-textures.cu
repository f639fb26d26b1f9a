// Right: what each column and each row needs, calibrate_image reads through textures of the arrays
// that it gets. These must begin where a texture may (textureAlignment), as what cudaMalloc returns
// does.

#include "addressing_2d.h"

#include <cstddef>

struct RowMajor {
    int pitch;
    __device__ int operator()(int y, int x) const { return y * pitch + x; }
};

// The first axis of the grid runs along the rows; a column-major image is a row-major one with its
// axes named the other way around, so its gains belong to the rows.
template <bool kGainOfRow>
__global__ void calibrate_kernel(const float* raw, RowMajor raw_at, const float* gain,
                                 const float* offset, float* image, RowMajor image_at, int rows,
                                 int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float g = gain[kGainOfRow ? row : column], o = offset[kGainOfRow ? column : row];
    image[image_at(row, column)] = g * raw[raw_at(row, column)] + o;
}

template <bool kGainOfRow>
void launch(const float* raw, int raw_pitch, const float* gain, const float* offset, float* image,
            int image_pitch, int rows, int columns) {
    if (rows == 0 || columns == 0) return;
    const dim3 threads(64, 4), blocks((columns + 63) / 64, (rows + 3) / 4);
    calibrate_kernel<kGainOfRow><<<blocks, threads>>>(raw, RowMajor{raw_pitch}, gain, offset, image,
                                                      RowMajor{image_pitch}, rows, columns);
}

/// Of linear memory; destroyed when nothing reads it any more.
class Texture {
public:
    Texture(const float* elements, int count) {
        cudaResourceDesc memory{};
        memory.resType = cudaResourceTypeLinear;
        memory.res.linear.devPtr = const_cast<float*>(elements);
        memory.res.linear.desc = cudaCreateChannelDesc<float>();
        memory.res.linear.sizeInBytes = count * sizeof(float);
        const cudaTextureDesc as_they_are{};
        cudaCreateTextureObject(&object_, &memory, &as_they_are, nullptr);
    }
    ~Texture() {
        cudaStreamSynchronize(nullptr);
        cudaDestroyTextureObject(object_);
    }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
    cudaTextureObject_t object() const { return object_; }

private:
    cudaTextureObject_t object_ = 0;
};

__global__ void textured_kernel(const float* raw, cudaTextureObject_t gain,
                                cudaTextureObject_t offset, float* image, int height, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        image[y * width + x] =
            tex1Dfetch<float>(gain, x) * raw[y * width + x] + tex1Dfetch<float>(offset, y);
    }
}

void calibrate_image(const float* raw, const float* gain, const float* offset, float* image,
                     int height, int width) {
    if (height == 0 || width == 0) return;
    const Texture gains(gain, width), offsets(offset, height);
    const dim3 threads(64, 4), blocks((width + 63) / 64, (height + 3) / 4);
    textured_kernel<<<blocks, threads>>>(raw, gains.object(), offsets.object(), image, height,
                                         width);
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

void calibrate_pitched(const float* raw, int raw_pitch, const float* gain, const float* offset,
                       float* image, int image_pitch, int height, int width) {
    launch<false>(raw, raw_pitch, gain, offset, image, image_pitch, height, width);
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

void calibrate_columns(const float* raw, const float* gain, const float* offset, float* image,
                       int height, int width) {
    launch<true>(raw, height, gain, offset, image, height, width, height);
}

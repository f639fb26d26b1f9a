// Lab 03, expert: as fast as the memory delivers, whatever the layout.
//
//   one kernel   All layouts are lines of memory, `pitch` elements apart. What differs is whether
//                the gain or the offset changes along a line.
//   loads        16 bytes each, two lines a thread at once
//   alignment    Lines need not begin on 16 bytes. A thread's four elements do, wherever that is
//                inside the line: the first and the last of a line may have fewer than four.
//
// Marking loads and stores as streaming (__ldcs, __stcs) costs 4 % on an H200.
//
// Only where raw and image are shifted against each other by other than a multiple of 16 bytes are
// elements loaded one by one.

#include "addressing_2d.h"

#include <cstddef>
#include <cstdint>

namespace {

constexpr int kAcross = 64, kDown = 4;  // threads of a block, along lines and across them
constexpr int kLines = 2;               // a thread's

/// How lines lie in memory, and what belongs to an element of one.
struct Lines {
    const float* raw;
    float* image;
    int raw_pitch, image_pitch;
    int lines, length;
    const float* along;  ///< one for each element of a line
    const float* down;   ///< one for each line
};

/// kGainAlong: gains change along a line, offsets from line to line. Else the other way around.
template <bool kGainAlong>
__device__ float calibrated(float raw, float along, float down) {
    return kGainAlong ? fmaf(along, raw, down) : fmaf(down, raw, along);
}

/// How many elements before the start of the line the 16 bytes begin in which it starts.
__device__ int shift_of(const float* line) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(line) / sizeof(float) % 4);
}

template <bool kGainAlong>
__global__ void __launch_bounds__(kAcross* kDown) vectors_kernel(Lines l) {
    const int group = blockIdx.x * kAcross + threadIdx.x;
    const int first_line = blockIdx.y * kDown * kLines + threadIdx.y;
    float4 raw[kLines];
    int begin[kLines];
#pragma unroll
    for (int k = 0; k < kLines; ++k) {
        const int line = first_line + k * kDown;
        if (line >= l.lines) break;
        const float* const from = l.raw + line * l.raw_pitch;
        begin[k] = 4 * group - shift_of(from);
        if (begin[k] >= 0 && begin[k] + 4 <= l.length) {
            raw[k] = *reinterpret_cast<const float4*>(from + begin[k]);
        }
    }
#pragma unroll
    for (int k = 0; k < kLines; ++k) {
        const int line = first_line + k * kDown;
        if (line >= l.lines) break;
        const float down = l.down[line];
        float* const to = l.image + line * l.image_pitch;
        const float* const along = l.along + begin[k];
        if (begin[k] >= 0 && begin[k] + 4 <= l.length) {
            *reinterpret_cast<float4*>(to + begin[k]) =
                make_float4(calibrated<kGainAlong>(raw[k].x, along[0], down),
                            calibrated<kGainAlong>(raw[k].y, along[1], down),
                            calibrated<kGainAlong>(raw[k].z, along[2], down),
                            calibrated<kGainAlong>(raw[k].w, along[3], down));
            continue;
        }
        for (int x = max(begin[k], 0); x < min(begin[k] + 4, l.length); ++x) {
            to[x] = calibrated<kGainAlong>(l.raw[line * l.raw_pitch + x], l.along[x], down);
        }
    }
}

template <bool kGainAlong>
__global__ void __launch_bounds__(kAcross* kDown) elements_kernel(Lines l) {
    const int x = blockIdx.x * kAcross + threadIdx.x;
    const int line = blockIdx.y * kDown + threadIdx.y;
    if (x >= l.length || line >= l.lines) return;
    l.image[line * l.image_pitch + x] =
        calibrated<kGainAlong>(l.raw[line * l.raw_pitch + x], l.along[x], l.down[line]);
}

int blocks_for(int count, int block) {
    return (count - 1) / block + 1;
}

std::uintptr_t shift(const float* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4);
}

template <bool kGainAlong>
void calibrate(const Lines& l) {
    if (l.lines == 0 || l.length == 0) return;
    const dim3 threads(kAcross, kDown);
    if (shift(l.raw) == shift(l.image) && (l.raw_pitch - l.image_pitch) % 4 == 0) {
        // Up to three elements of the first four may lie before a line.
        const dim3 blocks(blocks_for(l.length + 3, 4 * kAcross),
                          blocks_for(l.lines, kDown * kLines));
        vectors_kernel<kGainAlong><<<blocks, threads>>>(l);
    } else {
        const dim3 blocks(blocks_for(l.length, kAcross), blocks_for(l.lines, kDown));
        elements_kernel<kGainAlong><<<blocks, threads>>>(l);
    }
}

__device__ float frame_raw[kFrameHeight][kFrameWidth], frame_image[kFrameHeight][kFrameWidth];
__device__ float frame_gain[kFrameWidth], frame_offset[kFrameHeight];

template <class Array>
float* address_of(const Array& symbol) {
    void* address = nullptr;
    cudaGetSymbolAddress(&address, symbol);
    return static_cast<float*>(address);
}

}  // namespace

void calibrate_image(const float* raw, const float* gain, const float* offset, float* image,
                     int height, int width) {
    calibrate<true>({raw, image, width, width, height, width, gain, offset});
}

void calibrate_pitched(const float* raw, int raw_pitch, const float* gain, const float* offset,
                       float* image, int image_pitch, int height, int width) {
    calibrate<true>({raw, image, raw_pitch, image_pitch, height, width, gain, offset});
}

void calibrate_columns(const float* raw, const float* gain, const float* offset, float* image,
                       int height, int width) {
    calibrate<false>({raw, image, height, height, width, height, offset, gain});
}

void calibrate_frame(const float* raw, const float* gain, const float* offset, float* image) {
    cudaMemcpyToSymbol(frame_raw, raw, sizeof(frame_raw));
    cudaMemcpyToSymbol(frame_gain, gain, sizeof(frame_gain));
    cudaMemcpyToSymbol(frame_offset, offset, sizeof(frame_offset));
    calibrate_image(address_of(frame_raw), address_of(frame_gain), address_of(frame_offset),
                    address_of(frame_image), kFrameHeight, kFrameWidth);
    cudaMemcpyFromSymbol(image, frame_image, sizeof(frame_image));
}

void calibrate_host_image(const float* raw, const float* gain, const float* offset, float* image,
                          int height, int width) {
    if (height == 0 || width == 0) return;
    const std::size_t row_bytes = width * sizeof(float);
    float *d_gain = nullptr, *d_offset = nullptr, *d_raw = nullptr, *d_image = nullptr;
    std::size_t raw_pitch_bytes = 0, image_pitch_bytes = 0;
    cudaMalloc(&d_gain, row_bytes);
    cudaMalloc(&d_offset, height * sizeof(float));
    cudaMallocPitch(&d_raw, &raw_pitch_bytes, row_bytes, height);
    cudaMallocPitch(&d_image, &image_pitch_bytes, row_bytes, height);
    cudaMemcpy(d_gain, gain, row_bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_offset, offset, height * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy2D(d_raw, raw_pitch_bytes, raw, row_bytes, row_bytes, height, cudaMemcpyHostToDevice);
    calibrate_pitched(d_raw, static_cast<int>(raw_pitch_bytes / sizeof(float)), d_gain, d_offset,
                      d_image, static_cast<int>(image_pitch_bytes / sizeof(float)), height, width);
    cudaMemcpy2D(image, row_bytes, d_image, image_pitch_bytes, row_bytes, height,
                 cudaMemcpyDeviceToHost);
    cudaFree(d_gain);
    cudaFree(d_offset);
    cudaFree(d_raw);
    cudaFree(d_image);
}

// Lab 03: Addressing in two dimensions. Find the pixel of every thread, and the pixel in memory.
//
//   Handout   labs/03-addressing-2d/README.md
//   Check     ./lab grade 03
//   Stuck     ./lab hint 03

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

// ---------------------------------------------------------------------------
// Task 1: one thread, one pixel. Shapes: raw, image (height, width), row-major.
//
//            x ->
//        +-----------+-----------+------- - -+
//      y | block 0,0 | block 1,0 | block 2,0 :  : threads with no pixel
//      | +-----------+-----------+------- - -+
//      v | block 0,1 | block 1,1 | block 2,1 :
//        + - - - - - + - - - - - + - - - - - +

__global__ void calibrate_image_kernel(const float* raw, const float* gain, const float* offset,
                                       float* image, int height, int width) {
    // TODO(1/5): Compute this thread's column x and row y. If that pixel exists,
    //            store gain[x] * raw pixel + offset[y] at its place in image.
    //            About 6 lines. Handout: "One thread, one pixel".
}

void calibrate_image(const float* raw, const float* gain, const float* offset, float* image,
                     int height, int width) {
    const dim3 threads(32, 8);  // x comes first: 32 along a row, 8 rows

    // TODO(1/5), second half: Launch enough blocks for all columns and for all
    //            rows, and none at all when there are no pixels. About 3 lines.
    const dim3 blocks(1, 1);

    calibrate_image_kernel<<<blocks, threads>>>(raw, gain, offset, image, height, width);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 2: arrays whose two lengths the compiler knows. The kernel has no
// parameters: it uses these four. The copying and the launch are given.

__device__ float frame_raw[kFrameHeight][kFrameWidth], frame_image[kFrameHeight][kFrameWidth];
__device__ float frame_gain[kFrameWidth], frame_offset[kFrameHeight];

__global__ void calibrate_frame_kernel() {
    // TODO(2/5): The same as in task 1 for frame_image, with an index for each
    //            axis. About 5 lines. Handout: "A frame of fixed size".
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

// ---------------------------------------------------------------------------
// Task 3: rows with padding. From one row to the next it is not width but pitch
// elements, and the two images have different pitches. The launch is given.
//
//        <-------- width --------><- padding ->
//        [0 1 2 ...     width - 1][ . . . . . ]
//        [pitch  pitch + 1  ...  ][ . . . . . ]

__global__ void calibrate_pitched_kernel(const float* raw, int raw_pitch, const float* gain,
                                         const float* offset, float* image, int image_pitch,
                                         int height, int width) {
    // TODO(3/5): The same again. The padding must keep what it holds.
    //            About 6 lines. Handout: "Rows with padding".
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

// ---------------------------------------------------------------------------
// Task 4: there and back, through pitched memory. All pointers are the host's.
// gain and offset are given; raw and image are yours.

void calibrate_host_image(const float* raw, const float* gain, const float* offset, float* image,
                          int height, int width) {
    if (height == 0 || width == 0) return;
    float *d_gain, *d_offset;
    CUDA_CHECK(cudaMalloc(&d_gain, width * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_offset, height * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d_gain, gain, width * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_offset, offset, height * sizeof(float), cudaMemcpyHostToDevice));

    // TODO(4/5): Allocate the two images with cudaMallocPitch, copy raw there
    //            with cudaMemcpy2D, call calibrate_pitched, copy the result back,
    //            and free the two. About 12 lines.
    //            Handout: "There and back in two dimensions".

    CUDA_CHECK(cudaFree(d_gain));
    CUDA_CHECK(cudaFree(d_offset));
}

// ---------------------------------------------------------------------------
// Task 5: the same image, column after column in memory: pixel (y, x) is element
// x * height + y. Which axis of the grid should run along which of the image?

__global__ void calibrate_columns_kernel(const float* raw, const float* gain, const float* offset,
                                         float* image, int height, int width) {
    // TODO(5/5): The same once more. Neighbouring threads must use neighbouring
    //            memory. About 6 lines. Handout: "Columns in memory".
}

void calibrate_columns(const float* raw, const float* gain, const float* offset, float* image,
                       int height, int width) {
    const dim3 threads(32, 8);

    // TODO(5/5), second half: Launch the blocks it needs, and none when there are
    //            no pixels. About 3 lines.
    const dim3 blocks(1, 1);

    calibrate_columns_kernel<<<blocks, threads>>>(raw, gain, offset, image, height, width);
    CUDA_CHECK(cudaGetLastError());
}

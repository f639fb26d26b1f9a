// Contract of lab 03: the five functions that addressing_2d.cu defines and the grader calls.
//
// Every function does the same work on an image of `height` rows and `width` columns: pixel (y, x)
// becomes
//
//     gain[x] * raw + offset[y]
//
// with one gain for each column and one offset for each row. They differ in the image's layout in
// memory. The product and the sum may be rounded once each or both at once, as the compiler likes.
//
// Sizes: 0 <= height, width <= 65535, and the image with all its padding has at most 2^31 - 1
// elements. If height or width is 0 there are no pixels: nothing happens, and no CUDA error is left
// behind. No two arrays overlap. A kernel may still be running when a function returns whose image
// is a device pointer: the caller synchronizes.
#pragma once

#include "protocol/contract.h"

/// Row-major and dense: pixel (y, x) of raw and of image is element y * width + x.
///
/// All are device pointers. Shapes: raw and image (height, width), gain (width), offset (height).
LAB_FUNCTION(void, calibrate_image,
             (const float* raw, const float* gain, const float* offset, float* image, int height,
              int width),
             lab::device_in("raw", "height * width"), lab::device_in("gain", "width"),
             lab::device_in("offset", "height"), lab::device_out("image", "height * width"),
             lab::value("height"), lab::value("width"))

/// The size of every frame of the camera of calibrate_frame.
constexpr int kFrameHeight = 211, kFrameWidth = 347;

/// The same for one frame of fixed size, through arrays that are declared in device memory with
/// both their lengths: float frame_raw[kFrameHeight][kFrameWidth], and so on.
///
/// All are host pointers. Shapes: raw and image (kFrameHeight, kFrameWidth), gain (kFrameWidth),
/// offset (kFrameHeight). When the function returns, image is complete.
LAB_FUNCTION(void, calibrate_frame,
             (const float* raw, const float* gain, const float* offset, float* image),
             lab::host_in("raw", "211 * 347"), lab::host_in("gain", "347"),
             lab::host_in("offset", "211"), lab::host_out("image", "211 * 347"))
static_assert(kFrameHeight == 211 && kFrameWidth == 347, "the extents above repeat them");

/// Row-major with padding: pixel (y, x) of raw is element y * raw_pitch + x, and pixel (y, x) of
/// image is element y * image_pitch + x.
///
/// All are device pointers. A pitch counts elements from the start of one row to the start of the
/// next; raw_pitch >= width, image_pitch >= width, and they may differ. Do not change the elements
/// between the end of one row and the start of the next (the padding). Shapes: raw (height,
/// raw_pitch), image (height, image_pitch), gain (width), offset (height).
LAB_FUNCTION(void, calibrate_pitched,
             (const float* raw, int raw_pitch, const float* gain, const float* offset, float* image,
              int image_pitch, int height, int width),
             lab::device_in("raw", "height * raw_pitch").rows("width", "raw_pitch"),
             lab::value("raw_pitch"), lab::device_in("gain", "width"),
             lab::device_in("offset", "height"),
             lab::device_out("image", "height * image_pitch").rows("width", "image_pitch"),
             lab::value("image_pitch"), lab::value("height"), lab::value("width"))

/// The same for a dense row-major image in ordinary host memory: allocates pitched device memory
/// with cudaMallocPitch, copies there and back with cudaMemcpy2D, calls calibrate_pitched, and
/// frees all memory that it allocated.
///
/// All are host pointers. Shapes as for calibrate_image. When the function returns, image is
/// complete.
LAB_FUNCTION(void, calibrate_host_image,
             (const float* raw, const float* gain, const float* offset, float* image, int height,
              int width),
             lab::host_in("raw", "height * width"), lab::host_in("gain", "width"),
             lab::host_in("offset", "height"), lab::host_out("image", "height * width"),
             lab::value("height"), lab::value("width"))

/// Column-major, as Fortran and MATLAB store it: pixel (y, x) of raw and of image is element
/// x * height + y.
///
/// All are device pointers. Shapes: raw and image (width, height), gain (width), offset (height).
LAB_FUNCTION(void, calibrate_columns,
             (const float* raw, const float* gain, const float* offset, float* image, int height,
              int width),
             lab::device_in("raw", "width * height"), lab::device_in("gain", "width"),
             lab::device_in("offset", "height"), lab::device_out("image", "width * height"),
             lab::value("height"), lab::value("width"))

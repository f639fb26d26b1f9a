// The calibration of an image of 16384 x 16384 pixels against a copy of it from device to device,
// by bytes read and written, for each layout; and of one whose rows do not begin on 16 bytes.

#include "addressing_2d.h"

#include "yardsticks.h"

namespace addressing_2d_expert {
#include "../03-addressing-2d/expert.cu"
}

namespace yardsticks {

/// Within 2^-21, where the tolerance of lab 03 comes from.
static __global__ void check_image_kernel(const float* raw, const float* gain, const float* offset,
                                          const float* image, int height, int width, int row_step,
                                          int column_step, unsigned* wrong) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * row_step + x * column_step;
    const double expected = static_cast<double>(gain[x]) * raw[i] + offset[y];
    if (!(fabs(image[i] - expected) <= 1.0 / (1 << 21))) atomicAdd(wrong, 1u);
}

static void measure_image(const char* name, double wanted, int height, int width, bool by_columns) {
    const DeviceArray<float> raw(static_cast<std::size_t>(height) * width), image(raw.count()),
        gain(width), offset(height);
    fill(raw, Numbers::fractions, 1);
    fill(gain, Numbers::fractions, 2);
    fill(offset, Numbers::fractions, 3);
    image.poison();
    const double gigabytes = 1e-9 * raw.bytes();
    const auto calibrate = by_columns ? addressing_2d_expert::calibrate_columns
                                      : addressing_2d_expert::calibrate_image;
    measure({name, std::to_string(height) + " x " + std::to_string(width),
             "cudaMemcpyAsync from device to device, the same image", wanted,
             [&] { calibrate(raw.get(), gain.get(), offset.get(), image.get(), height, width); },
             [&] {
                 CUDA_CALL(cudaMemcpyAsync(image.get(), raw.get(), raw.bytes(),
                                           cudaMemcpyDeviceToDevice));
             },
             [&] {
                 const WrongCount wrong;
                 check_image_kernel<<<dim3((width - 1) / 256 + 1, height), 256>>>(
                     raw.get(), gain.get(), offset.get(), image.get(), height, width,
                     by_columns ? 1 : width, by_columns ? height : 1, wrong.get());
                 return wrong.is_zero();
             },
             // Gains and offsets, 0.01 % of it, are not counted.
             2e3 * gigabytes, 2e3 * gigabytes, "GB/s"});
}

void measure_addressing_2d() {
    measure_image("addressing-2d, rows", 0.95, 16384, 16384, false);
    measure_image("addressing-2d, columns", 0.95, 16384, 16384, true);
    measure_image("addressing-2d, rows of odd length", 0, 16381, 16381, false);
}

}  // namespace yardsticks

// CUDA arrays: device memory in rows, with the format of their elements. A GPU keeps them in an
// order of its own; here rows follow one another, and a program cannot tell the difference.
#pragma once

#include <driver_types.h>

#include <cstddef>

/// What a cudaArray_t points at.
struct cudaArray {
    std::byte* begin = nullptr;  ///< on the device
    cudaChannelFormatDesc format{};
    cudaExtent extent{};  ///< in elements, as the program gave it: 0 where there is no such axis
    unsigned flags = 0;
    std::size_t element_bytes = 0, row_bytes = 0;  ///< rows have no gaps
    std::size_t rows = 1, layers = 1;

    std::size_t layer_bytes() const { return row_bytes * rows; }
    /// x in bytes.
    std::byte* at(std::size_t x, std::size_t y, std::size_t z = 0) const {
        return begin + z * layer_bytes() + y * row_bytes + x;
    }
    /// Whether a rectangle of `width` bytes and `height` rows lies in a layer of it.
    bool holds(std::size_t x, std::size_t y, std::size_t width, std::size_t height) const {
        return x <= row_bytes && width <= row_bytes - x && y <= rows && height <= rows - y;
    }
};

namespace vgpu::client {

/// The array behind a handle that the program gave; null when it is none, or was freed. Needs the
/// runtime's lock.
const cudaArray* array_of(cudaArray_const_t);
/// cudaDeviceReset: all handles are invalid from now on.
void forget_arrays();

}  // namespace vgpu::client

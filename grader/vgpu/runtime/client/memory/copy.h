// Copies between host and device, shared by cudaMemcpy and its relatives.
#pragma once

#include "runtime/client/runtime.h"

namespace vgpu::client {

/// `height` rows of `width` bytes on both sides; one row: an ordinary copy.
struct Block {
    void* to = nullptr;
    std::size_t to_pitch = 0;
    const void* from = nullptr;
    std::size_t from_pitch = 0;
    std::size_t width = 0, height = 1;
    std::uint32_t stream = 0;  ///< as requests name it
    bool waits = false;        ///< a function without Async in its name
};

/// Copies; which side is the device's follows from the pointers, and `kind` must not contradict it.
Status copy_block(Runtime&, Block, cudaMemcpyKind kind);

}  // namespace vgpu::client

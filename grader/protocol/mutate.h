// How timed calls get new data without a copy: both ends change the same bits of it by a nonce. The
// checker does it on the CPU, the runner on the device, from this one function.
//
// Interface: mutation_of.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define LAB_HOST_DEVICE __host__ __device__
#else
#define LAB_HOST_DEVICE
#endif

namespace lab {

/// The bits to flip in the `index`th 8 bytes of a buffer, all of them within `mask`.
LAB_HOST_DEVICE constexpr std::uint64_t mutation_of(std::uint64_t nonce, std::uint64_t index,
                                                    std::uint64_t mask) {
    std::uint64_t x = (index + nonce) * 0x9E3779B97F4A7C15ull;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9ull;
    x ^= x >> 32;
    return x & mask;
}

}  // namespace lab

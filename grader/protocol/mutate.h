// Gives timed calls new data without a copy: checker (on the CPU) and runner (on the device) change
// the same bits by a nonce, through these functions. Each change undoes the previous one, so a
// program that missed some changes needs only the last two nonces.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define LAB_HOST_DEVICE __host__ __device__
#else
#define LAB_HOST_DEVICE
#endif

namespace lab {

/// The mask for data with arbitrary bits.
inline constexpr std::uint64_t kAllBits = ~0ull;

/// The bits to flip in the `index`th 8 bytes of a buffer, all of them within `mask`. Nonce 0 flips
/// none.
LAB_HOST_DEVICE constexpr std::uint64_t mutation_of(std::uint64_t nonce, std::uint64_t index,
                                                    std::uint64_t mask) {
    if (nonce == 0) return 0;
    std::uint64_t x = (index + nonce) * 0x9E3779B97F4A7C15ull;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9ull;
    x ^= x >> 32;
    return x & mask;
}

/// Turns data changed by one nonce into the same data changed by another; 0: unchanged.
struct Change {
    std::uint64_t from = 0, to = 0;

    /// Each buffer gets its own changes.
    LAB_HOST_DEVICE constexpr Change of_buffer(std::uint64_t number) const {
        return {from == 0 ? 0 : from + number, to == 0 ? 0 : to + number};
    }
};

/// The bits to flip for it.
LAB_HOST_DEVICE constexpr std::uint64_t change_of(Change change, std::uint64_t index,
                                                  std::uint64_t mask) {
    return mutation_of(change.from, index, mask) ^ mutation_of(change.to, index, mask);
}

}  // namespace lab

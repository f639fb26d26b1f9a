// The memory by which a checker tells the device process what decoys are, and learns what the host
// sent to the device of its own: a file that the device process gets as --decoys DESCRIPTOR.
#pragma once

#include <cstddef>
#include <cstdint>

//     DecoyHeader | DecoyPair[kMostDecoyPairs] | word[kMostHostWords]
//
// Between "decoys 1" and "decoys 0" of the checker, host and kernels see different data: each word
// of a pair becomes the other one when it crosses from one to the other, in copies, in the
// arguments of kernels, and in memory that both share. What crosses back becomes what it was.

namespace vgpu {

struct DecoyPair {
    std::uint32_t word, other;
};

inline constexpr std::uint32_t kMostDecoyPairs = 1 << 20;
inline constexpr std::uint32_t kMostHostWords = 1 << 22;

struct DecoyHeader {
    std::uint32_t pairs = 0;
    /// Words that kernels wrote are exchanged for the host, too: for functions that leave no
    /// result there. Else only words that were copied to the device, and are unchanged.
    std::uint32_t exchanges_results = 0;
    /// Kernels' arguments of one word are exchanged, too: no integer looks like a word of a pair.
    std::uint32_t exchanges_scalars = 0;
    /// What the host sends of its own arrives in another order.
    std::uint32_t rotates = 0;
    /// Written by the device process: how many words the host sent that are of no pair, and not 0.
    /// The first kMostHostWords of them are kept.
    std::uint64_t host_words = 0;
};

inline constexpr std::size_t kDecoyPairsBegin = sizeof(DecoyHeader);
inline constexpr std::size_t kHostWordsBegin =
    kDecoyPairsBegin + kMostDecoyPairs * sizeof(DecoyPair);
inline constexpr std::size_t kDecoyBytes = kHostWordsBegin + kMostHostWords * sizeof(std::uint32_t);

}  // namespace vgpu

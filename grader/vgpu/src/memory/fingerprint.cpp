#include "memory/fingerprint.h"

#include <cstring>

namespace vgpu {
namespace {

// Odd numbers with about as many ones as zeros: those of splitmix64 and of the golden ratio.
constexpr std::uint64_t kGolden = 0x9e37'79b9'7f4a'7c15;
constexpr std::uint64_t kMix1 = 0xbf58'476d'1ce4'e5b9, kMix2 = 0x94d0'49bb'1331'11eb;

/// Every bit of the result depends on every bit of the word.
std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ word >> 30) * kMix1;
    word = (word ^ word >> 27) * kMix2;
    return word ^ word >> 31;
}

}  // namespace

Fingerprint fingerprint(std::uint64_t address, const std::byte* data, const std::uint64_t* bits,
                        std::size_t lines) {
    constexpr std::size_t kWords = kLineBytes / sizeof(std::uint64_t);
    Fingerprint sum = 0;
    for (std::size_t line = 0; line < lines; ++line) {
        std::uint64_t words[kWords];
        std::memcpy(words, data + line * kLineBytes, sizeof words);
        // Places distinguish the words of a line, addresses the lines.
        const std::uint64_t place = (address + line * kLineBytes) * kGolden;
        for (std::size_t k = 0; k < kWords; ++k) sum += mixed(words[k] ^ (place + k));
        sum += mixed(bits[line] ^ (place + kWords));
    }
    return sum;
}

}  // namespace vgpu

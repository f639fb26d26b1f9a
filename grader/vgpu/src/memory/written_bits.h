// Tells which bytes of a region were ever written: one bit a byte, in 64-bit words.
#pragma once

#include <cstddef>
#include <cstdint>

// A warp's coalesced load asks for 32 to 512 consecutive bits, so ranges are tested and set a word
// at a time. The functions are inlined everywhere, as code compiled for several instruction sets
// uses them (execute/ops/lanes.h).

namespace vgpu {

/// Words that the bits of `bytes` bytes take.
[[gnu::always_inline]] inline std::size_t written_words(std::uint64_t bytes) {
    return static_cast<std::size_t>((bytes + 63) / 64);
}

/// Calls `visit(word, bits)` for each word that [begin, begin + count) touches, `bits` being those
/// of the range; stops when it returns false, and returns whether it never did.
template <class Visit>
[[gnu::always_inline]] inline bool each_word(std::uint64_t begin, std::uint64_t count,
                                             Visit visit) {
    const std::uint64_t end = begin + count;
    while (begin < end) {
        const std::uint64_t next = (begin / 64 + 1) * 64;
        std::uint64_t bits = ~std::uint64_t{0} << (begin % 64);
        if (next > end) bits &= ~std::uint64_t{0} >> (next - end);
        if (!visit(begin / 64, bits)) return false;
        begin = next;
    }
    return true;
}

[[gnu::always_inline]] inline bool all_written(const std::uint64_t* words, std::uint64_t begin,
                                               std::uint64_t count) {
    return each_word(
        begin, count, [&](std::uint64_t word, std::uint64_t bits) __attribute__((always_inline)) {
            return (words[word] & bits) == bits;
        });
}

[[gnu::always_inline]] inline void mark_written(std::uint64_t* words, std::uint64_t begin,
                                                std::uint64_t count) {
    each_word(
        begin, count, [&](std::uint64_t word, std::uint64_t bits) __attribute__((always_inline)) {
            return words[word] |= bits, true;
        });
}

[[gnu::always_inline]] inline void mark_unwritten(std::uint64_t* words, std::uint64_t begin,
                                                  std::uint64_t count) {
    each_word(
        begin, count, [&](std::uint64_t word, std::uint64_t bits) __attribute__((always_inline)) {
            return words[word] &= ~bits, true;
        });
}

/// How many of them there are.
std::uint64_t count_written(const std::uint64_t* words, std::uint64_t begin, std::uint64_t count);

/// Copies the bits of a range; ranges may overlap, as memmove's may. `from` null: all written.
void copy_written(std::uint64_t* to, std::uint64_t to_begin, const std::uint64_t* from,
                  std::uint64_t from_begin, std::uint64_t count);

}  // namespace vgpu

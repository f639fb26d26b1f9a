// Lab 13, expert: fewer bytes, and more of them on their way at once.
//
//   next_column      4 flags of a byte each in one word. A shift by `item` flags is a shift by
//                    item / 4 words and item % 4 bytes: two loads and a funnel shift.
//   subset_sum_bits  two items a pass: column, column << a, column << b and column << (a + b), so
//                    that a pass over memory makes two columns
//   subset_sum       counts in bits, in two eighths of `other`, and unpacks the last column
//
// Every thread handles several words, a grid's width apart, and loads them all before it stores
// the first: kLoads requests of each thread are on their way at once.

#include "subset_sum.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace {

constexpr int kThreads = 256;
constexpr int kLoads = 4;

/// Word w of a column shifted up by `words` words and `bits` bits; words before the first are 0.
/// Reads up to word w of the column.
__device__ unsigned shifted(const unsigned* __restrict__ column, int w, int words, int bits) {
    const unsigned high = w >= words ? column[w - words] : 0;
    const unsigned low = bits != 0 && w > words ? column[w - words - 1] : 0;
    return __funnelshift_l(low, high, bits);
}

/// Up to three shifts of one column.
template <int kShifts>
struct Shifts {
    int words[kShifts], bits[kShifts];
};

/// next = column | column << shift 0 | column << shift 1 ..., on `words` whole words; the last of
/// them is masked.
template <int kShifts>
__global__ void __launch_bounds__(kThreads)
    or_shifted_kernel(const unsigned* __restrict__ column, unsigned* __restrict__ next,
                      Shifts<kShifts> shifts, int words, unsigned last_mask) {
    const int first = blockIdx.x * kThreads * kLoads + threadIdx.x;
    unsigned flags[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
        const int w = first + k * kThreads;
        if (w >= words) continue;
        flags[k] = column[w];
#pragma unroll
        for (int shift = 0; shift < kShifts; ++shift) {
            flags[k] |= shifted(column, w, shifts.words[shift], shifts.bits[shift]);
        }
    }
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
        const int w = first + k * kThreads;
        if (w < words) next[w] = w == words - 1 ? flags[k] & last_mask : flags[k];
    }
}

/// The last flags of a column of bytes, which fill no word.
__global__ void tail_kernel(const unsigned char* column, unsigned char* next, int item, int begin,
                            int target) {
    const int i = begin + threadIdx.x;
    if (i <= target) next[i] = column[i] | (i >= item ? column[i - item] : 0);
}

/// reachable[16 i], ..., reachable[16 i + 15] from the bits of the same numbers.
__global__ void __launch_bounds__(kThreads)
    unpack_kernel(const unsigned* bits, unsigned char* reachable, int target) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i > target / 16) return;
    const unsigned flags = bits[i / 2] >> (i % 2 * 16);
    // Four bits, 7 apart after the product: each is the lowest of a byte.
    const auto spread = [=](int k) { return (flags >> 4 * k & 15u) * 0x00204081u & 0x01010101u; };
    if (16 * i + 15 <= target) {
        reinterpret_cast<uint4*>(reachable)[i] =
            make_uint4(spread(0), spread(1), spread(2), spread(3));
    } else {
        for (int k = 0; 16 * i + k <= target; ++k) reachable[16 * i + k] = flags >> k & 1;
    }
}

int blocks_for(int words) {
    return (words - 1) / (kThreads * kLoads) + 1;
}

/// Adds the items to column 0, two a pass, and returns the array with the last column: `next` or
/// `column`.
unsigned* add_items(const int* s, int n, unsigned* column, unsigned* next, int target) {
    const int words = target / 32 + 1;
    const unsigned last_mask = 0xffffffffu >> (31 - target % 32);
    cudaMemsetAsync(column, 0, words * sizeof(unsigned));
    cudaMemsetAsync(column, 1, 1);
    for (int j = n % 2; j < n; j += 2) {
        const std::int64_t a = s[j], b = s[j + 1];
        Shifts<3> shifts;
        int k = 0;
        for (const std::int64_t shift : {a, b, a + b}) {
            const int least = static_cast<int>(std::min<std::int64_t>(shift, target + 1));
            shifts.words[k] = shift > target ? words : least / 32;
            shifts.bits[k++] = least % 32;
        }
        or_shifted_kernel<3>
            <<<blocks_for(words), kThreads>>>(column, next, shifts, words, last_mask);
        std::swap(column, next);
    }
    if (n % 2 == 1) {
        const Shifts<1> shift{{s[0] / 32}, {s[0] % 32}};
        or_shifted_kernel<1>
            <<<blocks_for(words), kThreads>>>(column, next, shift, words, last_mask);
        std::swap(column, next);
    }
    return column;
}

}  // namespace

void next_column(const unsigned char* column, unsigned char* next, int item, int target, int) {
    // Word w of the shifted column needs no byte behind word w of the column.
    const int words = (target + 1) / 4;
    if (words > 0) {
        const Shifts<1> shift{{item / 4}, {item % 4 * 8}};
        or_shifted_kernel<1><<<blocks_for(words), kThreads>>>(
            reinterpret_cast<const unsigned*>(column), reinterpret_cast<unsigned*>(next), shift,
            words, 0xffffffffu);
    }
    if ((target + 1) % 4 != 0) tail_kernel<<<1, 4>>>(column, next, item, 4 * words, target);
}

void subset_sum(const int* s, unsigned char* reachable, unsigned char* other, int n, int target) {
    constexpr int kAlignment = 256;
    const std::size_t column_bytes =
        (target / 32 + 1) * sizeof(unsigned) / kAlignment * kAlignment + kAlignment;
    if (2 * column_bytes > static_cast<std::size_t>(target) + 1) {  // few sums, and little room
        if (n % 2 == 1) std::swap(reachable, other);
        cudaMemsetAsync(reachable, 0, target + 1);
        cudaMemsetAsync(reachable, 1, 1);
        for (int j = 0; j < n; ++j) {
            next_column(reachable, other, s[j], target, 1);
            std::swap(reachable, other);
        }
        return;
    }
    const unsigned* bits = add_items(s, n, reinterpret_cast<unsigned*>(other),
                                     reinterpret_cast<unsigned*>(other + column_bytes), target);
    unpack_kernel<<<target / 16 / kThreads + 1, kThreads>>>(bits, reachable, target);
}

void subset_sum_bits(const int* s, unsigned* reachable, unsigned* other, int n, int target) {
    const int passes = n / 2 + n % 2;
    if (passes % 2 == 0) {
        add_items(s, n, reachable, other, target);
    } else {
        add_items(s, n, other, reachable, target);
    }
}

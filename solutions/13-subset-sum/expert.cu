// Lab 13, expert: fewer bytes, and more of them on their way at once.
//
//   a column         16 bytes a load and store. A shift by any number of bits takes two
//   neighbouring
//                    loads of 16 bytes, five of their eight words, and four funnel shifts.
//   next_column      the same kernel: `item` flags of a byte are 8 * item bits
//   subset_sum_bits  two items a pass: column, column << a, column << b and column << (a + b), so
//                    that a pass over memory makes two columns
//   subset_sum       counts in bits, in two eighths of `other`, and unpacks the last column
//
// Every thread handles several such vectors, and loads them all before it stores the first.

#include "subset_sum.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace {

constexpr int kThreads = 256;
constexpr int kLoads = 2;  // vectors a thread: more gain nothing

/// A shift towards higher sums, by whole vectors, words and bits.
struct Shift {
    int vectors, words, bits;
};

Shift shift_by(std::int64_t bits) {
    return {static_cast<int>(bits / 128), static_cast<int>(bits / 32 % 4),
            static_cast<int>(bits % 32)};
}

/// Flags of the words 0 to 3 of a vector: five words shifted by `bits`.
__device__ uint4 funnel(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, int bits) {
    return make_uint4(__funnelshift_l(a, b, bits), __funnelshift_l(b, c, bits),
                      __funnelshift_l(c, d, bits), __funnelshift_l(d, e, bits));
}

/// Vector v of the shifted column; what comes from before its beginning is 0. Every thread of the
/// grid takes the same way through the switch.
__device__ uint4 shifted(const uint4* __restrict__ column, int v, Shift by) {
    const int from = v - by.vectors;
    const uint4 zero = make_uint4(0, 0, 0, 0);
    const uint4 high = from >= 0 ? column[from] : zero;
    const uint4 low = from >= 1 ? column[from - 1] : zero;
    switch (by.words) {
        case 0:
            return funnel(low.w, high.x, high.y, high.z, high.w, by.bits);
        case 1:
            return funnel(low.z, low.w, high.x, high.y, high.z, by.bits);
        case 2:
            return funnel(low.y, low.z, low.w, high.x, high.y, by.bits);
        default:
            return funnel(low.x, low.y, low.z, low.w, high.x, by.bits);
    }
}

__device__ uint4 operator|(uint4 a, uint4 b) {
    return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}

/// Up to three shifts of one column.
template <int kShifts>
struct Shifts {
    Shift by[kShifts];
};

/// next = column | column << shift 0 | column << shift 1 ... on whole vectors.
template <int kShifts>
__global__ void __launch_bounds__(kThreads)
    or_shifted_kernel(const uint4* __restrict__ column, uint4* __restrict__ next,
                      Shifts<kShifts> shifts, int vectors) {
    const int first = blockIdx.x * kThreads * kLoads + threadIdx.x;
    uint4 flags[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
        const int v = first + k * kThreads;
        if (v >= vectors) continue;
        flags[k] = column[v];
#pragma unroll
        for (int i = 0; i < kShifts; ++i) flags[k] = flags[k] | shifted(column, v, shifts.by[i]);
    }
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
        const int v = first + k * kThreads;
        if (v < vectors) next[v] = flags[k];
    }
}

/// The last flags of a column of bytes, which fill no vector.
__global__ void last_bytes_kernel(const unsigned char* column, unsigned char* next, int item,
                                  int begin, int target) {
    const int i = begin + threadIdx.x;
    if (i <= target) next[i] = column[i] | (i >= item ? column[i - item] : 0);
}

/// The last words of a column of bits, which fill no vector, and the mask of the last.
template <int kShifts>
__global__ void last_words_kernel(const unsigned* column, unsigned* next, Shifts<kShifts> shifts,
                                  int begin, int target) {
    const int w = begin + threadIdx.x, last = target / 32;
    if (w > last) return;
    unsigned flags = column[w];
    for (int i = 0; i < kShifts; ++i) {
        const Shift by = shifts.by[i];
        const int from = w - 4 * by.vectors - by.words;
        const unsigned high = from >= 0 ? column[from] : 0;
        const unsigned low = from >= 1 ? column[from - 1] : 0;
        flags |= __funnelshift_l(low, high, by.bits);
    }
    if (w == last) flags &= 0xffffffffu >> (31 - target % 32);
    next[w] = flags;
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

int blocks_for(int vectors) {
    return (vectors - 1) / (kThreads * kLoads) + 1;
}

/// One pass over a column of bits.
template <int kShifts>
void add_shifted(const unsigned* column, unsigned* next, Shifts<kShifts> shifts, int target) {
    // The last word has a mask, so it is never part of a vector.
    const int vectors = target / 32 / 4;
    if (vectors > 0) {
        or_shifted_kernel<kShifts>
            <<<blocks_for(vectors), kThreads>>>(reinterpret_cast<const uint4*>(column),
                                                reinterpret_cast<uint4*>(next), shifts, vectors);
    }
    last_words_kernel<kShifts><<<1, 4>>>(column, next, shifts, 4 * vectors, target);
}

/// Adds the items to column 0, two a pass, and returns the array with the last column: `next` or
/// `column`.
unsigned* add_items(const int* s, int n, unsigned* column, unsigned* next, int target) {
    cudaMemsetAsync(column, 0, (target / 32 + 1) * sizeof(unsigned));
    cudaMemsetAsync(column, 1, 1);
    for (int j = n % 2; j < n; j += 2) {
        const std::int64_t a = s[j], b = s[j + 1];
        add_shifted<3>(column, next, {{shift_by(a), shift_by(b), shift_by(a + b)}}, target);
        std::swap(column, next);
    }
    if (n % 2 == 1) {
        add_shifted<1>(column, next, {{shift_by(s[0])}}, target);
        std::swap(column, next);
    }
    return column;
}

}  // namespace

void next_column(const unsigned char* column, unsigned char* next, int item, int target, int) {
    const int vectors = (target + 1) / 16;
    if (vectors > 0) {
        or_shifted_kernel<1><<<blocks_for(vectors), kThreads>>>(
            reinterpret_cast<const uint4*>(column), reinterpret_cast<uint4*>(next),
            Shifts<1>{{shift_by(8LL * item)}}, vectors);
    }
    if ((target + 1) % 16 != 0) {
        last_bytes_kernel<<<1, 16>>>(column, next, item, 16 * vectors, target);
    }
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

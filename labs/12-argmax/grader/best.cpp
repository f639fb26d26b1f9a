#include "best.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>

#include "protocol/parallel.h"

using namespace lab;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Of the elements from begin to end.
Best best_within(std::span<const float> a, std::size_t begin, std::size_t end) {
    Best best{-kInfinity, -1};
    for (std::size_t i = begin; i < end; ++i) {
        // A comparison with a NaN is false.
        const bool better = std::isnan(a[i]) ? !std::isnan(best.value) : a[i] > best.value;
        if (better || best.index < 0) best = {a[i], static_cast<int>(i)};
    }
    return best;
}

/// A NaN of any sign and payload.
float random_nan() {
    const auto bits = static_cast<std::uint32_t>(random_int(0, 1)) << 31 | 0x7fc00000U |
                      static_cast<std::uint32_t>(random_int(0, 0x3fffff));
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

/// An index below n, but not one of the first: a program that always names element 0, or takes what
/// is in thread 0, must be wrong in the first call.
std::size_t any_place(int n) {
    return static_cast<std::size_t>(n < 2 ? 0 : random_int(std::max(1, n / 8), n - 1));
}

/// The largest, and below it the largest of the parts of blocks of 256 threads that a wrong search
/// looks at: each part has its own, and none of the larger ones.
void put_decoys(Floats& a) {
    constexpr int kBlock = 256, kTree = kBlock * kBlock;
    const int n = static_cast<int>(a.size()), blocks = n / kBlock;
    // After the first block. With enough elements, after the first kBlock blocks: a wrong second
    // level reads one block's result a thread, and no more.
    const int block = random_int(n > kTree + 3 * kBlock ? kBlock : 1, blocks - 2);
    const auto put = [&](int index, float value) { a[static_cast<std::size_t>(index)] = value; };
    const int begin = block * kBlock;
    put(begin + kBlock + 245, 0.95F);  // upper half of the block, lane 21
    put(begin + 85, 0.9F);             // lower half, lane 21, odd
    put(begin + 182, 0.85F);           // even, upper half, lane 22
    put(begin + 167, 0.8F);            // lower half of a warp, upper half of the block, odd
    put(begin + 160, 0.75F);           // lane 0, upper half of the block
    put(begin + 5, 0.7F);              // first warp
    put(begin, 0.65F);                 // thread 0
    if (n > kTree + 3 * kBlock) put(kTree / 2 + 245, 0.6F);
    put(245, 0.55F);  // block 0
}

/// Calls put(i, first) for several i, in order. The first of them is past a third of the elements,
/// so that later ones belong to threads, lanes and warps of smaller numbers.
template <class Put>
void for_several(int n, Put put) {
    const int first = n < 3 ? 0 : random_int(n / 3, n / 2);
    const int most_apart = std::max(1, (n - first) / 12);
    bool is_first = true;
    for (int i = first; i < n; i += random_int(1, most_apart)) {
        put(static_cast<std::size_t>(i), is_first);
        is_first = false;
    }
}

}  // namespace

bool operator==(const Best& a, const Best& b) {
    const bool same_value = a.value == b.value || (std::isnan(a.value) && std::isnan(b.value));
    return a.index == b.index && same_value;
}

std::ostream& operator<<(std::ostream& os, const Best& best) {
    return os << show_float(best.value) << " at index " << best.index;
}

Best cpu_argmax(std::span<const float> a) {
    Best best{-kInfinity, -1};
    std::mutex one_at_a_time;
    for_each_range(a.size(), [&](std::size_t begin, std::size_t end) {
        const Best part = best_within(a, begin, end);
        const std::lock_guard lock(one_at_a_time);
        // The parts come in any order. Two elements, the earlier first, make a vector of two.
        const bool part_is_first = best.index < 0 || part.index < best.index;
        const Best first = part_is_first ? part : best, second = part_is_first ? best : part;
        const float both[] = {first.value, second.value};
        best = second.index < 0 || best_within(both, 0, 2).index == 0 ? first : second;
    });
    return best;
}

Floats elements(int n, Data data) {
    Floats a = random_floats(n);
    if (n == 0) return a;
    const float largest = random_floats(1, 1.5F, 2.0F)[0];
    const auto fill = [&](float value) { std::ranges::fill(a, value); };
    switch (data) {
        case Data::different:
            a[any_place(n)] = largest;
            break;
        case Data::decoys:
            a = random_floats(n, -0.5F, 0.5F);
            put_decoys(a);
            break;
        case Data::at_front:
            if (n > 1) a[1] = 1.25F;
            a.front() = largest;
            break;
        case Data::at_end:
            if (n > 1) a[a.size() - 2] = 1.25F;
            a.back() = largest;
            break;
        case Data::below_zero:
            a = random_floats(n, -3.0F, -1.0F);
            a[any_place(n)] = -0.5F;
            break;
        case Data::ties:
            for_several(n, [&](std::size_t i, bool) { a[i] = largest; });
            break;
        case Data::zeros:
            a = random_floats(n, -3.0F, -1.0F);
            a.front() = -1e-5F;
            for_several(n, [&](std::size_t i, bool first) { a[i] = first ? -0.0F : 0.0F; });
            break;
        case Data::over_zeros:
            for (float& x : a) x = x < 0 ? -0.0F : 0.0F;
            a[any_place(n)] = 1e-5F;
            break;
        case Data::last_bit: {
            const float x = random_floats(1)[0];
            fill(x);
            a[any_place(n)] = std::nextafter(x, kInfinity);
            break;
        }
        case Data::all_equal:
            fill(random_floats(1)[0]);
            break;
        case Data::infinities:
            for (int i = 0; i < n / 8; ++i) a[any_place(n)] = -kInfinity;
            for_several(n, [&](std::size_t i, bool) { a[i] = kInfinity; });
            break;
        case Data::all_lowest:
            fill(-kInfinity);
            break;
        case Data::subnormal:
            a = random_floats(n, 1e-41F, 1e-40F);
            a[any_place(n)] = 1e-39F;
            break;
        case Data::one_nan: {
            const std::size_t place = any_place(n);
            a[any_place(n)] = kInfinity;
            a[place] = random_nan();
            break;
        }
        case Data::nans:
            a[any_place(n)] = kInfinity;
            for_several(n, [&](std::size_t i, bool) { a[i] = random_nan(); });
            break;
        case Data::all_nans:
            for (float& x : a) x = random_nan();
            break;
    }
    return a;
}

#include "mistakes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "check/mistakes/reductions.h"

using namespace lab;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kWarp = 32;

using Counts = std::function<bool(int i)>;

/// A search in the order of the indices, with another idea of what is better: the later element x,
/// or y, the best so far.
template <class Better>
Best best_by(const Floats& a, Better better) {
    Best best{a[0], 0};
    for (std::size_t i = 1; i < a.size(); ++i) {
        if (better(a[i], best.value)) best = {a[i], static_cast<int>(i)};
    }
    return best;
}

/// The best of only those elements that count.
Best best_where(const Floats& a, const Counts& counts) {
    Floats some;
    std::vector<int> indices;
    for (int i = 0; i < static_cast<int>(a.size()); ++i) {
        if (!counts(i)) continue;
        some.push_back(a[static_cast<std::size_t>(i)]);
        indices.push_back(i);
    }
    Best best = cpu_argmax(some);
    if (best.index >= 0) best.index = indices[static_cast<std::size_t>(best.index)];
    return best;
}

std::uint32_t bits_of(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

bool same_value(float x, float y) {
    return x == y || (std::isnan(x) && std::isnan(y));
}

std::string at(int index) {
    return "index " + std::to_string(index);
}

/// The shapes of launches that may have looked at the elements: those seen, or usual ones.
struct Shape {
    long long threads, blocks;  ///< in a block; in the grid, 0: any number
};
std::vector<Shape> shapes(const Evidence& e) {
    std::vector<Shape> shapes;
    for (const LaunchRecord& launch : e.launches) {
        shapes.push_back({static_cast<long long>(launch.threads_per_block()),
                          static_cast<long long>(launch.blocks())});
    }
    if (!e.launches_known) {
        for (const long long threads : {256, 512, 1024, 128, 64}) shapes.push_back({threads, 1});
    }
    return shapes;
}

/// The value is right, and the index that of another element with this value.
std::string among_equals(const Floats& a, const Best& got, const Best& expected) {
    const float first = a[static_cast<std::size_t>(expected.index)];
    const float named = a[static_cast<std::size_t>(got.index)];
    if (first == 0 && std::signbit(first) && !std::signbit(named)) {
        return "-0 and 0 are equal, so the first of them wins: here a 0 won against the -0 before "
               "it.";
    }
    const std::string what = std::isnan(first) ? "NaN" : "of the equal values";
    const std::string which = std::isnan(first) ? "NaNs" : "equal values";
    bool is_last = true;
    for (auto i = static_cast<std::size_t>(got.index) + 1; i < a.size(); ++i) {
        if (same_value(a[i], first)) is_last = false;
    }
    if (is_last) {
        return "The last " + what + " was taken, and the first should be: " + at(expected.index) +
               ".";
    }
    return "The value is right, but of the " + which +
           " it is not the first: where two threads have the same value, the smaller index must "
           "win." +
           (std::isnan(first) ? " In a packed key, all NaNs need the same upper half." : "");
}

/// The index is not one of the vector's.
std::optional<std::string> no_index(const Floats& a, const Best& got, const Best& expected) {
    const auto n = static_cast<int>(a.size());
    if (got.index >= 0 && got.index < n) return std::nullopt;
    const bool all_lowest = std::ranges::all_of(a, [](float x) { return x == -kInfinity; });
    if (got.index == -1 && got.value == -kInfinity && all_lowest) {
        return "All elements are -infinity, and none of them won against what the search begins "
               "with, {-infinity, -1}. Index -1 must lose against every other.";
    }
    if (got.index == -1 && got.value == -kInfinity) {
        return "The result is what a search begins with, {-infinity, -1}: no element won against "
               "it.";
    }
    if (same_value(got.value, expected.value)) {
        return "The value is right, but " + at(got.index) + " is outside of the " +
               std::to_string(n) + " elements.";
    }
    return std::nullopt;
}

/// The index has been in a type that is too small for it.
std::optional<std::string> index_cut_short(const Best& got, const Best& expected) {
    const std::string instead = "The index is " + std::to_string(got.index) + " in place of " +
                                std::to_string(expected.index) + ": ";
    if (expected.index > 0xffff && got.index == (expected.index & 0xffff)) {
        return instead + "only 16 bits of it were kept.";
    }
    if (got.index != expected.index &&
        got.index == static_cast<int>(static_cast<float>(expected.index))) {
        return instead + "it was stored as a float, which has 24 bits for a number.";
    }
    return std::nullopt;
}

/// The value is right, and the index that of an element with another value.
std::string index_of_another(const Best& got, const Best& expected, const Evidence& e) {
    for (const Shape& shape : shapes(e)) {
        if (shape.threads > 1 && expected.index >= shape.threads &&
            got.index == expected.index % shape.threads) {
            return "The value is right, but the index is that within a block: " +
                   std::to_string(expected.index) + " % " + std::to_string(shape.threads) + ".";
        }
    }
    for (const Shape& shape : shapes(e)) {
        const long long block = expected.index / std::max(1LL, shape.threads);
        if (shape.blocks > 1 && block > 0 && got.index == block % shape.blocks) {
            return "The value is right, but the index is the number of the block that found it. "
                   "Which index belongs to the block's value?";
        }
    }
    return "The value is right, but the index belongs to another element. Value and index must "
           "always move together, as one thing.";
}

/// The best of some of the elements, and the others were not looked at. Says nothing when `got` is
/// the best of several such parts.
std::optional<std::string> part_of(const Floats& a, const Best& got, const Evidence& e) {
    const auto n = static_cast<int>(a.size());
    std::map<std::vector<bool>, std::string> parts;  // of two sentences for one part, the first
    const auto say_if = [&](const Counts& counts, const std::string& sentence) {
        if (!(got == best_where(a, counts))) return;
        std::vector<bool> part(a.size());
        for (int i = 0; i < n; ++i) part[static_cast<std::size_t>(i)] = counts(i);
        parts.emplace(std::move(part), sentence);
    };
    if (const auto sentence = end_left_out(a.size(), [&](std::size_t begin, std::size_t end) {
            return got == best_where(a, [=](int i) {
                       return i >= static_cast<int>(begin) && i < static_cast<int>(end);
                   });
        })) {
        parts.emplace(std::vector<bool>{}, *sentence);
    }
    for (const Shape& shape : shapes(e)) {
        const long long threads = shape.threads, blocks = shape.blocks;
        if (threads < 2) continue;
        if (threads * blocks < n) {
            say_if([=](int i) { return i < threads * blocks; },
                   "Only the first " + std::to_string(threads * blocks) +
                       " elements were looked at, as many as there are threads. Which thread "
                       "looks at the others?");
        }
        if (blocks > 1) {
            say_if([=](int i) { return i / threads % blocks == 0; },
                   "Only the elements of block 0 were looked at. Is blockIdx missing from the "
                   "index, or does only the result of block 0 count?");
        }
        if (blocks > threads) {
            say_if([=](int i) { return i / threads % blocks < threads; },
                   "Only the results of the first " + std::to_string(threads) + " of " +
                       std::to_string(blocks) +
                       " blocks were looked at: one for each thread of the last step.");
        }
        if (threads > kWarp) {
            say_if([=](int i) { return i % threads == 0; },
                   "The result is that of thread 0 of each block: those of the other threads "
                   "were not compared with it.");
            say_if([=](int i) { return i % threads < kWarp; },
                   "The result is that of the first warp of each block: those of the other warps "
                   "were not compared with it.");
            say_if([=](int i) { return i % threads < threads / 2; },
                   "The result is that of the lower half of each block's threads: the step between "
                   "the two halves is missing, or half of the warps were not compared.");
        }
    }
    say_if([](int i) { return i % kWarp == 0; },
           "The result is that of lane 0 of each warp: those of the other lanes were not compared "
           "with it.");
    say_if([](int i) { return i % kWarp < kWarp / 2; },
           "The result is that of the lower 16 lanes of each warp: the first step of the shuffles "
           "is missing.");
    say_if([](int i) { return i % 2 == 0; },
           "The result is that of the even places: the last step is missing, between neighbours.");
    if (parts.size() != 1) return std::nullopt;
    return parts.begin()->second;
}

/// The best by another order of the values.
std::optional<std::string> by_another_order(const Floats& a, const Best& got,
                                            const Best& expected) {
    const auto is_best_by = [&](auto better) { return got == best_by(a, better); };
    if (std::isnan(expected.value)) {
        const auto is_number = [&](int i) { return !std::isnan(a[static_cast<std::size_t>(i)]); };
        if (got == best_where(a, is_number)) {
            return "The NaN at " + at(expected.index) +
                   " was passed over. Every comparison with a NaN is false: > and < alone "
                   "cannot let it win.";
        }
        // The NaN wins against what came before it, and every later element against the NaN.
        if (is_best_by([](float x, float y) { return !(x <= y); })) {
            return "After the NaN at " + at(expected.index) +
                   ", an element won against it that is none, or a later NaN.";
        }
        return std::nullopt;
    }
    // Among negative numbers only, the first of these four is like the others.
    if (is_best_by([](float x, float y) {
            return static_cast<std::int32_t>(bits_of(x)) > static_cast<std::int32_t>(bits_of(y));
        })) {
        return "Of the negative elements, the one furthest below 0 came out as the largest. Their "
               "bits, like their absolute values, grow as they fall.";
    }
    if (is_best_by([](float x, float y) { return std::abs(x) > std::abs(y); })) {
        return "This is the element with the largest absolute value. The sign counts.";
    }
    if (is_best_by([](float x, float y) { return bits_of(x) > bits_of(y); })) {
        return "The bits of the floats were compared as they are, as unsigned numbers: there, a "
               "negative float is larger than a positive one, and the larger the further it is "
               "below 0.";
    }
    if (is_best_by([](float x, float y) { return x < y; })) {
        return "This is the smallest element, not the largest.";
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> mistake_of(const Floats& a, const Best& got, const Evidence& e) {
    if (e.untouched[0]) return std::nullopt;
    if (a.empty()) {
        return "There are no elements: the answer is {-infinity, -1}.";
    }
    const Best expected = cpu_argmax(a);
    const bool all_below = std::ranges::all_of(a, [](float x) { return x < 0; });
    if (all_below && got.value == 0) return came_out_as_zero("largest");
    if (got.value == std::numeric_limits<float>::min()) return came_out_as_flt_min();
    if (got.value == std::numeric_limits<float>::lowest() && expected.value == -kInfinity) {
        return "The search began with " + show_float(got.value) +
               ", the lowest finite number. -infinity is lower still.";
    }
    if (auto said = no_index(a, got, expected)) return said;
    if (got.index < 0 || got.index >= static_cast<int>(a.size())) return std::nullopt;

    const float named = a[static_cast<std::size_t>(got.index)];
    if (auto said = index_cut_short(got, expected)) return said;
    if (got.index == expected.index) {
        return "The index is right, but the value is not that of the element, " +
               show_float(named) + ".";
    }
    if (same_value(got.value, expected.value)) {
        if (same_value(named, expected.value)) return among_equals(a, got, expected);
        // Nearly the same: the search may have lost digits, and both are those of one element.
        if (std::abs(named - got.value) <= 1e-2F * std::abs(got.value) + 1e-4F) return std::nullopt;
        return index_of_another(got, expected, e);
    }
    if (got.value > 0 && got.value == -named) {
        return "This is the largest absolute value, at " + at(got.index) + ", where " +
               show_float(named) + " stands. The sign counts.";
    }
    if (!same_value(named, got.value)) {
        return "Neither value nor index are those of the best, and they do not belong to the same "
               "element either: at " +
               at(got.index) + " stands " + show_float(named) + ".";
    }
    if (auto said = by_another_order(a, got, expected)) return said;
    if (got.index == 0) {
        return "The result is element 0, which is not the best. Were the values of the others "
               "compared with it, or did the search begin with something that beats them all?";
    }
    return part_of(a, got, e);
}

#include "mistakes.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "check/mistakes/narrow.h"
#include "check/mistakes/patterns.h"
#include "check/mistakes/reductions.h"

using namespace lab;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Recognises the range, or the largest, of only a part of `a`. `is_of(begin, end)`: is it the
/// result of these elements?
template <class IsOf>
std::optional<std::string> part_of(std::size_t n, IsOf is_of) {
    if (n < 2) return std::nullopt;
    if (auto said = end_left_out(n, is_of)) return said;
    // The same extremes may lie in parts of different sizes.
    std::vector<std::size_t> beginnings;
    for (const std::size_t threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
        if (threads < n && is_of(0, threads)) beginnings.push_back(threads);
    }
    if (!beginnings.empty()) {
        const std::string count =
            beginnings.size() == 1 ? std::to_string(beginnings[0]) : "few hundred";
        return "Only the first " + count +
               " elements were looked at: there is only one block, or blockIdx is missing from the "
               "index.";
    }
    for (const std::size_t threads : {1024u, 512u, 256u, 128u, 64u, 32u}) {
        if (const std::size_t whole = n / threads * threads;
            whole > 0 && whole < n && is_of(0, whole)) {
            return "Elements at the end were not looked at: they have no thread.";
        }
    }
    return std::nullopt;
}

/// The lowest and the highest when every number is read as another type.
template <class As>
std::vector<IntRange> range_as(const std::vector<int>& a) {
    auto lowest = static_cast<As>(INT_MAX), highest = static_cast<As>(INT_MIN);
    for (const int x : a) {
        lowest = std::min(lowest, static_cast<As>(x));
        highest = std::max(highest, static_cast<As>(x));
    }
    const auto as_int = [](As x) {
        // Converts like a GPU: to the nearest int.
        return static_cast<double>(x) >= 2147483647.0 && std::is_floating_point_v<As>
                   ? INT_MAX
                   : static_cast<int>(x);
    };
    return {{as_int(lowest), as_int(highest)}};
}

/// The largest when floats are compared by their bits, read as ints.
float max_of_bits(const std::vector<float>& a, float start) {
    const auto bits = [](float x) {
        std::int32_t word;
        std::memcpy(&word, &x, sizeof(word));
        return word;
    };
    for (const float x : a) {
        if (bits(x) > bits(start)) start = x;
    }
    return start;
}

/// Floats with the bits of these numbers, rounded to ints.
std::vector<float> bits_of_ints(std::vector<float> values) {
    for (float& value : values) {
        if (!(std::abs(value) < 1e9F)) continue;
        const auto rounded = static_cast<std::int32_t>(value);
        std::memcpy(&value, &rounded, sizeof(value));
    }
    return values;
}

/// The largest of all but the first, which may have been left out or overwritten.
const char* const kFirstIsMissing =
    "The first element is the largest, and it is missing: another thread stored a smaller number "
    "over it, or it was left out. To compare and to store must be one step.";

std::optional<std::string> more_bins_than_threads(const Evidence& e) {
    const auto first_wrong = std::ranges::find(e.right, false);
    const auto right = static_cast<std::size_t>(first_wrong - e.right.begin());
    // Blocks are whole warps. All counts after theirs are 0, which is right for keys that never
    // occur.
    if (right < 32 || right > 1023) return std::nullopt;
    for (const std::size_t threads : {32u, 64u, 128u, 256u, 512u}) {
        if (right < threads || right >= 2 * threads) continue;
        for (std::size_t bin = threads; bin < e.size(); ++bin) {
            if (e.got(bin) != 0) return std::nullopt;
        }
        return "From counts[" + std::to_string(threads) +
               "] on all are 0. There are more bins than a block has threads.";
    }
    return std::nullopt;
}

/// All counts began with the same number, which is not 0.
std::optional<std::string> began_with(const Evidence& e) {
    if (e.size() < 2) return std::nullopt;
    const double began = e.got(0) - e.expected(0);
    for (std::size_t bin = 0; bin < e.size(); ++bin) {
        if (e.untouched[bin] || e.got(bin) - e.expected(bin) != began) return std::nullopt;
    }
    if (began == 0) return std::nullopt;
    constexpr double kOnes = 0x01010101;
    const auto number = std::to_string(static_cast<long long>(began));
    return "All counts are wrong by the same number, " + number + ": they began with it, and " +
           "must begin with 0." +
           (began == kOnes
                ? " (cudaMemset stores its value in every byte: 1 in each of four makes " + number +
                      ".)"
                : "");
}

/// Keys that some of the threads counted again: no count is too small.
Diagnoser more_counts_than_keys(int n) {
    return [n](const Evidence& e) -> std::optional<std::string> {
        double counted = 0;
        for (std::size_t bin = 0; bin < e.size(); ++bin) {
            if (e.untouched[bin] || e.got(bin) < e.expected(bin)) return std::nullopt;
            counted += e.got(bin);
        }
        constexpr double kMost = 1e15;
        if (counted > kMost) return std::nullopt;
        return "There are " + std::to_string(n) + " keys, and " +
               std::to_string(static_cast<long long>(counted)) +
               " were counted: several threads count the same ones. In its loop, a thread must "
               "jump over the keys of all the others.";
    };
}

/// Counts that are all the same number of times too large.
std::optional<std::string> counted_several_times(const Evidence& e) {
    double factor = 0;
    for (std::size_t bin = 0; bin < e.size(); ++bin) {
        if (e.expected(bin) == 0 ? e.got(bin) != 0 : false) return std::nullopt;
        if (e.expected(bin) == 0) continue;
        const double ratio = e.got(bin) / e.expected(bin);
        if (factor == 0) factor = ratio;
        if (ratio != factor) return std::nullopt;
    }
    if (factor < 2 || factor != std::floor(factor)) return std::nullopt;
    std::string why = "each key is counted several times.";
    if (e.launches.size() == 1) {
        const auto blocks = static_cast<double>(e.launches[0].blocks()),
                   threads = static_cast<double>(e.launches[0].threads_per_block());
        if (factor == blocks && factor != threads) {
            why = "every block counts all keys. Each key belongs to one block.";
        } else if (factor == threads && factor != blocks) {
            why = "every thread of a block adds all of the block's counters.";
        }
    }
    return "All counts are " + std::to_string(static_cast<int>(factor)) +
           " times too large: " + why;
}

/// Each block added 1 to every counter.
std::optional<std::string> as_many_as_blocks(const Evidence& e) {
    if (e.launches.size() != 1 || e.size() < 3 || e.launches[0].blocks() < 2) return std::nullopt;
    const auto blocks = static_cast<double>(e.launches[0].blocks());
    for (std::size_t bin = 0; bin < e.size(); ++bin) {
        if (e.got(bin) != blocks) return std::nullopt;
    }
    return "All counts are the number of blocks: each block adds 1, not its own count.";
}

std::optional<std::string> last_bin_missing(const Evidence& e) {
    const std::size_t last = e.size() - 1;
    if (e.size() < 3 || e.right[last] || e.got(last) != 0) return std::nullopt;
    if (!others_are_right(e, last)) return std::nullopt;
    return "Only the last counter is wrong, it is 0. There are `bins` of them.";
}

std::optional<std::string> first_bin_missing(const Evidence& e) {
    if (e.size() < 3 || e.right[0] || e.untouched[0] || e.got(0) != 0) return std::nullopt;
    if (!others_are_right(e, 0)) return std::nullopt;
    return "Only the first counter is wrong, it is 0. Bins are numbered from 0.";
}

/// A loop over the bins in steps of the grid: each counter gets the count of only one block.
Diagnoser bins_shared_among_blocks(const std::vector<int>& keys) {
    return [&keys](const Evidence& e) -> std::optional<std::string> {
        if (e.launches.size() != 1 || e.launches[0].blocks() < 2) return std::nullopt;
        const std::size_t blocks = e.launches[0].blocks(),
                          threads = e.launches[0].threads_per_block();
        const auto block_of = [=](std::size_t i) { return i / threads % blocks; };
        std::vector<int> counts(e.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto bin = static_cast<std::size_t>(keys[i]);
            if (block_of(i) == block_of(bin)) ++counts[bin];
        }
        for (std::size_t bin = 0; bin < e.size(); ++bin) {
            if (e.got(bin) != counts[bin]) return std::nullopt;
        }
        return "Each counter has only what one of the blocks has counted, but every block must add "
               "all of its counters.";
    };
}

/// Counts of a part of the keys.
Diagnoser part_of_the_keys(const std::vector<int>& keys, int bins) {
    return [&keys, bins](const Evidence& e) -> std::optional<std::string> {
        const std::size_t n = keys.size();
        const auto is_count = [&](std::span<const int> part, int times) {
            const auto counts = cpu_histogram(part, bins);
            for (std::size_t bin = 0; bin < e.size(); ++bin) {
                if (e.got(bin) != static_cast<double>(times) * counts[bin]) return false;
            }
            return true;
        };
        const auto all = std::span(keys);
        if (n > 1 && is_count(all.first(n - 1), 1)) {
            return "The last key was not counted: a bound is 1 too low.";
        }
        if (n > 1 && is_count(all.last(n - 1), 1)) {
            return "The first key was not counted.";
        }
        for (const LaunchRecord& launch : e.launches) {
            const std::size_t threads = launch.threads_per_block(),
                              in_all = threads * launch.blocks();
            if (in_all < n && is_count(all.first(in_all), 1)) {
                return "Only the first " + std::to_string(in_all) + " of " + std::to_string(n) +
                       " keys were counted, one by each thread.";
            }
            if (threads < n && launch.blocks() > 1 &&
                is_count(all.first(threads), static_cast<int>(launch.blocks()))) {
                return "Every block counted the same keys, the first " + std::to_string(threads) +
                       ": blockIdx is missing from the index.";
            }
        }
        return std::nullopt;
    };
}

template <class Change>
std::vector<int> changed(std::vector<int> values, Change change) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = change(values[i], static_cast<int>(i));
    }
    return values;
}

}  // namespace

Diagnoser block_added_by_all_of_its_threads(double sum, double bound) {
    return [=](const Evidence& e) -> std::optional<std::string> {
        for (const double threads : {32.0, 64.0, 128.0, 256.0, 512.0, 1024.0}) {
            if (!(std::abs(e.got(0) - threads * sum) <= threads * bound)) continue;
            // A sum this small may match by chance.
            if (std::abs(sum) < 100 * bound) continue;
            return "The sum is " + std::to_string(static_cast<int>(threads)) +
                   " times too large: every thread of a block adds the block's total. Only one "
                   "may.";
        }
        return std::nullopt;
    };
}

template <class T>
Diagnoser last_of_each_warp(const std::vector<T>& a, double bound) {
    constexpr std::size_t kWarp = 32;
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        all += a[i];
        if (i % kWarp == kWarp - 1 || i + 1 == a.size()) sum += a[i];
    }
    // Of a few elements, another mistake may leave the last.
    const bool are_enough = a.size() > 2 * kWarp;
    return [=](const Evidence& e) -> std::optional<std::string> {
        const bool is_clear = are_enough && std::abs(sum - all) > 100 * bound;
        if (!is_clear || !(std::abs(e.got(0) - sum) <= bound)) return std::nullopt;
        return "Of every 32 elements, those of a warp, only the last was added: all read the same "
               "total, and each stored its own sum over those of the others. Reading, adding and "
               "storing must be one step.";
    };
}
template Diagnoser last_of_each_warp(const std::vector<int>&, double);
template Diagnoser last_of_each_warp(const std::vector<float>&, double);

std::vector<Mistake<IntRange>> mistakes_of_range(const std::vector<int>& a) {
    const auto range_from = [&](IntRange range) {
        for (const int x : a) {
            range = {std::min(range.lowest, x), std::max(range.highest, x)};
        }
        return std::vector{range};
    };
    const auto right = range_from({INT_MAX, INT_MIN});
    const auto last_index = static_cast<int>(a.size()) - 1;
    // Adds like atomicAdd: an int wraps around at its ends.
    const auto added_to = [&](int begin) {
        return static_cast<int>(
            std::accumulate(a.begin(), a.end(), static_cast<unsigned>(begin),
                            [](unsigned sum, int x) { return sum + static_cast<unsigned>(x); }));
    };
    const std::string added = " the numbers were added to what it began with.";
    constexpr int kBytesOf7f = 0x7f7f7f7f;
    const std::string index_compared = " is an index: compare the values, not their indices.";
    const std::string bytes =
        "highest began with 0x7f7f7f7f, bytes that cudaMemset has stored. That is near the highest "
        "int, and hardly any number replaces it.";
    return {
        {range_from({0, INT_MIN}), came_out_as_zero("lowest")},
        {range_from({INT_MAX, 0}), came_out_as_zero("highest")},
        {range_from({0, 0}), "0 is none of the numbers. What did lowest and highest begin with?"},
        {{{right[0].highest, right[0].lowest}}, "lowest and highest are swapped."},
        {{{INT_MAX, INT_MIN}},
         "lowest and highest are still what they began with: no number has replaced them."},
        {{{right[0].lowest, INT_MIN}},
         "highest is still INT_MIN, which it began with: nothing has raised it."},
        {{{INT_MAX, right[0].highest}},
         "lowest is still INT_MAX, which it began with: nothing has lowered it."},
        {{{INT_MIN, INT_MAX}},
         "No number is below INT_MIN or above INT_MAX: what lowest and highest begin with is "
         "swapped."},
        {range_as<unsigned>(a),
         "The numbers were compared as unsigned: there, negative ones are above "
         "all others."},
        {{{range_as<unsigned>(a)[0].lowest, right[0].highest}},
         "The lowest was compared as unsigned: there, negative numbers are "
         "above all others."},
        {{{right[0].lowest, range_as<unsigned>(a)[0].highest}},
         "The highest was compared as unsigned: there, negative numbers are "
         "above all others."},
        {range_from({-1, 0}),
         "lowest began with -1 and highest with 0: cudaMemset stores the lowest "
         "byte of its value in every byte, so INT_MAX becomes -1."},
        {range_as<float>(a), "The numbers went through a float, which has only 24 binary digits."},
        {{{0, right[0].highest}}, "The lowest came out as 0, which" + index_compared},
        {{{right[0].lowest, last_index}},
         "The highest came out as " + std::to_string(last_index) + ", which" + index_compared},
        {{{0, last_index}},
         "The range is that of the indices: each number that came out" + index_compared},
        {{{right[0].lowest, INT_MAX}},
         "The highest came out as INT_MAX, and no number is above that. What did it begin with?"},
        {{{INT_MIN, right[0].highest}},
         "The lowest came out as INT_MIN, and no number is below that. What did it begin with?"},
        {{{added_to(INT_MAX), right[0].highest}}, "Instead of the lowest," + added},
        {{{right[0].lowest, added_to(INT_MIN)}}, "Instead of the highest," + added},
        {{{added_to(INT_MAX), added_to(INT_MIN)}},
         "Instead of the lowest and the highest," + added},
        {range_from({INT_MAX, kBytesOf7f}), bytes},
        {range_from({kBytesOf7f, kBytesOf7f}), bytes},
    };
}

std::optional<std::string> part_of_the_range(const std::vector<int>& a, IntRange got) {
    if (a.empty()) {
        return "Of no numbers at all, the range is its start value, and every number must "
               "replace that.";
    }
    if (got.highest == INT_MIN && std::ranges::max(a) != INT_MIN) {
        return "highest is still INT_MIN, which it began with. Was another number raised?";
    }
    if (got.lowest == INT_MAX && std::ranges::min(a) != INT_MAX) {
        return "lowest is still INT_MAX, which it began with. Was another number lowered?";
    }
    const auto is_of = [&](std::size_t begin, std::size_t end) {
        const auto [low, high] = std::ranges::minmax(std::span(a).subspan(begin, end - begin));
        return got == IntRange{low, high};
    };
    if (a.size() > 1 && is_of(0, 1)) return "Only the first element was looked at.";
    if (a.size() > 1 && is_of(1, a.size())) {
        // The first thread finds no number yet, so it lowers `lowest` in any case.
        return std::string("The first element is the ") +
               (got.highest < a.front() ? "highest" : "lowest") +
               ", and it is missing there. Was it compared with both, and could another thread "
               "store its own over it? To compare and to store must be one step.";
    }
    if (auto said = part_of(a.size(), is_of)) return said;
    // Of a few, any number is one of them.
    const bool are_of_these = a.size() > 2 && std::ranges::find(a, got.lowest) != a.end() &&
                              std::ranges::find(a, got.highest) != a.end();
    if (!are_of_these) return std::nullopt;
    return "Both are among the numbers, but not the lowest and the highest. A thread that compares "
           "first and stores then overwrites what another has stored in between: the two must be "
           "one step.";
}

/// A positive number is the largest, and all others are 0 or -0, of which there are both.
bool has_both_zeros(const std::vector<float>& a) {
    const auto is_zero = [](bool negative) {
        return [=](float x) { return x == 0 && std::signbit(x) == negative; };
    };
    return std::ranges::any_of(a, is_zero(true)) && std::ranges::any_of(a, is_zero(false)) &&
           std::ranges::count_if(a, [](float x) { return x != 0; }) == 1 && std::ranges::max(a) > 0;
}

std::vector<Mistake<float>> mistakes_of_max(const std::vector<float>& a) {
    const auto max_from = [&](float start) {
        for (const float x : a) start = std::max(start, x);
        return std::vector{start};
    };
    std::vector<float> largest_magnitude{-kInfinity};
    for (const float x : a) largest_magnitude[0] = std::max(largest_magnitude[0], std::abs(x));
    const bool has_positive = std::ranges::any_of(a, [](float x) { return x > 0; });
    const std::string by_bits =
        "The numbers were compared by their bits, as ints: among negative floats that order runs "
        "the other way.";
    const std::string still_there =
        std::string("The largest is still the -infinity that it began with. ") +
        (has_positive
             ? "No element has replaced it. Are atomicCAS's arguments in the right order? "
               "(Compared by their bits as unsigned, -infinity is above all numbers.)"
             : "If vectors of positive numbers come out right, either the" + by_bits.substr(3) +
                   " Or the first number seen is not the one that is there, but 0, or a "
                   "float converted to an int (int seen = *place).");
    std::vector<Mistake<float>> all;
    if (has_both_zeros(a)) {
        all.push_back(
            {{0},
             "0 and -0 are equal as floats, but not in their bits, and atomicCAS compares "
             "bits. Whether it stored must be judged by the bits, too: compare ints."});
    }
    if (a.empty()) {  // every result keeps its start value
        all.push_back({{-std::numeric_limits<float>::max()},
                       "Of no numbers at all, the largest is what it begins with. -FLT_MAX is the "
                       "lowest finite number, but a vector may hold -infinity."});
    } else if (std::ranges::max(a) == -kInfinity) {
        all.push_back({{-std::numeric_limits<float>::max()},
                       "All numbers are -infinity, and the largest came out as -FLT_MAX, which is "
                       "none of them."});
    }
    const std::vector<Mistake<float>> others{
        {{-kInfinity}, still_there},
        {{max_of_bits(a, -std::numeric_limits<float>::max())}, by_bits},
        {largest_magnitude, "This is the number that is the largest without its sign."},
        {max_from(0), came_out_as_zero("largest")},
        {max_from(std::numeric_limits<float>::min()), came_out_as_flt_min()},
        {{kInfinity},
         "The largest is infinity, which is above all numbers. What did it begin with?"},
        {bits_of_ints(max_from(-kInfinity)),
         "The bits of an int are stored: (int)x converts x to another number, and does not keep "
         "its "
         "bits."},
    };
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::optional<std::string> other_element(const std::vector<float>& a, float got) {
    if (a.size() < 2 || std::ranges::find(a, got) == a.end()) return std::nullopt;
    // Of a few, the smallest may as well have been stored over the others.
    if (a.size() >= 8 && got == std::ranges::min(a)) {
        return "This is the smallest of the numbers: the comparison is the wrong way round.";
    }
    if (got == std::ranges::max(std::span(a).subspan(1))) return kFirstIsMissing;
    const auto part = part_of(a.size(), [&](std::size_t begin, std::size_t end) {
        return got == std::ranges::max(std::span(a).subspan(begin, end - begin));
    });
    if (part) return part;
    return "This is one of the numbers, but not the largest: a number was stored over a larger "
           "one, or a thread gave up when another one was faster.";
}

std::vector<int> cpu_histogram(std::span<const int> keys, int bins) {
    std::vector<int> counts(static_cast<std::size_t>(bins));
    for (const int key : keys) ++counts[static_cast<std::size_t>(key)];
    return counts;
}

std::vector<Mistake<int>> mistakes_of_histogram(const std::vector<int>& keys, int bins) {
    const auto right = cpu_histogram(keys, bins);
    const auto later = changed(keys, [=](int key, int) { return (key + 1) % bins; });
    const auto earlier = changed(keys, [=](int key, int) { return (key + bins - 1) % bins; });
    const char* const moved = "Every count is one place off.";
    const auto indices = changed(keys, [=](int, int i) { return i % bins; });
    return {
        {cpu_histogram(later, bins), moved},
        {cpu_histogram(earlier, bins), moved},
        {changed(right, [](int count, int bin) { return count * bin; }),
         "The keys were added, not counted."},
        {std::vector<int>(static_cast<std::size_t>(bins)), "All counts are 0: no key was counted."},
        {cpu_histogram(indices, bins),
         "The counters were chosen by the place of a key, not by the key."},
    };
}

Diagnosers mistakes_in_counts(const std::vector<int>& keys, int bins) {
    return {began_with,
            last_bin_missing,
            first_bin_missing,
            counted_several_times,
            part_of_the_keys(keys, bins),
            bins_shared_among_blocks(keys),
            more_bins_than_threads,
            as_many_as_blocks,
            narrow_counters,
            more_counts_than_keys(static_cast<int>(keys.size()))};
}

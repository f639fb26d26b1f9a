#include "check/diagnose/sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>

namespace lab {
namespace {

// How likely some hypothesis may be met by a number that is simply wrong.
constexpr double kChance = 0.01;
// Another mistake's number this many tolerances away could be the one that was meant.
constexpr double kApart = 20;
constexpr double kRounding = 1e-5;
// In fewer values, parts are too much alike.
constexpr std::size_t kFewestTerms = 8;
constexpr std::array kOrdinals{"first", "second", "third", "fourth"};

/// Sums of neighbours, each from two others.
class Prefix {
public:
    explicit Prefix(const std::vector<double>& values) : sums_(values.size() + 1) {
        for (std::size_t i = 0; i < values.size(); ++i) sums_[i + 1] = sums_[i] + values[i];
    }
    double sum(std::size_t begin, std::size_t end) const { return sums_[end] - sums_[begin]; }

private:
    std::vector<double> sums_;
};

enum class Kind {
    edge,
    one_more,
    one_value,
    indices,
    steps,
    first_block,
    first_of_each,
    last_block,
    tail,
    part_of_vectors,
    one_block_missing,
    tree,
    multiple,
    index,
    lanes,
    other_values,
    scale
};

/// What the sum would be with one mistake. Of one kind, the first sentence that fits is said.
struct Hypothesis {
    Kind kind;
    double value;
    std::string sentence;
};

/// One thread, as sets a result to 0 before others add to it.
bool is_single_thread(const LaunchRecord& launch) {
    return launch.blocks() * launch.threads_per_block() == 1;
}

/// The launch that adds the values, when there is one only. One block after it may add up what its
/// blocks have left.
const LaunchRecord* adding_launch(const Evidence& e) {
    const LaunchRecord* found = nullptr;
    for (const LaunchRecord& launch : e.launches) {
        if (e.launches.size() > 1 && is_single_thread(launch)) continue;
        if (found != nullptr && found->blocks() > 1 && launch.blocks() == 1) continue;
        if (found != nullptr || launch.merged != 1) return nullptr;
        found = &launch;
    }
    return found;
}

class SumMistakes {
public:
    SumMistakes(std::vector<double> values, SumShape shape)
        : values_(std::move(values)), prefix_(values_), shape_(std::move(shape)) {
        double squares = 0;
        for (const double value : values_) squares += value * value;
        typical_size_ = std::sqrt(squares);
    }

    std::optional<std::string> operator()(const Evidence& e) const {
        const std::size_t n = values_.size();
        if (!e.got || shape_.at >= e.size() || e.right[shape_.at] || e.untouched[shape_.at]) {
            return std::nullopt;
        }
        const double got = e.got(shape_.at), expected = e.expected(shape_.at);
        // Sums of integers are exact.
        const double given = e.tolerance(shape_.at), tolerance = given > 0 ? given : 0.5;
        const double apart = given > 0 ? kApart * given : tolerance;
        if (const auto unset = added_to_what_was_there(e, got, expected, tolerance)) return unset;
        constexpr double kLargestHalf = 65504;
        if (std::isinf(got) && std::abs(expected) > kLargestHalf) {
            return "The result is infinite: it went through half precision (__half), which ends at "
                   "65504.";
        }
        if (!std::isfinite(got) || n < kFewestTerms) return std::nullopt;
        if (got == 0) return why_zero();

        const std::vector<Hypothesis> all = hypotheses(e, expected);
        const Hypothesis* found = nullptr;
        for (const Hypothesis& h : all) {
            // Many additions of large sums are rounded more than the matcher allows for one.
            const bool is_large = h.kind == Kind::multiple || h.kind == Kind::indices ||
                                  h.kind == Kind::steps || h.kind == Kind::lanes;
            const double slack = is_large ? kRounding * std::abs(h.value) : 0;
            if (found == nullptr && std::abs(h.value - got) <= tolerance + slack) found = &h;
        }
        if (found == nullptr) return std::nullopt;
        for (const Hypothesis& h : all) {
            if (h.kind != found->kind && std::abs(h.value - got) <= apart) {
                return std::nullopt;
            }
        }
        const double spread = std::max(std::abs(expected), typical_size_);
        if (2 * tolerance * static_cast<double>(all.size()) > kChance * spread) {
            return std::nullopt;
        }
        return found->sentence;
    }

private:
    /// Values that a block may add up, smallest first.
    std::set<std::size_t> blocks(const Evidence& e) const {
        constexpr std::size_t kFewLaunches = 8;
        std::set<std::size_t> sizes;
        if (e.launches.size() <= kFewLaunches) {
            for (const LaunchRecord& launch : e.launches) {
                if (is_single_thread(launch)) continue;
                for (const std::size_t each : {1u, 2u, 4u, 8u}) {
                    sizes.insert(each * launch.threads_per_block());
                }
            }
        }
        if (sizes.empty()) sizes.insert(shape_.block_sizes.begin(), shape_.block_sizes.end());
        std::erase_if(sizes, [](std::size_t size) { return size < 2; });
        return sizes;
    }

    std::optional<std::string> added_to_what_was_there(const Evidence& e, double got,
                                                       double expected, double tolerance) const {
        if (!e.before) return std::nullopt;
        const double before = e.before(shape_.at);
        const bool nan = std::isnan(got) && std::isnan(before) && !std::isnan(expected);
        if (!nan && !(std::abs(got - (before + expected)) <= tolerance)) return std::nullopt;
        return fmt::format(
            "The sum was added to what was in {}[{}] before the call{}: set it to 0 first.", e.name,
            shape_.at, nan ? ", which was not a number" : "");
    }

    std::string why_zero() const {
        const std::string begin = "The result is 0: nothing was added to it";
        const auto is_fraction = [](double value) { return std::abs(value) < 1; };
        const std::string reset = ", or it was set to 0 once more afterwards";
        if (!std::ranges::all_of(values_, is_fraction)) return begin + reset + ".";
        return begin + reset + ", or the values, all between -1 and 1, became ints on their way.";
    }

    std::vector<Hypothesis> hypotheses(const Evidence& e, double expected) const {
        const std::size_t n = values_.size();
        std::vector<Hypothesis> all{
            {Kind::edge, expected - values_.front(), "The first value was left out."},
            {Kind::edge, expected - values_.back(), last_left_out()},
            {Kind::edge, expected + values_.front(),
             "The first value is in the sum twice: the sum began with it, or a thread added it "
             "once more."}};
        all.push_back({Kind::one_more, expected + 1, "The sum began with 1, and not with 0."});
        vector_tails(all);
        tree_without_its_last_round(all);
        parts_of_vectors(expected, all);
        other_values(all);
        if (const LaunchRecord* launch = adding_launch(e)) {
            too_few_threads(*launch, all);
            half_an_index(*launch, all);
            other_index(*launch, all);
            every_lane(*launch, all);
            tail_by_all(*launch, expected, all);
            part_of_each_block(*launch, all);
            first_blocks_only(e, *launch, all);
        }
        one_value(all);
        for (const std::size_t size : blocks(e)) {
            if (size < n) parts(size, all);
            trees(size, all);
        }
        multiples(e, expected, all);
        return all;
    }

    void too_few_threads(const LaunchRecord& launch, std::vector<Hypothesis>& all) const {
        const std::uint64_t threads = launch.blocks() * launch.threads_per_block();
        if (threads < 2) return;
        const bool one = launch.blocks() == 1;
        for (const auto& [each, word] :
             {std::pair{1u, "one"}, std::pair{2u, "two"}, std::pair{4u, "four"}}) {
            if (each * threads >= values_.size()) break;
            all.push_back({one ? Kind::first_block : Kind::tail, prefix_.sum(0, each * threads),
                           fmt::format("{} block{} of {} threads {} {} threads for {} values, and "
                                       "each adds {}: the others were not added.",
                                       launch.blocks(), one ? "" : "s", launch.threads_per_block(),
                                       one ? "is" : "are", threads, values_.size(), word)});
        }
        if (one && threads < values_.size()) all.push_back(last_of_each_thread(threads));
    }

    Hypothesis last_of_each_thread(std::uint64_t threads) const {
        return {Kind::index, prefix_.sum(values_.size() - threads, values_.size()),
                "Only the last value of each thread is in the result: each value replaces the one "
                "before."};
    }

    /// An index without threadIdx or without blockIdx, and no loop.
    void half_an_index(const LaunchRecord& launch, std::vector<Hypothesis>& all) const {
        const std::uint64_t blocks = launch.blocks(), threads = launch.threads_per_block();
        if (blocks < 2 || threads < 2) return;
        const std::uint64_t n = values_.size();
        all.push_back({Kind::index,
                       static_cast<double>(blocks) * prefix_.sum(0, std::min(threads, n)),
                       fmt::format("Every block added the same values, the first {}: blockIdx is "
                                   "missing from the index.",
                                   std::min(threads, n))});
        // The last block has fewer values, where threads without one add nothing.
        if (blocks * threads > n && (blocks - 1) * threads < n && threads <= n) {
            all.push_back({Kind::index,
                           static_cast<double>(blocks - 1) * prefix_.sum(0, threads) +
                               prefix_.sum(0, n - (blocks - 1) * threads),
                           fmt::format("Every block added the same values, the first {}: blockIdx "
                                       "is missing from the index.",
                                       threads)});
        }
        all.push_back({Kind::index,
                       static_cast<double>(threads) * prefix_.sum(0, std::min(blocks, n)),
                       "Every thread of a block added the same value: threadIdx is missing from "
                       "the index."});
        double to_the_end = 0, by_grid = 0;
        for (std::uint64_t b = 0; b < blocks && b * threads < n; ++b) {
            to_the_end += prefix_.sum(b * threads, n);
        }
        for (std::uint64_t b = 0; b < blocks && b * blocks < n; ++b) {
            by_grid += prefix_.sum(b * blocks, std::min(n, b * blocks + threads));
        }
        // Of two blocks the second may have but one value, which others add twice, too.
        if (n >= 2 * threads)
            all.push_back({Kind::index, to_the_end,
                           "Each block added all values from its first one to the end. In the "
                           "loop, a thread must jump over the values of all the other threads."});
        // Thread t of all begins with value t, and takes every one that is `blocks` further on.
        double in_steps_of_blocks = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            const std::uint64_t last = std::min(i, blocks * threads - 1);
            if (last < i % blocks) continue;
            in_steps_of_blocks +=
                static_cast<double>((last - i % blocks) / blocks + 1) * values_[i];
        }
        all.push_back({Kind::steps, in_steps_of_blocks,
                       "In the loop, a thread jumps over gridDim.x values, so several threads add "
                       "the same ones. How many threads does the grid have?"});
        all.push_back({Kind::index, by_grid,
                       "Blocks begin gridDim.x values apart, but that is not the number of threads "
                       "in a block."});
        if (blocks * threads < n) {
            all.push_back(last_of_each_thread(blocks * threads));
        }
        all.push_back({Kind::first_of_each,
                       sum_where([=](std::uint64_t i) { return i % threads == 0; }),
                       "Only the first value of each block is in the result: what its other "
                       "threads have was not added."});
    }

    /// What the grid adds up where thread t of block b takes value `index(b, t)`, if there is one.
    template <class Index>
    double sum_by(const LaunchRecord& launch, const Index& index) const {
        double sum = 0;
        for (std::uint64_t b = 0; b < launch.blocks(); ++b) {
            for (std::uint64_t t = 0; t < launch.threads_per_block(); ++t) {
                const std::uint64_t i = index(b, t);
                if (i < values_.size()) sum += values_[i];
            }
        }
        return sum;
    }

    /// blockIdx where threadIdx is meant, or without the factor blockDim.
    void other_index(const LaunchRecord& launch, std::vector<Hypothesis>& all) const {
        const std::uint64_t blocks = launch.blocks(), threads = launch.threads_per_block();
        constexpr std::uint64_t kMostThreads = 1 << 22;
        if (blocks < 2 || threads < 2 || blocks * threads > kMostThreads) return;
        all.push_back(
            {Kind::index,
             sum_by(launch, [=](std::uint64_t b, std::uint64_t t) { return t * threads + b; }),
             "In the index, threadIdx and blockIdx are swapped."});
        all.push_back({Kind::index,
                       sum_by(launch, [](std::uint64_t b, std::uint64_t t) { return b + t; }),
                       "Blocks begin one value apart, so several threads add the same ones. How "
                       "many values does a block have?"});
        if (blocks == threads) return;
        all.push_back({Kind::multiple,
                       static_cast<double>(threads) *
                           prefix_.sum(0, std::min<std::uint64_t>(threads, values_.size())),
                       "Every thread of block 0 added that block's part, and no other block its "
                       "own: the condition names a block, not a thread."});
    }

    using Lanes = std::array<double, kWarpLanes>;

    /// What all lanes together hold behind a tree of __shfl_down_sync, where only lane 0 has what
    /// is meant: a lane that has none so far above it gets its own value back.
    static double all_lanes(Lanes lanes) {
        for (std::size_t distance = kWarpLanes / 2; distance > 0; distance /= 2) {
            const Lanes before = lanes;
            for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
                lanes[lane] += before[lane + distance < kWarpLanes ? lane + distance : lane];
            }
        }
        return std::accumulate(lanes.begin(), lanes.end(), 0.0);
    }

    /// Shuffles, and then no lane was chosen: in each warp, or in the first warp of each block,
    /// which has the sums of the others.
    void every_lane(const LaunchRecord& launch, std::vector<Hypothesis>& all) const {
        const std::uint64_t threads = launch.threads_per_block(), grid = launch.blocks() * threads;
        if (threads % kWarpLanes != 0) return;
        const std::uint64_t n = values_.size();
        double warps = 0, first_warps = 0;
        for (std::uint64_t block = 0; block < grid && block < n; block += threads) {
            Lanes sums{};
            for (std::uint64_t warp = 0; warp < threads / kWarpLanes; ++warp) {
                Lanes lanes{};
                for (std::uint64_t lane = 0; lane < kWarpLanes; ++lane) {
                    for (std::uint64_t i = block + warp * kWarpLanes + lane; i < n; i += grid)
                        lanes[lane] += values_[i];
                }
                warps += all_lanes(lanes);
                sums[warp] = std::accumulate(lanes.begin(), lanes.end(), 0.0);
            }
            first_warps += all_lanes(sums);
        }
        const std::string sentence =
            "Every lane of a warp has added what it had. After __shfl_down_sync only lane 0 has "
            "the sum.";
        all.push_back({Kind::lanes, warps, sentence});
        all.push_back({Kind::lanes, first_warps, sentence});
    }

    /// What is left over of vectors of 2 or 4 can be one value, too.
    std::string last_left_out() const {
        return values_.size() % 2 == 0
                   ? "The last value was left out: a bound is 1 too low."
                   : "The last value was left out: a bound is 1 too low, or threads take several "
                     "values at once and one is left over.";
    }

    /// The values behind the last whole vector of four.
    void vector_tails(std::vector<Hypothesis>& all) const {
        for (const std::size_t width : {4u, 8u}) {
            const std::size_t n = values_.size(), rest = n % width;
            if (rest < 2) continue;
            all.push_back({Kind::tail, prefix_.sum(0, n - rest),
                           fmt::format("The last {} of {} values were left out: {} is not a "
                                       "multiple of {}, and vectors of {} leave them over.",
                                       rest, n, n, width, width)});
            if (n % 2 == 1)
                all.push_back({Kind::tail, prefix_.sum(0, n - rest) + values_.back(),
                               fmt::format("Of the last {} values, which vectors of {} leave over, "
                                           "only the very last was added.",
                                           rest, width)});
        }
    }

    /// A loop over what vectors leave over, in every thread.
    void tail_by_all(const LaunchRecord& launch, double expected,
                     std::vector<Hypothesis>& all) const {
        const std::uint64_t threads = launch.blocks() * launch.threads_per_block();
        for (const std::size_t width : {4u, 2u}) {
            const std::size_t n = values_.size(), rest = n % width;
            if (rest == 0 || threads < 2) continue;
            all.push_back(
                {Kind::multiple,
                 expected + static_cast<double>(threads - 1) * prefix_.sum(n - rest, n),
                 fmt::format("{}, which vectors of {} leave over, {} added by every one of the {} "
                             "threads: each value must be added once.",
                             rest == 1 ? "The last value" : fmt::format("The last {} values", rest),
                             width, rest == 1 ? "was" : "were", threads)});
        }
    }

    /// Of float4, say, one of the four members is not in the sum.
    void parts_of_vectors(double expected, std::vector<Hypothesis>& all) const {
        constexpr std::array kMembers{"x", "y", "z", "w"};
        for (std::size_t member = 0; member < kMembers.size(); ++member) {
            double missing = 0;
            for (std::size_t i = member; i < values_.size() / 4 * 4; i += 4) missing += values_[i];
            all.push_back({Kind::part_of_vectors, expected - missing,
                           fmt::format("Of every four values the {} is not in the sum: of a vector "
                                       "of four, {} was left out.",
                                       kOrdinals[member], kMembers[member])});
        }
    }

    void other_values(std::vector<Hypothesis>& all) const {
        double magnitudes = 0, squares = 0;
        for (const double value : values_) {
            magnitudes += std::abs(value);
            squares += value * value;
        }
        const bool has_signs = std::ranges::any_of(values_, [](double value) { return value < 0; });
        if (has_signs) {
            all.push_back({Kind::other_values, magnitudes,
                           "The values were added without their signs: each counts as it is, not "
                           "its absolute value."});
        }
        all.push_back({Kind::other_values, squares,
                       "The squares of the values were added, and not the values."});
    }

    void one_value(std::vector<Hypothesis>& all) const {
        constexpr const char* kOverwrites =
            ": each value replaced the one before, where it should be added.";
        all.push_back({Kind::one_value, values_.back(),
                       std::string("The result is the last value alone") + kOverwrites});
        all.push_back({Kind::one_value, values_.front(), "The result is the first value alone."});
        const auto n = static_cast<double>(values_.size());
        all.push_back({Kind::one_value, n, "The result is the number of values, not their sum."});
        all.push_back(
            {Kind::indices, n * (n - 1) / 2,
             fmt::format(
                 "The result is 0 + 1 + ... + {}: the indices were added, and not the values.",
                 values_.size() - 1)});
    }

    /// Blocks of `size` values of which some are missing.
    void parts(std::size_t size, std::vector<Hypothesis>& all) const {
        const std::size_t n = values_.size(), whole = n / size, rest = n % size;
        all.push_back({Kind::first_block, prefix_.sum(0, size),
                       fmt::format("Only the first {} values were added, those of block 0: every "
                                   "block must add its part to the result.",
                                   size)});
        const std::size_t last_begin = rest == 0 ? n - size : whole * size;
        all.push_back({Kind::last_block, prefix_.sum(last_begin, n),
                       fmt::format("Only the last {} values are in the result, those of the last "
                                   "block: each block overwrote what the others had stored.",
                                   n - last_begin)});
        if (whole < 2) return;
        if (rest != 0) {
            all.push_back({Kind::tail, prefix_.sum(0, whole * size),
                           fmt::format("The last {} of {} values were left out: {} is not a "
                                       "multiple of {}, and what is left over must be added too.",
                                       rest, n, n, size)});
        } else if (whole > 2) {
            all.push_back(
                {Kind::tail, prefix_.sum(0, n - size),
                 fmt::format("The last {} values were left out, those of the last block.", size)});
        }
        if (whole > 2) {
            all.push_back(
                {Kind::one_block_missing, prefix_.sum(size, n),
                 fmt::format("The first {} values were left out, those of block 0.", size)});
        }
    }

    /// A tree whose width is halved, rounding down, loses values when the block is no power of two.
    void trees(std::size_t size, std::vector<Hypothesis>& all) const {
        if ((size & (size - 1)) == 0) return;
        double sum = 0;
        for (std::size_t begin = 0; begin < values_.size(); begin += size) {
            std::vector<double> part(size, 0);
            const std::size_t count = std::min(size, values_.size() - begin);
            std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(begin), count, part.begin());
            for (std::size_t width = size / 2; width > 0; width /= 2) {
                for (std::size_t i = 0; i < width; ++i) part[i] += part[i + width];
            }
            sum += part[0];
        }
        all.push_back({Kind::tree, sum,
                       fmt::format("The tree over a block of {} loses values: {} is not a power of "
                                   "two, and half of an odd number leaves one over.",
                                   size, size)});
    }

    template <class IsThere>
    double sum_where(const IsThere& is_there) const {
        double sum = 0;
        for (std::uint64_t i = 0; i < values_.size(); ++i)
            if (is_there(i)) sum += values_[i];
        return sum;
    }

    /// Rounds that add the upper half to the lower one, with `half > 1` as their condition.
    void tree_without_its_last_round(std::vector<Hypothesis>& all) const {
        all.push_back({Kind::tree, sum_where([](std::uint64_t i) { return i % 2 == 0; }),
                       "Only values with even indices are in the sum. If a tree adds them up, it "
                       "ends one round too early: the last round adds place 1 to place 0."});
    }

    void part_of_each_block(const LaunchRecord& launch, std::vector<Hypothesis>& all) const {
        const std::uint64_t threads = launch.threads_per_block();
        const auto of_first = [&](std::uint64_t count) {
            return sum_where([=](std::uint64_t i) { return i % threads < count; });
        };
        if (threads > kWarpLanes) {
            all.push_back({Kind::tree, of_first(kWarpLanes),
                           "Of each block only what its first warp has is in the sum: the other "
                           "warps were not added."});
        }
        if (threads > 2 * kWarpLanes) {
            all.push_back({Kind::tree, of_first(threads / 2),
                           "Of each block only what the first half of its threads has is in the "
                           "sum: if a tree adds up, its first round is missing."});
        }
    }

    /// One block adds up what the others have left, an element a thread.
    void first_blocks_only(const Evidence& e, const LaunchRecord& launch,
                           std::vector<Hypothesis>& all) const {
        const LaunchRecord& last = e.launches.back();
        const std::uint64_t added = last.threads_per_block(), threads = launch.threads_per_block();
        if (&last == &launch || last.blocks() != 1 || added >= launch.blocks()) return;
        const double sum =
            sum_where([&](std::uint64_t i) { return i / threads % launch.blocks() < added; });
        all.push_back({Kind::first_block, sum,
                       fmt::format("Of {} blocks' results only the first {} are in the sum: that "
                                   "many threads has the last launch, and each adds one.",
                                   launch.blocks(), added)});
    }

    void multiples(const Evidence& e, double expected, std::vector<Hypothesis>& all) const {
        std::set<std::uint64_t> factors{2, 3, 4, 8, 16, 32};
        if (const LaunchRecord* launch = adding_launch(e)) {
            factors.insert({launch->blocks(), launch->threads_per_block()});
            factors.insert(launch->threads_per_block() / kWarpLanes);
        }
        all.push_back({Kind::scale, -expected, "The sum has the wrong sign."});
        all.push_back({Kind::scale, expected / static_cast<double>(values_.size()),
                       "The result is the average: the sum divided by the number of values."});
        if (const LaunchRecord* launch = adding_launch(e)) {
            const auto threads = static_cast<double>(launch->threads_per_block());
            if (threads > 1) {
                all.push_back({Kind::scale, expected / threads,
                               "The sum is divided by the number of threads in a block."});
            }
        }
        for (const std::uint64_t factor : factors) {
            if (factor < 2) continue;
            all.push_back({Kind::multiple, static_cast<double>(factor) * expected,
                           fmt::format("The sum is {} times too large: {}", factor,
                                       why_multiple(e, factor))});
        }
    }
    static std::string why_multiple(const Evidence& e, std::uint64_t factor) {
        const LaunchRecord* launch = adding_launch(e);
        if (launch != nullptr && factor == launch->threads_per_block()) {
            return "every thread of a block adds the block's part. Only one may.";
        }
        if (launch != nullptr && factor == launch->blocks()) {
            return "every block adds all values. Each value belongs to one block.";
        }
        if (launch != nullptr && factor == launch->threads_per_block() / kWarpLanes) {
            return "every warp of a block adds the block's part. Only one may.";
        }
        if (factor == kWarpLanes) {
            return "every lane of a warp adds the warp's part. Only one may.";
        }
        return "each value is added several times.";
    }

    std::vector<double> values_;
    Prefix prefix_;
    SumShape shape_;
    double typical_size_ = 0;  ///< of a sum of such values, if signs are random
};

}  // namespace

Diagnosers sum_mistakes_of(std::vector<double> values, SumShape shape) {
    const auto mistakes = std::make_shared<const SumMistakes>(std::move(values), std::move(shape));
    return {nothing_written, [mistakes](const Evidence& e) { return (*mistakes)(e); }};
}

}  // namespace lab

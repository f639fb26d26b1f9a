// Chooses the one mistake whose number came out. See sum.h.
#include "check/sums/sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "check/sums/hypotheses.h"

namespace lab {
namespace {

using sums::Hypotheses;
using sums::Hypothesis;
using sums::Kind;

// How likely some hypothesis may be met by a number that is simply wrong.
constexpr double kChance = 0.01;
// Another mistake's number this many tolerances away could be the one that was meant.
constexpr double kApart = 20;
constexpr double kRounding = 1e-5;
// In fewer values, parts are too much alike.
constexpr std::size_t kFewestTerms = 8;

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
        : terms_(std::move(values)), shape_(std::move(shape)) {}

    std::optional<std::string> operator()(const Evidence& e) const {
        const std::size_t n = terms_.values.size();
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

        const Hypotheses all = hypotheses(e, expected);
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
        const double spread = std::max(std::abs(expected), terms_.typical_size);
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
        if (!std::ranges::all_of(terms_.values, is_fraction)) return begin + reset + ".";
        return begin + reset + ", or the values, all between -1 and 1, became ints on their way.";
    }

    Hypotheses hypotheses(const Evidence& e, double expected) const {
        const LaunchRecord* launch = adding_launch(e);
        Hypotheses all;
        sums::values_left_out(terms_, expected, all);
        sums::other_values(terms_, all);
        if (launch != nullptr) sums::wrong_indices(e, terms_, *launch, expected, all);
        sums::one_value(terms_, all);
        for (const std::size_t size : blocks(e)) sums::parts_left_out(terms_, size, all);
        sums::multiples(terms_, launch, expected, all);
        return all;
    }

    sums::Terms terms_;
    SumShape shape_;
};

}  // namespace

Diagnosers sum_mistakes_of(std::vector<double> values, SumShape shape) {
    const auto mistakes = std::make_shared<const SumMistakes>(std::move(values), std::move(shape));
    return {nothing_written, [mistakes](const Evidence& e) { return (*mistakes)(e); }};
}

}  // namespace lab

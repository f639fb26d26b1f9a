// A matcher for outputs of which several are right: every element has a range of its own, and a few
// may miss theirs.
#pragma once

#include <algorithm>
#include <atomic>
#include <catch2/matchers/catch_matchers_templated.hpp>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/diagnose/diagnose.h"
#include "check/matchers.h"
#include "check/mistakes/known_mistake.h"
#include "check/submission.h"
#include "protocol/parallel.h"

// Use:
//
//   std::vector<Range<int>> ranges = ...;                       // one an element
//   CHECK_THAT(call.output(), in_ranges(ranges, {0, 200}, ranges.size() / 5000)
//                                 .rows_of(width)
//                                 .or_looks_like([](std::size_t i) { return ...; }, "it is
//                                 mirrored") .or_diagnose(indexing_mistakes));
//
// For chaotic computations, where the last bit of an input decides: ranges come from many legal
// computations, and no finite number of them gives all legal results. A miss is forgiven only if it
// is a value that the function can return at all, `legal`; an element never written is none.

namespace lab {

template <class T>
struct Range {
    T low{}, high{};

    template <class V>
    bool holds(V value) const {
        return low <= value && value <= high;
    }
    /// Only one value is right.
    bool is_one() const { return low == high; }
};

/// Matches an Output whose elements are in their ranges, but for some.
template <class T>
class InRanges : public Catch::Matchers::MatcherGenericBase {
public:
    using Ranges = std::vector<Range<T>>;

    InRanges(std::shared_ptr<const Ranges> ranges, Range<T> legal, std::size_t misses_allowed)
        : ranges_(std::move(ranges)), legal_(legal), misses_allowed_(misses_allowed) {}

    /// Messages name an element by its column and row, too.
    InRanges&& rows_of(int width) && {
        width_ = static_cast<std::size_t>(width);
        return std::move(*this);
    }
    /// Adds diagnosers: the first that recognises the mistake is quoted.
    InRanges&& or_diagnose(const Diagnosers& diagnosers) && {
        diagnosers_.insert(diagnosers_.end(), diagnosers.begin(), diagnosers.end());
        return std::move(*this);
    }
    InRanges&& or_diagnose(Diagnoser diagnoser) && {
        diagnosers_.push_back(std::move(diagnoser));
        return std::move(*this);
    }
    /// Says `sentence` if the wrong elements are what this wrong program gives, and the others do
    /// not speak against it; but not if that is true of two of the programs given, and what is
    /// to be said of them differs.
    InRanges&& or_looks_like(std::function<T(std::size_t i)> wrong, std::string sentence) && {
        lookalikes_.push_back({std::move(wrong), std::move(sentence)});
        return std::move(*this);
    }
    /// The same for each of these wrong programs.
    template <class Result>
    InRanges&& or_looks_like(const std::vector<KnownMistake<Result>>& mistakes) && {
        for (const auto& [result, sentence] : mistakes) {
            std::move(*this).or_looks_like(result, sentence);
        }
        return std::move(*this);
    }

    template <class V>
    bool match(const Output<V>& output) const;
    /// The same without a message. Reads each element once.
    template <class V>
    bool all_right(std::span<const V> values) const;
    std::string describe() const override { return description_; }

private:
    struct Lookalike {
        std::function<T(std::size_t)> value;
        std::string sentence;
    };
    template <class V>
    std::optional<std::string> looks_like(const Output<V>& output) const;

    // A mistake must explain this share of the wrong elements, of which there are at least kFewest.
    // Not all: races turn some of them into something else.
    static constexpr double kExplained = 0.97, kFewest = 6;

    std::shared_ptr<const Ranges> ranges_;  ///< shared: matchers are copied, ranges are large
    Range<T> legal_;
    std::size_t misses_allowed_, width_ = 0;
    Diagnosers diagnosers_;
    std::vector<Lookalike> lookalikes_;
    mutable std::string description_ = "has its elements in their ranges";
};

/// Element i is in ranges[i], or at most `misses_allowed` are not, but are still `legal`.
template <class T>
InRanges<T> in_ranges(std::shared_ptr<const std::vector<Range<T>>> ranges, Range<T> legal,
                      std::size_t misses_allowed) {
    return {std::move(ranges), legal, misses_allowed};
}
template <class T>
InRanges<T> in_ranges(std::vector<Range<T>> ranges, Range<T> legal, std::size_t misses_allowed) {
    return {std::make_shared<const std::vector<Range<T>>>(std::move(ranges)), legal,
            misses_allowed};
}

template <class T>
template <class V>
bool InRanges<T>::all_right(std::span<const V> values) const {
    if (values.size() != ranges_->size()) return false;
    std::atomic<std::size_t> misses = 0;
    for_each_range(values.size(), [&](std::size_t begin, std::size_t end) {
        std::size_t here = 0;
        for (std::size_t i = begin; i < end; ++i) {
            if ((*ranges_)[i].holds(values[i])) continue;
            here += legal_.holds(values[i]) ? 1 : misses_allowed_ + 1;
        }
        misses += here;
    });
    return misses <= misses_allowed_;
}

template <class T>
template <class V>
std::optional<std::string> InRanges<T>::looks_like(const Output<V>& output) const {
    std::optional<std::string> found;
    for (const Lookalike& lookalike : lookalikes_) {
        double wrong = 0, explained = 0, against = 0;
        for (std::size_t i = 0; i < output.size(); ++i) {
            const Range<T>& range = (*ranges_)[i];
            const bool is_right = range.holds(output[i]);
            if (is_right && !range.is_one()) continue;  // both programs may give this
            const bool is_alike = lookalike.value(i) == output[i];
            wrong += is_right ? 0 : 1;
            explained += !is_right && is_alike ? 1 : 0;
            against += is_right && !is_alike ? 1 : 0;
        }
        if (wrong < kFewest || explained < kExplained * wrong ||
            against > (1 - kExplained) * wrong) {
            continue;
        }
        if (found && *found != lookalike.sentence) return std::nullopt;
        found = lookalike.sentence;
    }
    return found;
}

template <class T>
template <class V>
bool InRanges<T>::match(const Output<V>& output) const {
    if (all_right(std::span<const V>(output.values()))) return true;
    detail::Mismatch mismatch;
    mismatch.is_fresh = [&](std::size_t i) { return on_vgpu() && detail::is_fresh(output[i]); };
    Evidence& evidence = mismatch.evidence;
    const std::size_t size = std::min(output.size(), ranges_->size());
    const auto is_forgivable = [&](std::size_t i) {
        return !output.untouched(i) && legal_.holds(output[i]) && !(*ranges_)[i].holds(output[i]);
    };
    // Forgiven misses are not part of the mistake.
    const auto indices = std::views::iota(std::size_t{0}, size);
    const bool forgiven =
        static_cast<std::size_t>(std::ranges::count_if(indices, is_forgivable)) <= misses_allowed_;
    for (std::size_t i = 0; i < output.size(); ++i) {
        evidence.right.push_back(
            i < size && ((*ranges_)[i].holds(output[i]) || (forgiven && is_forgivable(i))));
        evidence.untouched.push_back(output.untouched(i));
    }
    evidence.name = output.name();
    evidence.launches = output.facts().launches;
    evidence.launches_known = on_vgpu();
    evidence.on_host = output.on_host();
    evidence.element_bytes = sizeof(V);
    evidence.same = [&](std::size_t got, std::size_t expected) {
        return got < size && expected < size && (*ranges_)[expected].holds(output[got]);
    };
    mismatch.facts = &output.facts();
    mismatch.expected_size = ranges_->size();
    mismatch.show_got = [&](std::size_t i) { return detail::show(output[i]); };
    mismatch.show_expected = [&](std::size_t i) {
        const Range<T>& range = (*ranges_)[i];
        std::string text = detail::show(V(range.low));
        if (!range.is_one()) text += " to " + detail::show(V(range.high));
        if (width_ == 0) return text;
        return text + " (column " + std::to_string(i % width_) + ", row " +
               std::to_string(i / width_) + ")";
    };
    if (output.facts().again) {
        mismatch.again = [&] {
            using Again = detail::Mismatch::Again;
            const auto bytes = output.facts().again(output.name());
            if (!bytes || bytes->size() != output.size() * sizeof(V)) return Again::failed;
            const auto before = std::as_bytes(std::span<const V>(output.values()));
            if (std::ranges::equal(*bytes, before)) return Again::same;
            std::vector<V> repeated(output.size());
            if (!bytes->empty()) std::memcpy(repeated.data(), bytes->data(), bytes->size());
            return all_right(std::span<const V>(repeated)) ? Again::right : Again::different;
        };
    }
    Diagnosers diagnosers{[&](const Evidence&) { return looks_like(output); }};
    diagnosers.insert(diagnosers.end(), diagnosers_.begin(), diagnosers_.end());
    description_ = detail::report_mismatch(mismatch, diagnosers);
    return false;
}

}  // namespace lab

#include "check/model/agreement.h"
#include "base/median.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace lab::model {
namespace {

constexpr double kClearRatio = 1.5;

/// 0 for the smallest; equal values share the mean of their ranks.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> result(values.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        for (std::size_t i = begin; i < end; ++i) {
            result[order[i]] = static_cast<double>(begin + end - 1) / 2;
        }
    }
    return result;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    const double mean_x = std::reduce(x.begin(), x.end()) / n,
                 mean_y = std::reduce(y.begin(), y.end()) / n;
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace

bool is_held_out(const Variant& variant) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : variant.family + "/" + variant.name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return std::popcount(hash) % 2 == 1;
}

std::size_t Agreement::family_inversions() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        inversions, [](const Inversion& i) { return i.faster.family == i.slower.family; }));
}

double ratio_error(const Variant& variant, const Variant& reference) {
    const double modelled = variant.modelled_ms / reference.modelled_ms,
                 measured = variant.measured_ms / reference.measured_ms;
    return std::max(modelled / measured, measured / modelled) - 1;
}

Agreement agreement_of(const std::vector<Variant>& all, bool (*counts)(const Variant&)) {
    std::vector<Variant> some;
    std::ranges::copy_if(all, std::back_inserter(some), counts);
    Agreement result;
    result.variants = some.size();

    std::vector<double> measured, modelled, errors;
    for (const Variant& variant : some) {
        measured.push_back(variant.measured_ms);
        modelled.push_back(variant.modelled_ms);
        const auto reference = std::ranges::find_if(all, [&](const Variant& other) {
            return other.is_reference && other.family == variant.family;
        });
        if (variant.is_reference || reference == all.end()) continue;
        errors.push_back(ratio_error(variant, *reference));
        if (errors.back() >= result.worst_ratio_error) {
            result.worst_ratio_error = errors.back();
            result.worst = variant.family + ": " + variant.name;
        }
    }
    result.rank_correlation = correlation(ranks(measured), ranks(modelled));
    result.median_ratio_error = median(errors);

    for (const Variant& faster : some) {
        for (const Variant& slower : some) {
            if (slower.measured_ms < kClearRatio * faster.measured_ms) continue;
            ++result.pairs;
            if (slower.family == faster.family) ++result.family_pairs;
            if (slower.modelled_ms <= faster.modelled_ms) {
                result.inversions.push_back({faster, slower});
            }
        }
    }
    return result;
}

}  // namespace lab::model

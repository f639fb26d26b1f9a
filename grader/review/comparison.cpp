#include "review/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/quantity.h"
#include "profiler/numbers.h"
#include "profiler/parts.h"

namespace lab {

using profiles::ratio;
using profiles::real;

namespace {

using Kernels = std::vector<KernelProfile>;

double sum(const Kernels& kernels, const std::function<double(const KernelProfile::Sum&)>& value) {
    double all = 0;
    for (const KernelProfile& kernel : kernels) all += value(kernel.all);
    return all;
}

std::vector<ComparedRow> counts_of(const Kernels& mine, const Kernels& theirs) {
    using Value = std::function<double(const KernelProfile::Sum&)>;
    const std::pair<const char*, Value> values[] = {
        {"launches", [](const auto& k) { return real(k.launches); }},
        {"blocks", [](const auto& k) { return real(k.blocks); }},
        {"instructions of warps", [](const auto& k) { return real(k.counts.warp_instructions); }},
        {"global sectors",
         [](const auto& k) {
             return real(k.counts.global_load_sectors + k.counts.global_store_sectors);
         }},
        {"shared wavefronts",
         [](const auto& k) {
             return real(k.counts.shared_load_wavefronts + k.counts.shared_store_wavefronts +
                         k.counts.shared_atomic_wavefronts);
         }},
        {"local sectors",
         [](const auto& k) {
             return real(k.counts.local_load_sectors + k.counts.local_store_sectors);
         }},
        {"barriers", [](const auto& k) { return real(k.counts.barriers); }},
        {"divergent branches", [](const auto& k) { return real(k.counts.divergent_branches); }},
        {"atomics",
         [](const auto& k) { return real(k.counts.global_atomics + k.counts.shared_atomics); }},
    };
    std::vector<ComparedRow> rows;
    for (const auto& [name, value] : values) {
        const ComparedRow row{name, sum(mine, value), sum(theirs, value)};
        if (row.submission > 0 || row.reference > 0) rows.push_back(row);
    }
    return rows;
}

std::vector<ComparedRow> parts_of(const Kernels& mine, const Kernels& theirs) {
    std::vector<ComparedRow> rows;
    for (const profiles::Part& part : profiles::kParts) {
        const auto value = [&](const auto& all) { return all.cost.*part.time_s; };
        rows.push_back({part.name, sum(mine, value), sum(theirs, value), true});
    }
    return rows;
}

/// "3.1 times the", "half the"
std::string times(double factor) {
    return factor > 0.45 && factor < 0.55 ? "half of" : fmt::format("{:.2g} times", factor);
}

std::string count_difference(const std::vector<ComparedRow>& counts) {
    const ComparedRow* most = nullptr;
    double furthest = 0;
    for (const ComparedRow& row : counts) {
        if (row.submission == 0 || row.reference == 0) continue;
        const double distance = std::abs(std::log(row.submission / row.reference));
        if (distance > furthest) {
            furthest = distance;
            most = &row;
        }
    }
    constexpr double kMuch = 0.1;
    if (most == nullptr || furthest < kMuch)
        return "Your counts are within 10 % of the reference's.";
    return fmt::format("The counts differ most in {}: {} against {}.", most->name,
                       count_text(most->submission), count_text(most->reference));
}

/// Of what both spend time on, where it differs most.
std::string part_difference(const Comparison& comparison) {
    const ComparedRow* most = nullptr;
    for (const ComparedRow& row : comparison.parts)
        if (most == nullptr ||
            std::abs(row.submission - row.reference) > std::abs(most->submission - most->reference))
            most = &row;
    if (most == nullptr || most->submission == most->reference) return "";
    return fmt::format("Most of it is in {}: {} against {}, each alone.", most->name,
                       time_text(most->submission), time_text(most->reference));
}

std::string why(const Comparison& comparison) {
    constexpr double kSame = 0.03;
    const double factor = ratio(comparison.submission_s, comparison.reference_s);
    if (std::abs(factor - 1) < kSame)
        return "Yours takes as long as the reference. " + count_difference(comparison.counts);
    const std::string first =
        factor > 1 ? fmt::format("Yours takes {} the reference's time. ", times(factor))
                   : fmt::format("Yours is {:.2g} times as fast as the reference. ", 1 / factor);
    return first + part_difference(comparison) + " " + count_difference(comparison.counts);
}

}  // namespace

Comparison compare_kernels(const Kernels& submission, const Kernels& reference) {
    Comparison comparison;
    const auto seconds = [](const auto& all) { return all.seconds; };
    comparison.submission_s = sum(submission, seconds);
    comparison.reference_s = sum(reference, seconds);
    comparison.counts = counts_of(submission, reference);
    comparison.parts = parts_of(submission, reference);
    comparison.why = why(comparison);
    return comparison;
}

}  // namespace lab

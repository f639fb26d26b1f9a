// Measures the agreement of modelled and measured times in order and ratios, which decide speed
// tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

// A hash of their names splits variants into two halves. Constants of the model are chosen on the
// fit half only; the held-out half tests them.

namespace lab::model {

struct Variant {
    std::string family, name;
    double measured_ms = 0, modelled_ms = 0;
    bool is_reference = false;  ///< the others of its family are compared with it
};

/// FNV-1a of "family/name", its bits folded into one.
bool is_held_out(const Variant&);

struct Inversion {
    Variant faster, slower;  ///< as measured
    double measured_ratio() const { return slower.measured_ms / faster.measured_ms; }
    double modelled_ratio() const { return slower.modelled_ms / faster.modelled_ms; }
};

struct Agreement {
    std::size_t variants = 0;
    double rank_correlation = 0;              ///< Spearman's, equal values share a rank
    std::size_t pairs = 0, family_pairs = 0;  ///< whose measured ratio is 1.5 or more
    std::vector<Inversion> inversions;        ///< of those, in the wrong order, as modelled
    std::size_t family_inversions() const;
    /// Of each variant's ratio to its family's reference: modelled / measured or the inverse,
    /// whichever is larger, less 1. References themselves do not count.
    double median_ratio_error = 0, worst_ratio_error = 0;
    std::string worst;
};

/// Of the variants that `counts` says true for; references are looked up among all.
Agreement agreement_of(const std::vector<Variant>& all, bool (*counts)(const Variant&));

/// The error of one variant's ratio, as above.
double ratio_error(const Variant& variant, const Variant& reference);

}  // namespace lab::model

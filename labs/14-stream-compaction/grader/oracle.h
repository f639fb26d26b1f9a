// The answers of lab 14 on the CPU, its data, and comparisons where any order is right.
#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "check/check.h"
#include "stream_compaction.h"

using Floats = std::vector<float>;
using Entries = std::vector<Entry>;

bool operator==(const Entry& a, const Entry& b);
std::ostream& operator<<(std::ostream& os, const Entry& entry);

/// What stands in a slot that the function has not changed. No job makes it.
inline constexpr Entry kNotWritten = {-2, -2};

/// The elements that are kept, in order.
Floats kept_of(std::span<const float> a);

/// All entries, in the order of the jobs.
Entries factors_of(std::span<const int> numbers);

/// Which elements are kept.
enum class Data : unsigned char {
    half,     ///< about half of them, anywhere
    sparse,   ///< one of about 40, so that many warps keep none
    runs,     ///< long rows of kept ones, and of others
    all,      ///<
    none,     ///<
    first,    ///< the first alone
    last,     ///< the last alone
    unusual,  ///< NaNs, infinities, both zeros and numbers below FLT_MIN among them
};

/// n elements of that kind, nearly all different.
Floats elements(int n, Data data);

/// What jobs have to do.
enum class Work : unsigned char {
    mixed,    ///< numbers of all kinds, 1 and powers of 2 among them
    nothing,  ///< 1 everywhere: no values
    many,     ///< 2^20 to 2^29: 20 values and more in a row
    /// Small numbers, many that make ten values at once and then take some hundred steps, and one
    /// that takes 10,000. So much work that all warps get some of it, and their ranges mix: on the
    /// virtual GPU a warp goes on alone for some hundred rounds. Three have large factors.
    uneven,
    pairs,  ///< two values each: 32 jobs of one warp fill a range, and need no other
};

/// A number for each job.
std::vector<int> numbers_for(int jobs, Work work);

/// `pool`, put into another order: elements that `like` has, too, stand where they stand there, the
/// others in the places that are left, by their bits. Both have the same size. NaNs are all alike.
Floats arranged(const Floats& pool, const Floats& like);

/// `output`, to be compared with expected elements that are arranged like it: a repeated call may
/// have another order, and is arranged as well.
lab::Output<float> in_any_order(const lab::Output<float>& output);

/// What `entries` should hold, where it holds it in any order. The number of gaps is `reserved` -
/// `made`. Slots from `reserved` on are kNotWritten.
Entries expected_entries(const Entries& got, Entries values, int reserved);

/// The entries of a call, kNotWritten where it has written nothing.
lab::Output<Entry> with_unwritten(const lab::Output<Entry>& output);

/// For speed tests: matches if the first elements are these, in any order or in this one. What
/// stands behind them does not matter.
class Begins {
public:
    Begins(Floats expected, bool in_order) : expected_(std::move(expected)), in_order_(in_order) {}
    bool all_right(std::span<const float> values) const;
    bool match(const lab::Output<float>& output) const;
    std::string describe() const { return description_; }

private:
    Floats expected_;
    bool in_order_;
    mutable std::string description_ = "begins with the kept elements";
};

// Mistakes in sums: one number, computed from values that the grader knows, a block of threads at a
// time.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "check/diagnose/diagnose.h"

// Use:
//
//   CHECK_THAT(call.output(), close_to(expected, tolerance).or_diagnose(sum_mistakes(values)));
//   ... sum_mistakes(values, {.block_sizes = {threads}})       the contract fixes the block size
//   ... sum_mistakes(values, {.at = 2})                        the sum is element 2 of the output
//
// Each mistake predicts a number. Its sentence appears if exactly that number came out, and no
// other mistake explains it. So use random values (with equal ones all parts look alike), sizes
// that no block divides, and a tolerance that is derived, not generous.
//
// Recognised: nothing was added; only block 0's values, or those of one other block; too few
// threads; the last n mod B left out; whole blocks at the end left out; the first or the last value
// left out; the first one twice; k times too large; a tree over a block that is not a power of two;
// added to memory that was never set; blockIdx, threadIdx or blockDim missing from the index, or
// the first two exchanged; block 0's part added by all of its threads; one value alone, their
// number, the sum of their indices, their average, their sum with the wrong sign. For all
// functions: each call adds to the result of the last, and results that differ from run to run
// (check/diagnose/mismatch.cpp).

namespace lab {

struct SumShape {
    /// Values that a block adds up. Where the launch is known, its threads are tried too, and those
    /// of blocks in which each thread takes 2, 4 or 8 values.
    std::vector<std::size_t> block_sizes = {32, 64, 128, 256, 512, 1024};
    std::size_t at = 0;  ///< which element of the output is the sum
};

Diagnosers sum_mistakes_of(std::vector<double> values, SumShape shape);

/// For the sum of `values`.
template <class T>
Diagnosers sum_mistakes(const std::vector<T>& values, SumShape shape = {}) {
    static_assert(std::is_arithmetic_v<T>);
    return sum_mistakes_of(std::vector<double>(values.begin(), values.end()), std::move(shape));
}

}  // namespace lab

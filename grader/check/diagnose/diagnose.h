// Diagnosers: each recognises one mistake from the places where an output is right, wrong or
// untouched, and names it in a sentence. A wrong diagnosis costs a student more than none. So each
// speaks only when no other mistake looks the same, and has a test with a look-alike.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/gpu/launch_record.h"
#include "check/gpu/operation_record.h"

// Use:
//
//   equals(expected).or_diagnose(indexing_mistakes)              each element is one thread's
//                   .or_diagnose(image_mistakes(height, width))  check/diagnose/image.h
//                   .or_diagnose(sum_mistakes(values))           check/sums/sum.h
//
// They run in the given order, after or_looks_like. Some run always (check/diagnose/mismatch.cpp):
// bytes that cudaMemset has set; only the second call of twice() is wrong; each call adds to the
// result of the last; the same call with the same data gives another result; floats that came out
// whole, or with the digits of a shorter type.

namespace lab {

/// Threads of a warp.
inline constexpr std::size_t kWarpLanes = 32;

/// An output against what was expected, without its type.
struct Evidence {
    std::string name;                    ///< of the output parameter
    std::vector<bool> right, untouched;  ///< a flag an element
    /// Is what stands at `got` what was expected at `expected`?
    std::function<bool(std::size_t got, std::size_t expected)> same;
    /// Numbers only: what stands at an element, what was expected there, what stood there before
    /// the call, and how far off the matcher lets it be. Empty for other types.
    std::function<double(std::size_t)> got, expected, before, tolerance;
    std::vector<LaunchRecord> launches;  ///< on the virtual GPU
    bool launches_known = false;         ///< false on a GPU
    bool on_host = false;                ///< the output is in host memory
    bool floating = false;               ///< elements are float or double
    std::size_t element_bytes = 1;

    std::size_t size() const { return right.size(); }
};

/// The mistake in a sentence, or nothing.
using Diagnoser = std::function<std::optional<std::string>(const Evidence&)>;
using Diagnosers = std::vector<Diagnoser>;

// One mistake each, with the sentence that begins its answer.

/// "Nothing was written to c": no launch, no store, or no copy back.
std::optional<std::string> nothing_written(const Evidence&);
/// "Only the first quarter of c arrived": a cudaMemcpy that counts elements, not bytes.
std::optional<std::string> bytes_for_elements(const Evidence&);
/// "Only the first 100 elements arrived on the host": a cudaMemcpy of some other number of bytes.
std::optional<std::string> beginning_arrived(const Evidence&);
/// "Only one element was written": a launch of one thread, or an index that is always 0.
std::optional<std::string> only_one_thread(const Evidence&);
/// "Only block 0 is right": blockIdx is missing from the index.
std::optional<std::string> only_first_block(const Evidence&);
/// "4 blocks of 64 threads are 256 threads for 257 elements": too few, and no loop.
std::optional<std::string> too_few_threads(const Evidence&);
/// "Only the first 256 elements were written": the two above, where launches are not known.
std::optional<std::string> only_a_beginning(const Evidence&);
/// "The last 3 elements were not written": n is no multiple of what a thread handles.
std::optional<std::string> vector_tail(const Evidence&);
/// "Only the first 65536 elements were written": an index of 16 bits.
std::optional<std::string> narrow_index(const Evidence&);
/// "Only the last element was not written": i < n - 1.
std::optional<std::string> last_element_missing(const Evidence&);
/// "Only the first element was not written": indices that start at 1.
std::optional<std::string> first_element_missing(const Evidence&);
/// "Only every 256th element was written": threadIdx is missing from the index.
std::optional<std::string> every_nth(const Evidence&);
/// "Every element holds what belongs one place later": an index off by one.
std::optional<std::string> shifted_by_one(const Evidence&);

/// "Every element of c is a whole number": floats that went through an int. Where many are expected
/// to have digits after the point, and none has; all of them 0 included.
std::optional<std::string> whole_numbers(const Evidence&);

/// "Every element of c has 11 binary digits at most": floats that went through a shorter type, and
/// came out near the right numbers.
std::optional<std::string> few_digits(const Evidence&);

/// "cudaMemset sets bytes, not elements": every wrong element holds one byte again and again, as
/// 0x01010101, or is that much too large. Not the bytes 0 and 255, with which 0 and -1 come out
/// right.
std::optional<std::string> bytes_set(const Evidence&);

/// "cudaMemset was called with the value 1": of one to nine, in a call whose output is wrong.
std::optional<std::string> small_byte_set(const std::vector<OperationRecord>&);

/// All of the above but the last four, and wrong_index_formula (check/diagnose/launch.h), surest
/// first: for functions that give each element to one thread.
extern const Diagnosers indexing_mistakes;

}  // namespace lab

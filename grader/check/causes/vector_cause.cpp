// Accesses outside of an array from a grid along one axis: a thread too many, a loop without an
// end, an index that is too large or wraps around.
#include <fmt/format.h>

#include <algorithm>

#include "check/causes/outside_access.h"

namespace lab {
namespace {

/// The type that was too small for the index, when only that explains where it went.
const char* type_that_wraps(std::int64_t element, std::uint64_t index, std::uint64_t threads) {
    constexpr std::int64_t kChar = 1 << 8, kShort = 1 << 16;
    const auto own = static_cast<std::int64_t>(index), step = static_cast<std::int64_t>(threads);
    if (element >= 0) return nullptr;
    if (own - element == kChar) return "a char";
    // A loop in steps of the grid comes to where it wraps later. Small steps come everywhere.
    const bool is_own = own - element == kShort;
    const bool is_later = step >= 32 && element >= -kShort / 2 && own - element < kShort &&
                          (element + kShort - own) % step == 0;
    return is_own || is_later ? "a short" : nullptr;
}

/// Whether an output is far longer than `elements` and has element `index`: then the thread with
/// that index is not one too many. (Outputs that overlap inputs may be a little longer.)
bool is_of_a_longer_output(const Marshalled& call, std::uint64_t elements, std::uint64_t index) {
    return std::ranges::any_of(call.buffers, [&](const Buffer& buffer) {
        return buffer.written() && !buffer.parameter.scratch && index < buffer.elements &&
               buffer.elements > 2 * elements;
    });
}

/// A thread behind the last of n, which stores where nobody has a place: one sum a warp, say.
std::string beyond_n(const CallPlan& plan, const Outside& at, std::uint64_t index) {
    const auto n = integer_argument(plan, "n");
    if (!n || index < *n || at.read || at.elements >= *n) return "";
    return fmt::format(
        "Thread {} of the grid has no element of the {}, and {} has no place for it. Such threads "
        "must store nothing.",
        index, *n, at.array);
}

}  // namespace

std::string outside_the_vector(const OutsideAccess& access) {
    const CallPlan& plan = access.plan;
    const LaunchRecord& launch = access.launch;
    const Outside& at = access.at;
    const std::uint64_t index = access.index(0), threads = access.threads(0);
    const auto ahead = at.element - static_cast<std::int64_t>(index);
    if (const char* type = type_that_wraps(at.element, index, threads)) {
        return fmt::format(
            "Thread {} of the grid came to element {}: its index wrapped around, because it is "
            "kept in {}. Use an int.",
            index, at.element, type);
    }
    if (at.element < 0) return "";
    // In memory of the student's own, a thread need not have an element.
    const bool is_one_each =
        at.buffer != nullptr ||
        std::ranges::any_of(plan.arguments, [&](const PlannedArgument& argument) {
            const auto elements = static_cast<std::int64_t>(at.elements);
            return argument.is_integer && (argument.integer == elements ||
                                           argument.integer * argument.integer == elements);
        });
    if (!is_one_each) return "";
    if (at.read && at.buffer != nullptr && at.buffer->parameter.scratch) {
        // What lies far behind belongs to no count of results.
        if (at.element >= 2 * static_cast<std::int64_t>(at.elements)) return "";
        return fmt::format(
            "{} is for intermediate results, and has room for {}. How many results did the kernel "
            "before this one leave there?",
            at.array, at.elements);
    }
    if (index >= at.elements) {
        // Where a grid is not made for the elements of this array (one sum a block), indices of
        // threads and of elements have nothing to do with each other.
        const bool is_far_too_many = threads > at.elements + launch.threads_per_block();
        const bool goes_to_its_own =
            at.buffer != nullptr && at.element == static_cast<std::int64_t>(index);
        if (at.elements < 2 || (is_far_too_many && !goes_to_its_own)) {
            return beyond_n(plan, at, index);
        }
        if (is_of_a_longer_output(access.call, at.elements, index)) {
            if (!goes_to_its_own) return "";
            return fmt::format(
                "{0} has only {1} elements, but thread {2} of the grid uses {0}[{2}]. Is that the "
                "index of another array?",
                at.array, at.elements, index);
        }
        return fmt::format(
            "Thread {} of the grid has no element (the last is {}). Such threads must do nothing.",
            index, at.elements - 1);
    }
    if (ahead > 0 && static_cast<std::uint64_t>(ahead) % threads == 0) {
        return fmt::format(
            "Thread {} of the grid comes to element {} in steps of {}, but there are only {}. Its "
            "loop must end before that.",
            index, at.element, threads, at.elements);
    }
    // So near to its own that it is no stride, and no vector.
    constexpr std::int64_t kNear = 2, kFar = 16;
    if (ahead >= 1 && ahead <= kNear && index >= kFar) {
        const std::string remedy = at.buffer != nullptr
                                       ? fmt::format("the index is {} too large.", ahead)
                                       : fmt::format(
                                             "the index is {0} too large, or the array that you "
                                             "allocated is {0} too short.",
                                             ahead);
        return fmt::format(
            "Thread {} of the grid has an element, but goes to element {}, and the last one is {}: "
            "{}",
            index, at.element, at.elements - 1, remedy);
    }
    return "";
}

}  // namespace lab

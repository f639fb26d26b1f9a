// The message of an output that is not what it must be.
#include <fmt/format.h>

#include <algorithm>

#include "check/matchers.h"
#include "check/test_log.h"

namespace lab {
namespace {

using detail::Mismatch;

constexpr const char* kSecondCallOnly =
    "The first call with this size was right and the second, with other data, was not. Either "
    "something is left over from the first (a static or __device__ variable, memory reused without "
    "being set), or threads race for the same memory.";

constexpr const char* kAddsUp =
    "When the same call was repeated, the result had grown by what one call must give: each call "
    "adds to what the one before left. Set it to 0 at the start of every call.";

constexpr const char* kUnsteady =
    "The same call with the same data gave another result when it was repeated: threads race for "
    "the same memory (a barrier is missing, or an update is not atomic), or memory is read that "
    "was never written.";

constexpr const char* kLeftOver =
    "The same call with the same data gave another result when it was repeated: something is left "
    "over from the call before (a static or __device__ variable, memory reused without being set).";

// A race may well give the same twice.
constexpr int kRepetitions = 3;

/// What repeating the call says; empty: nothing.
std::string diagnosis_by_repetition(const Mismatch& mismatch) {
    using Again = Mismatch::Again;
    // Only the first failure of a test is shown, and the virtual GPU repeats itself.
    if (!mismatch.again || test_log().first_failure()) return "";
    const bool repeats = mismatch.evidence.launches_known;
    for (int i = 0; i < (repeats ? 1 : kRepetitions); ++i) {
        const Again again = mismatch.again();
        if (again == Again::failed) return "";
        if (again == Again::adds_up) return kAddsUp;
        if (again == Again::different) return repeats ? kLeftOver : kUnsteady;
    }
    return "";
}

std::string diagnosis_of(const Evidence& evidence, const Diagnosers& diagnosers) {
    for (const Diagnoser& diagnoser : diagnosers) {
        if (auto sentence = diagnoser(evidence)) return *sentence;
    }
    return whole_numbers(evidence).value_or("");
}

}  // namespace

std::string detail::report_mismatch(const Mismatch& mismatch, const Diagnosers& diagnosers) {
    const Evidence& evidence = mismatch.evidence;
    Failure failure;
    failure.case_text = mismatch.facts->case_text;
    failure.place = mismatch.facts->place;
    const std::string& call = mismatch.facts->call_text;
    if (evidence.size() != mismatch.expected_size) {
        failure.message =
            fmt::format("{}: {} has {} elements, the grader expects {}: the grader is wrong here.",
                        call, evidence.name, evidence.size(), mismatch.expected_size);
    } else {
        const auto& right = evidence.right;
        const auto wrong = static_cast<std::size_t>(std::count(right.begin(), right.end(), false));
        const auto first =
            static_cast<std::size_t>(std::find(right.begin(), right.end(), false) - right.begin());
        const bool untouched = evidence.untouched[first];
        failure.message = fmt::format(
            "{}: {} of {} elements of {} {} wrong.\n"
            "  first wrong   {}[{}]\n"
            "  expected      {}{}\n"
            "  got           {}",
            call, wrong, evidence.size(), evidence.name, wrong == 1 ? "is" : "are", evidence.name,
            first, mismatch.show_expected(first),
            mismatch.show_tolerance ? ", give or take " + mismatch.show_tolerance(first) : "",
            untouched ? "nothing: this element was never written" : mismatch.show_got(first));
        failure.diagnosis = diagnosis_of(evidence, diagnosers);
    }
    const bool second_call_only = test_log().is_second_call_only(failure.case_text);
    if (second_call_only || failure.diagnosis.empty()) {
        const std::string said = diagnosis_by_repetition(mismatch);
        // That it is left over from the first call is what the second says, too.
        const bool is_more = !said.empty() && !(second_call_only && said == kLeftOver);
        failure.diagnosis = is_more ? said : second_call_only ? kSecondCallOnly : "";
    }
    const std::string message = failure.message;
    test_log().offer(std::move(failure));
    return message;
}

}  // namespace lab

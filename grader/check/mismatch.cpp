// The message of an output that is not what it must be.
#include <fmt/format.h>

#include <algorithm>

#include "check/matchers.h"
#include "check/test_log.h"

namespace lab {
namespace {

constexpr const char* kSecondCallOnly =
    "The first call with this size was right and the second, with other data, was not. Either "
    "something is left over from the first (a static or __device__ variable, memory reused without "
    "being set), or threads race for the same memory.";

std::string diagnosis_of(const Evidence& evidence, const Diagnosers& diagnosers) {
    for (const Diagnoser& diagnoser : diagnosers) {
        if (auto sentence = diagnoser(evidence)) return *sentence;
    }
    return "";
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
    if (test_log().is_second_call_only(failure.case_text)) failure.diagnosis = kSecondCallOnly;
    const std::string message = failure.message;
    test_log().offer(std::move(failure));
    return message;
}

}  // namespace lab

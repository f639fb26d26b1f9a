// The message of an output that is not what it must be.
#include "check/diagnose/mismatch.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/diagnose/values_window.h"
#include "check/explain/explain.h"
#include "check/output/test_log.h"

namespace lab {
namespace {

using detail::Mismatch;

constexpr const char* kSecondCallOnly =
    "The first call with this size was right, and the second, with other data, was not. Is "
    "something left over from the first call, such as a static or __device__ variable?";

constexpr const char* kAddsUp =
    "When the same call was repeated, the result had grown by what one call must give: each call "
    "adds to what the call before has left.";

constexpr const char* kUnsteady =
    "The same call with the same data gave another result when it was repeated: threads race for "
    "the same memory (a barrier is missing, or an update is not atomic), or memory is read that "
    "was never written.";

constexpr const char* kLeftOver =
    "The same call with the same data gave another result when it was repeated: something is left "
    "over from the call before (a static or __device__ variable, memory reused without being set).";

constexpr const char* kLeftOverFromOthers =
    "In a process that has just begun, the same call with the same data is right: something is "
    "left "
    "over from the calls before it (a static or __device__ variable, memory reused without being "
    "set).";

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
        if (again == Again::different || again == Again::right)
            return repeats ? kLeftOver : kUnsteady;
    }
    if (!repeats || test_log().repetition != 2) return "";
    const RepetitionScope in_order(1);
    return mismatch.again() == Again::right ? kDependsOnOrder : "";
}

/// Whether the call is right where no other was made before it. Asked for the first failure of a
/// test only: a new process takes a tenth of a second.
bool is_right_afresh(const Mismatch& mismatch) {
    if (!mismatch.again || !mismatch.facts->begin_afresh || test_log().first_failure())
        return false;
    mismatch.facts->begin_afresh();
    return mismatch.again() == Mismatch::Again::right;
}

struct Diagnosis {
    std::string text;
    bool knows_all = false;  ///< it explains every value
};

/// Memory that nothing has written holds one byte again and again, too, which nobody set.
bool has_fresh(const Mismatch& mismatch) {
    if (!mismatch.is_fresh) return false;
    for (std::size_t i = 0; i < mismatch.evidence.size(); ++i)
        if (!mismatch.evidence.right[i] && mismatch.is_fresh(i)) return true;
    return false;
}

Diagnosis diagnosis_of(const Mismatch& mismatch, const Diagnosers& diagnosers) {
    const Evidence& evidence = mismatch.evidence;
    if (!has_fresh(mismatch))
        if (auto sentence = bytes_set(evidence)) return {*sentence, true};
    // Where elements are bytes, cudaMemset sets elements.
    if (evidence.element_bytes > 1)
        if (auto sentence = small_byte_set(mismatch.facts->operations)) return {*sentence, false};
    for (std::size_t i = 0; i < diagnosers.size(); ++i) {
        if (auto sentence = diagnosers[i](evidence)) return {*sentence, i < mismatch.lookalikes};
    }
    return {};
}

/// Says so when all wrong elements came from memory that nothing had written.
std::optional<std::string> copied_from_nothing(const Mismatch& mismatch, std::size_t wrong) {
    const Evidence& evidence = mismatch.evidence;
    if (!mismatch.is_fresh || !evidence.on_host) return std::nullopt;
    std::size_t fresh = 0, first = evidence.size(), last = 0;
    for (std::size_t i = 0; i < evidence.size(); ++i) {
        if (evidence.right[i] || !mismatch.is_fresh(i)) continue;
        ++fresh;
        first = std::min(first, i);
        last = i;
    }
    if (fresh == 0 || fresh != wrong) return std::nullopt;
    const std::string& name = evidence.name;
    if (fresh == evidence.size()) {
        return fmt::format(
            "All of {} was copied from device memory that nothing had written. Does the kernel "
            "write to that memory, and before the copy?",
            name);
    }
    if (last + 1 == evidence.size() && last - first + 1 == fresh) {
        return fmt::format(
            "{} of {} elements of {}, the last, {} copied from device memory that nothing had "
            "written: the kernel wrote {} only. Did it get the right number of elements, and "
            "enough threads?",
            fresh, evidence.size(), name, fresh == 1 ? "was" : "were", first);
    }
    return fmt::format(
        "{} element{} of {} {} copied from device memory that nothing had written: the kernel left "
        "{} out, or wrote to another place than the copy read.",
        fresh, fresh == 1 ? "" : "s", name, fresh == 1 ? "was" : "were",
        fresh == 1 ? "it" : "them");
}

}  // namespace

std::string detail::report_mismatch(const Mismatch& mismatch, const Diagnosers& diagnosers) {
    const Evidence& evidence = mismatch.evidence;
    Failure failure;
    failure.case_text = mismatch.facts->case_text;
    failure.place = mismatch.facts->place;
    const std::string& call = mismatch.facts->call_text;
    failure.call_text = call;
    Diagnosis diagnosis;
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
            untouched ? "nothing: this element was never written"
                      : mismatch.show_got(first) +
                            (mismatch.is_fresh && mismatch.is_fresh(first)
                                 ? ", which is device memory that nothing has written"
                                 : ""));
        failure.values = values_window(mismatch);
        diagnosis = diagnosis_of(mismatch, diagnosers);
        if (diagnosis.text.empty()) {
            if (auto said = copied_from_nothing(mismatch, wrong)) diagnosis = {*said, true};
        }
        if (diagnosis.text.empty()) {
            diagnosis.text = whole_numbers(evidence).value_or("");
        }
        if (diagnosis.text.empty()) {
            if (auto said = few_digits(evidence)) diagnosis = {*said, true};
        }
        failure.diagnosis = diagnosis.text;
    }
    const bool second_call_only =
        test_log().is_second_call_only(failure.case_text) && !diagnosis.knows_all;
    const bool may_repeat = second_call_only || failure.diagnosis.empty();
    const std::string said = may_repeat ? diagnosis_by_repetition(mismatch) : "";
    const bool tries_afresh = !second_call_only && !diagnosis.knows_all && said != kAddsUp;
    if (tries_afresh && is_right_afresh(mismatch)) {
        // What else is said describes what is missing, and not why.
        failure.diagnosis = kLeftOverFromOthers;
    } else if (may_repeat) {
        // That it is left over from the first call is what the second says, too.
        const bool is_more = !said.empty() && !(second_call_only && said == kLeftOver);
        const std::string of_the_data =
            diagnosis.text.empty() ? "" : " If it is the data: " + diagnosis.text;
        failure.diagnosis = is_more ? said : second_call_only ? kSecondCallOnly + of_the_data : "";
    }
    const std::string message = failure.message;
    test_log().offer(std::move(failure));
    return message;
}

}  // namespace lab

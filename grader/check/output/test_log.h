// Gathers the facts of the running test until its result line is written. Failures come from calls
// and matchers, which do not know each other, and from plain CHECKs.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "check/output/flag.h"
#include "check/output/place.h"

namespace lab {

struct Failure {
    std::string message;    ///< whole, for people; may be several lines
    std::string diagnosis;  ///< a sentence, or empty
    std::string case_text;  ///< "n = 257"
    std::string call_text;  ///< "vector_add(n = 257)"; empty: of no single call
    Place place;
    nlohmann::json places = nlohmann::json::array();  ///< lines to show, as results have them
    nlohmann::json values;  ///< of a wrong output, some elements; null: of no output
    nlohmann::json findings = nlohmann::json::array();
    Flags flags{};
    bool fatal = false;  ///< the runner was lost: the test's remaining calls are skipped
};

/// What happened, where the message begins with the call that it happened in.
std::string without_call(const Failure& failure);

class TestLog {
public:
    /// A new test begins; nothing is known of it.
    void clear() { *this = TestLog(); }

    /// Offers the words for an assertion that is about to fail.
    void offer(Failure failure) { offered_ = std::move(failure); }
    /// The assertion passed: the words are of no use.
    void withdraw() { offered_.reset(); }
    /// What to add to the message of the next plain assertion that fails.
    void remark(Failure remark) { remark_ = std::move(remark); }
    /// An assertion failed: takes the words offered, or else `plain`, Catch2's own.
    void failed(const std::string& plain);

    std::string name;  ///< the test's

    const std::optional<Failure>& first_failure() const { return first_; }
    const std::optional<Failure>& latest_failure() const { return latest_; }
    /// The cases that failed after the first one, each once. So many are enough: the rest of the
    /// test is skipped, for kernels with data races or endless work take seconds in each case.
    const std::vector<std::string>& other_cases() const { return other_cases_; }
    static constexpr std::size_t kEnoughOthers = 7;

    /// This case fails in the second call of twice(), and did not in the first.
    bool is_second_call_only(const std::string& case_text) const;

    /// Why calls are not made any more in this test; empty: they are.
    std::string blocked;
    bool skipped_cases = false;  ///< and some would have been made
    /// Nothing was run, for this reason: verdict "not_run".
    std::string not_run;
    bool inconclusive = false;
    std::string inconclusive_note;  ///< why, when there is more to say than that numbers are close
    bool is_picture = false;        ///< a [picture] case
    int repetition = 0;             ///< 1 or 2 inside twice(); the second runs in another order
    bool wants_writers = false;     ///< inside a WritersScope
    /// Looks at a call of this test once more, with other tools; empty: there is nothing to do.
    std::function<std::optional<Failure>()> recheck;
    std::string output;  ///< the beginning of what the submission printed
    std::string latest_case, latest_call;
    /// Of the call made last: that its launch has blocks and threads swapped, which explains all
    /// that may follow from it. Empty: it has not.
    std::string swapped_launch;
    Place latest_place;  ///< where the function that was called last is defined
    nlohmann::json speed;
    Flags flags;  ///< of all that failed
    /// The tables that a [picture] or [bench] case wrote.
    struct WrittenTable {
        std::string name;
        std::size_t rows = 0;
        bool has_calls = false;  ///< NAME-calls.csv lies next to it
    };
    /// Of the calls whose median a benchmark got last, for the row that it is about to write.
    std::vector<double> call_times_ms;
    std::vector<WrittenTable> tables;

private:
    std::optional<Failure> offered_, remark_, first_, latest_;
    std::vector<std::string> other_cases_;
};

TestLog& test_log();

/// Marks the calls made while it lives as the first or second of twice(). On the virtual GPU the
/// blocks and warps of a second call run in another order.
class RepetitionScope {
public:
    explicit RepetitionScope(int repetition);
    ~RepetitionScope();
    RepetitionScope(const RepetitionScope&) = delete;
    RepetitionScope& operator=(const RepetitionScope&) = delete;

private:
    const int before_;
};

/// The outputs of the calls made while it lives know which thread wrote what: Output::writers().
class WritersScope {
public:
    explicit WritersScope(bool wanted = true) {
        std::swap(test_log().wants_writers, wanted_ = wanted);
    }
    ~WritersScope() { test_log().wants_writers = wanted_; }
    WritersScope(const WritersScope&) = delete;
    WritersScope& operator=(const WritersScope&) = delete;

private:
    bool wanted_ = false;  ///< what it was before
};

}  // namespace lab

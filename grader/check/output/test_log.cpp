#include "check/output/test_log.h"

#include <algorithm>

namespace lab {

std::string without_call(const Failure& failure) {
    const std::string begin = failure.call_text + ": ";
    return failure.message.starts_with(begin) ? failure.message.substr(begin.size())
                                              : failure.message;
}

void TestLog::failed(const std::string& plain) {
    Failure failure;
    if (offered_) {
        failure = std::move(*offered_);
    } else {
        if (remark_) failure = std::move(*remark_);
        failure.message = plain;
        failure.case_text = latest_case;
    }
    offered_.reset();
    remark_.reset();
    if (failure.place.line == 0) failure.place = latest_place;
    if (!swapped_launch.empty()) failure.diagnosis = swapped_launch;
    add_flags(flags, failure.flags);
    // A speed test's calls have other sizes than the last one that was judged by itself.
    if (failure.call_text.empty() && failure.message.starts_with(latest_call + ": "))
        failure.call_text = latest_call;
    if (failure.fatal) blocked = "an earlier call of this test was lost";
    latest_ = failure;
    if (!first_) {
        first_ = std::move(failure);
        return;
    }
    const std::string& text = failure.case_text;
    const bool known =
        text.empty() || text == first_->case_text ||
        std::find(other_cases_.begin(), other_cases_.end(), text) != other_cases_.end();
    if (!known) other_cases_.push_back(text);
    if (other_cases_.size() >= kEnoughOthers && !is_picture)
        blocked = "enough cases of this test failed";
}

bool TestLog::is_second_call_only(const std::string& case_text) const {
    // twice() goes on after a failure of the first call, which is then noted here.
    const bool first_failed =
        (first_ && first_->case_text == case_text) ||
        std::find(other_cases_.begin(), other_cases_.end(), case_text) != other_cases_.end();
    return repetition == 2 && !first_failed;
}

TestLog& test_log() {
    static TestLog the_log;
    return the_log;
}

RepetitionScope::RepetitionScope(int repetition) : before_(test_log().repetition) {
    test_log().repetition = repetition;
}

RepetitionScope::~RepetitionScope() {
    test_log().repetition = before_;
}

}  // namespace lab

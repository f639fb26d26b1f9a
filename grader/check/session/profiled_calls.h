// What the virtual GPU counted in a lab's calls, for `lab profile` and `lab review`: of a function
// with a speed test, that test's call with a GPU's data, the submission's beside the reference's;
// of any other, the call that did most.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/call/call.h"
#include "check/gpu/launch_record.h"
#include "check/output/test_log.h"

namespace lab {

class ProfiledCalls {
public:
    /// A call of the running test that came back.
    void offer(const CallPlan& plan, const std::vector<LaunchRecord>& launches);
    /// The running speed test's, in place of those offered; `times`: how many times the data that
    /// ran the launches stand for.
    void judged(const std::string& function, const std::string& call_text, double times,
                const std::vector<LaunchRecord>& submission,
                const std::vector<LaunchRecord>& reference);

    /// An array of {"function", "test", "call", "times", "submission", "reference"}, in the order
    /// of the tests; the last two are arrays of the device's records of launches.
    nlohmann::ordered_json record() const;

private:
    struct Call {
        std::string function, test, call_text;
        double times = 1;
        bool is_judged = false;
        double work = 0;  ///< warp instructions
        std::vector<LaunchRecord> submission, reference;
    };
    std::vector<Call> calls_;
};

}  // namespace lab

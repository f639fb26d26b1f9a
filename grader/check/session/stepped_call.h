// The one call of a grading that a learner steps through (`lab step`): chosen while the tests run,
// and made once more when they have ended, with the virtual GPU recording it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "check/call/call.h"
#include "check/call/marshal.h"
#include "check/call/worker.h"
#include "check/output/test_log.h"

namespace lab {

/// Of the first test that failed in a call with a kernel, the failing call with the least data;
/// else the first that failed. If none failed, of all calls that launch kernels the one whose
/// threads are nearest to a few warps.
class SteppedCall {
public:
    /// A call of the running test, as it went.
    void offer(const CallPlan& plan, std::shared_ptr<const Marshalled> call,
               const Outcome& outcome);
    /// What was wrong with the call offered last.
    void failed(const Failure&);
    /// No later test changes what is chosen.
    bool is_chosen() const { return failed_ && failed_->has_kernel; }
    /// Makes the chosen call again, in a new process of the submission and in the reference's. What
    /// comes back is for step/lab_steps.h:
    ///
    ///   {"test":"...", "call":"vector_add(n = 31)", "failed":true,
    ///    "message":"...", "diagnosis":"...", "values":{...},
    ///    "arrays":{"c":{"columns":0,"bytes":4,"is_float":true},...}, "runs":[
    ///      {"is_reference":false, "launch":1, "recording":{...}, "files":{"/tmp/x.cu":"add.cu"},
    ///       "names":{"cudaMalloc #3":"c",...}, "findings":["..."]},...]}
    ///
    /// Recordings are as vgpu/record.h writes them. Without "test": no test made a call.
    nlohmann::ordered_json record() const;

private:
    struct Candidate {
        std::shared_ptr<const Marshalled> call;
        std::string test, function, call_text;
        nlohmann::ordered_json arrays;
        int repetition = 0;
        bool has_kernel = false;
        std::uint64_t data_bytes = 0;
        double distance = 0;             ///< of its threads from kLikelyThreads, in doublings
        std::string message, diagnosis;  ///< if it failed
        nlohmann::json values;           ///< if it failed so: of a wrong output
    };

    std::shared_ptr<const Candidate> latest_, failed_, right_;
};

}  // namespace lab

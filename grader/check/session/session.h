// One grading: the submission's worker, kept alive from call to call, and the limits on all of it.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/call/call_setting.h"
#include "check/call/endless.h"
#include "check/call/marshal.h"
#include "check/call/sanitizer.h"
#include "check/call/worker.h"
#include "check/causes/swapped_launch.h"
#include "check/gpu/gpu_lock.h"
#include "check/output/flag.h"
#include "check/output/options.h"
#include "check/session/decoy_call.h"
#include "check/session/profiled_calls.h"
#include "check/session/stepped_call.h"

namespace lab {

class Session {
public:
    explicit Session(const CheckerOptions& options);
    ~Session();

    /// Ends all programs.
    void stop();

    /// Starts all programs without waiting for them, so that they come up meanwhile.
    void begin();

    /// A worker for the submission that is ready; nullptr when the session is over.
    Worker* submission();
    /// On the virtual GPU, before a call of the function: its kernels may execute what endless()
    /// says. Another limit than before takes another process.
    void limit_launches_of(const std::string& function);
    /// The same with the lab's own limit, for a call that was stopped and may only be long.
    void limit_launches_as_usual();
    /// The worker was lost in a call: there will be another one.
    void replace_submission();
    /// The worker of one of the course's own programs, started but not waited for.
    Worker& own_program(const std::filesystem::path& runner);

    /// New processes for the submission and one of our own programs.
    void restart_with(const std::filesystem::path& runner);

    /// Runs one whole call on the submission's worker.
    Outcome run(const Marshalled& call, bool for_speed = false);
    /// Which of the submission's functions never ended, so far.
    Endless& endless() { return endless_; }
    /// How many the process has run that would answer the next one, or has just answered.
    unsigned calls_in_process() const { return calls_in_process_; }
    /// The memory that the submission's worker shares with us, as its last call left it. It is
    /// there when the time is up and submission() has nobody to give.
    std::span<std::byte> last_call_bytes() { return submission_->shared().bytes(); }

    /// Runs the call once more under each of NVIDIA's tools that works here, and gathers what they
    /// find. On a GPU where they are installed; else nothing.
    std::vector<SanitizerFinding> sanitize(const Marshalled& call);
    /// What the last call left allocated, as far as the device tells.
    std::vector<AllocationRecord> kept_by_call;
    /// What all calls left allocated, in bytes, by the word of the submission's process.
    long long reported_left = 0;
    /// What the virtual GPU's process had allocated after the last call, for the runner too; 0 on a
    /// GPU.
    std::uint64_t memory_after_call() const { return memory_after_call_; }
    /// What was not checked in this grading, and why; empty: everything was.
    std::string unchecked() const;

    /// Wait for the GPU, together with others or alone; waiting costs none of the grading's
    /// time. On the virtual GPU, which nobody shares, at once.
    GpuLock::Guard gpu_together();
    GpuLock::Guard gpu_alone();
    /// Waits until all programs are ready: until then, calls run at the same time as those of other
    /// gradings.
    void end_starts();
    /// Whether a process is a grading that waits for turns as we do.
    bool takes_turns(unsigned pid) const { return gpu_lock_.includes(pid); }

    /// How long the next call may take.
    std::chrono::milliseconds patience() const;
    std::chrono::milliseconds call_limit() const { return options_.call_limit; }
    bool time_is_up() const;
    double seconds() const;

    /// Why nothing more is run ("time limit", "submission does not start", "infra"), or empty.
    const std::string& over_reason() const { return over_reason_; }
    /// The same in words for the student.
    const std::string& over_message() const { return over_message_; }
    /// Of that end.
    const Flags& over_flags() const { return over_flags_; }
    void end(std::string reason, std::string message, Flags flags = {});

    CallSetting setting() const;
    /// As the CUDA runtime names it; empty before the submission was first ready.
    const std::string& device_name() const { return submission_->device_name(); }
    WorkerSpec worker_spec(const std::filesystem::path& runner) const;
    WorkerSpec submission_spec() const { return worker_spec(options_.submission); }
    /// The reference's runner; empty: there is none.
    const std::filesystem::path& reference() const { return options_.reference; }
    std::uint64_t seed() const { return options_.seed; }
    DecoyCalls& decoy_calls() { return decoy_calls_; }
    /// Those of the submission's file.
    const WrittenLaunches& written_launches();
    /// Null: no call is to be recorded.
    SteppedCall* stepped_call() { return stepped_call_ ? &*stepped_call_ : nullptr; }
    /// Null unless asked for.
    ProfiledCalls* profiled_calls() { return profiled_calls_ ? &*profiled_calls_ : nullptr; }
    /// New for each call: makes guards and poison differ.
    std::uint64_t next_salt() { return ++salt_; }

private:
    void limit_launches(std::uint64_t warp_instructions);
    /// Programs that start or end disturb timed calls of other gradings: allocating alone becomes
    /// slow. So there is a turn from before they start until all are ready; our own calls are made
    /// in it.
    void begin_starts();
    GpuLock::Guard wait_for(GpuLock::Guard (GpuLock::*take)());
    std::vector<SanitizerFinding> sanitize(std::unique_ptr<Worker>& worker, const Marshalled& call);
    /// Of the grading's time: neither waiting for a turn nor for cores that others have.
    std::chrono::milliseconds spent() const;

    const CheckerOptions& options_;
    GpuLock gpu_lock_;
    Endless endless_;
    std::optional<GpuLock::Guard> starting_;
    bool tools_are_ready_ = false;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::unique_ptr<Worker> submission_;
    std::map<std::filesystem::path, std::unique_ptr<Worker>> own_programs_;
    DecoyCalls decoy_calls_;
    std::optional<SteppedCall> stepped_call_;
    std::optional<WrittenLaunches> written_launches_;  ///< once somebody has asked
    std::optional<ProfiledCalls> profiled_calls_;
    std::map<std::string, std::unique_ptr<Worker>> sanitized_;  ///< by tool; null: does not work
    std::string over_reason_, over_message_;
    Flags over_flags_;
    std::uint64_t salt_ = 0;
    unsigned calls_in_process_ = 0;
    std::uint64_t memory_after_call_ = 0;
};

Session& session();

}  // namespace lab

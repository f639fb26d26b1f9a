// Runs the programs of a speed test on a GPU: submission, reference and baseline, each in a process
// of its own, with the call's data on the device.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "check/call/marshal.h"
#include "check/call/worker.h"
#include "check/speed/speed.h"

// The data change from call to call, by the same bits in all programs and here, so that any output
// can be checked. Small data move to another address for each call. From the change to the end of a
// call no other grading uses the GPU (gpu_lock.h).

namespace lab {

/// The time of a call, by events around it, and by our own clock around the request. The events are
/// the runner's word: a submission's may be any double.
struct TimedCall {
    double event_ms = 0, round_trip_ms = 0;
};

class SpeedRunners {
public:
    enum Who : std::size_t { kSubmission, kReference, kBaseline };

    /// Starts all programs, loads their data and makes first calls, whose outputs are checked; the
    /// baseline, which is shown and never judged, makes its only one. Ends the test when the
    /// submission's call fails or is wrong; throws GraderFault when another program's is.
    SpeedRunners(SpeedPlan plan, std::uint64_t nonce);
    ~SpeedRunners();
    SpeedRunners(const SpeedRunners&) = delete;
    SpeedRunners& operator=(const SpeedRunners&) = delete;

    /// Starts new processes for submission and reference, with the current data. False: the
    /// submission does not start again.
    bool start_anew(std::uint64_t nonce);

    /// Changes the data by the nonce, flushes L2 and calls.
    TimedCall timed_call(Who who, std::uint64_t nonce);
    /// Copies back all that the program's latest call wrote, and checks it; ends as above.
    void check(Who who);

    const CallPlan& plan() const { return plan_.call; }
    const Marshalled& call() const { return call_; }
    bool has_baseline() const { return runners_.size() > kBaseline; }
    const TimedCall& baseline_call() const { return baseline_call_; }
    /// The device, as the reference's runner reports it; the submission's could lie.
    const DeviceFacts& device() const { return runners_[kReference].worker->device_facts(); }

private:
    struct Runner {
        std::string program;
        bool ours = true;
        Worker* worker = nullptr;
        std::uint64_t nonce = 0;  ///< of its current data
    };

    void add_runner(const std::string& program, const std::filesystem::path& runner);
    void set_up(std::span<Runner> runners, std::uint64_t nonce);
    static void wait_for(Runner& runner);
    void fill_shared_memory(std::span<Runner> runners);
    void load(Runner& runner);
    static void drop(Runner& runner);
    Outcome ask(Runner& runner, const Request& request);
    Request change_request(Runner& runner, std::uint64_t nonce);
    void change_data(std::uint64_t nonce);
    const Buffer& input_of(std::size_t area) const;
    void store(Runner& runner);
    void check_output(const Runner& runner, const SpeedPlan::OutputCheck& check) const;

    SpeedPlan plan_;
    Marshalled call_;
    std::vector<Runner> runners_;
    std::uint64_t nonce_ = 0;  ///< of our current data
    std::mt19937_64 places_{std::random_device{}()};
    TimedCall baseline_call_;
};

}  // namespace lab

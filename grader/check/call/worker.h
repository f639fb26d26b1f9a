// One program under test: its runner and its virtual GPU, as processes that can be started, asked,
// and lost. Everything that comes from the runner is checked here for form (length, number, text)
// and taken as bytes; others interpret it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "check/call/shared_memory.h"
#include "check/gpu/device_records.h"
#include "protocol/messages.h"
#include "sandbox/sandbox.h"

namespace lab {

/// On a busy machine calls get more time, at most this many times as much (chosen).
inline constexpr int kMostTimesAsLong = 10;
/// Of one runner, with the CUDA driver's. A machine's threads are limited, and other gradings need
/// theirs (chosen).
inline constexpr std::size_t kMostThreads = 1000;

/// How a request ended.
enum class Ended {
    replied,
    died,              ///< by itself: `exit_code`, `page`
    timed_out,         ///< no answer in time; it was stopped
    too_much_output,   ///< it printed more than anyone will read; it was stopped
    too_many_threads,  ///< more than kMostThreads at once; it was stopped
    too_much_memory,   ///< more than its share of the machine's: `memory_bytes`; it was stopped
    nonsense,          ///< what came was not an answer; it was stopped
    device_died,       ///< the virtual GPU's process ended: our fault
};

struct Outcome {
    Ended ended = Ended::replied;
    Reply reply;         ///< when replied
    StatusPage page;     ///< when not: the runner's last words
    int exit_code = 0;   ///< when died; 128 + N: signal N
    std::string output;  ///< the beginning of what it printed meanwhile
    std::uint64_t output_bytes = 0;
    std::uint64_t memory_bytes = 0;  ///< of the runner's processes, the most that was seen
    /// On the virtual GPU, of a request with kAccount: host threads that live when it is answered
    /// and did not before.
    std::size_t threads_left = 0;
    DeviceRecords records;
    bool device_busy =
        false;  ///< a kernel was still running on the virtual GPU when it was stopped
    double round_trip_ms = 0;  ///< by our own clock, from before the request
};

/// Whether the outputs of the call were copied back.
inline bool came_back(const Outcome& outcome) {
    return outcome.ended == Ended::replied && outcome.reply.status == Status::ok &&
           outcome.reply.sync_error.code == 0;
}

struct WorkerSpec {
    std::filesystem::path runner;
    std::filesystem::path vgpu_device;  ///< empty: a GPU
    std::uint64_t vgpu_warp_instructions = 0;
    std::filesystem::path sanitizer{};  ///< the runner runs under this tool of it
    std::string sanitizer_tool{};
    bool profiles = false;  ///< the virtual GPU's records say what a profile shows
    int decoys = -1;        ///< on the virtual GPU: the descriptor of their memory (vgpu/decoys.h)
};

class Worker {
public:
    explicit Worker(WorkerSpec spec) : spec_(std::move(spec)) {}

    /// Starts the processes and returns at once. Throws SandboxError, GraderFault.
    void start();
    bool running() const { return runner_.running(); }
    /// Waits until it can be asked. Throws as ask() does.
    Outcome wait_ready(std::chrono::milliseconds patience);
    /// Sends a request and waits for the reply; longer than its patience when others have the
    /// cores. After any end but `replied`, nothing runs any more. Throws EndedFromOutside.
    Outcome ask(Request request, std::chrono::milliseconds patience);
    void stop();
    /// How many warp instructions a launch on the virtual GPU may execute. Stops the processes and
    /// returns true when those that run have another limit.
    bool limit_launches(std::uint64_t warp_instructions);

    /// On the virtual GPU: in which order blocks and warps run from now on (DeviceChannel::order).
    void order(std::uint64_t seed) { records_.order(seed); }

    /// The same: DeviceChannel::record_writers.
    void record_writers(bool wanted) { records_.record_writers(wanted); }

    /// The same, where the worker has the memory of decoys: DeviceChannel::show_decoys.
    void show_decoys(bool wanted) { records_.show_decoys(wanted); }

    /// The same: DeviceChannel::record_steps.
    void record_steps(bool wanted) { records_.record_steps(wanted); }

    SharedMemory& shared() { return shared_; }
    /// As the runtime in the runner names its device.
    const std::string& device_name() const { return device_name_; }
    /// In all its calls, how long it was ready to run while others had the cores, as far as that
    /// counts: it makes the patience longer.
    std::chrono::milliseconds waited_for_core() const { return waited_for_core_; }
    /// As the runtime names it, to be believed of our own programs only.
    const DeviceFacts& device_facts() const { return device_facts_; }

private:
    Outcome await(std::uint64_t number, std::chrono::steady_clock::time_point begin,
                  std::chrono::milliseconds patience);
    enum class Packet { reply, closed, nonsense };
    Packet read_reply(std::uint64_t number, Outcome& outcome);
    bool read_output(Outcome& outcome);
    void find_runner();
    std::size_t living_threads();
    void look_at_runner(Outcome& outcome);
    void settle_runner(Outcome& outcome);
    void settle_device(Outcome& outcome);
    void require_not_ended_from_outside(const std::string& program, int wait_status);
    void start_device(int client_end);
    void put_under_sanitizer(SandboxSpec& spec) const;

    WorkerSpec spec_;
    SharedMemory shared_;
    Child device_, runner_;
    std::vector<pid_t> runner_processes_;  ///< with namespaces it is bubblewrap's grandchild
    Descriptor requests_, output_;
    DeviceChannel records_;
    std::uint64_t sent_ = 0;
    bool ready_ = false;
    std::chrono::milliseconds waited_for_core_{0};
    std::string device_name_;
    DeviceFacts device_facts_;
};

}  // namespace lab

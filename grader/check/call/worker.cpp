#include "check/call/worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/ended_from_outside.h"
#include "check/call/core_wait.h"
#include "check/output/grader_fault.h"
#include "sandbox/processes.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kShownOutputBytes = 4 << 10;
constexpr std::uint64_t kOutputLimitBytes = 8 << 20;
// A sanitizer's findings are in what it prints.
constexpr std::size_t kSanitizerOutputBytes = 256 << 10;
// A process that closed its socket is about to be gone: the kernel clears up gigabytes of it first.
constexpr milliseconds kExitPatience{10'000};
// Calls that take this long, or a quarter of their patience, make us check whether others have the
// cores: that reads the state of all processes, which takes some milliseconds.
constexpr milliseconds kLong{1000};
// How often threads are counted: a program can start ten thousand a second. A runner that starts,
// and whose processes are still to be found, costs more to check.
constexpr milliseconds kLook{20}, kLookAtStart{100};

/// All memory of a runner on the virtual GPU, shared memory too (chosen: with our buffers honest
/// ones have 1 GiB).
constexpr std::uint64_t kMostResidentBytes = 4ull << 30;

int code_of(int wait_status) {
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

template <std::size_t N>
void terminate(std::array<char, N>& text) {
    text.back() = '\0';
}

/// Texts from the runner may lack their end.
void make_safe(Reply& reply) {
    terminate(reply.text);
    terminate(reply.device.pci_bus_id);
    for (CudaError* error : {&reply.setup_error, &reply.call_error, &reply.sync_error}) {
        terminate(error->name);
        terminate(error->text);
    }
}

}  // namespace

void Worker::stop() {
    runner_.kill();
    device_.kill();
    runner_processes_.clear();
    requests_.reset();
    output_.reset();
    records_ = DeviceChannel();
    ready_ = false;
}

bool Worker::limit_launches(std::uint64_t warp_instructions) {
    if (spec_.vgpu_warp_instructions == warp_instructions) return false;
    spec_.vgpu_warp_instructions = warp_instructions;
    stop();
    return true;
}

Outcome Worker::wait_ready(milliseconds patience) {
    if (ready_) return {};
    Outcome outcome = await(0, Clock::now(), patience);
    if (outcome.ended == Ended::replied) {
        ready_ = true;
        device_name_ = outcome.reply.text.data();
        device_facts_ = outcome.reply.device;
    }
    return outcome;
}

Outcome Worker::ask(Request request, milliseconds patience) {
    request.number = ++sent_;
    const bool counts_threads = (request.steps & kAccount) != 0 && !spec_.vgpu_device.empty();
    const std::size_t threads_before = counts_threads ? living_threads() : 0;
    // Before the request: on a busy core its sender may go on only when it has been answered.
    const Clock::time_point begin = Clock::now();
    // A full socket cannot be: one request is under way at a time.
    if (send(requests_.get(), &request, sizeof(request), MSG_NOSIGNAL) != sizeof(request) &&
        errno != EPIPE && errno != ECONNRESET) {
        throw GraderFault(std::string("cannot send to the runner: ") + std::strerror(errno));
    }
    Outcome outcome = await(request.number, begin, patience);
    if (counts_threads && outcome.ended == Ended::replied) {
        const std::size_t after = living_threads();
        outcome.threads_left = after - std::min(threads_before, after);
    }
    return outcome;
}

Outcome Worker::await(std::uint64_t number, Clock::time_point begin, milliseconds patience) {
    Outcome outcome;
    std::optional<Packet> packet;
    std::optional<CoreWait> core_wait;
    const auto others_took = [&] {
        return core_wait ? std::min(core_wait->so_far(), (kMostTimesAsLong - 1) * patience)
                         : milliseconds(0);
    };
    milliseconds limit = std::min(patience / 4, kLong);
    Clock::time_point next_look = begin + (ready_ ? kLook : kLookAtStart);
    while (!packet && outcome.ended == Ended::replied) {
        // Rounded up, or the last millisecond would be spent asking again and again.
        const auto left =
            std::chrono::ceil<milliseconds>(std::min(begin + limit, next_look) - Clock::now());
        std::array<pollfd, 3> waiting{{{requests_.get(), POLLIN, 0},
                                       {output_.get(), POLLIN, 0},
                                       {records_.descriptor(), POLLIN, 0}}};
        const int wait_ms = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
        const int ready = poll(waiting.data(), waiting.size(), wait_ms);
        if (ready < 0 && errno == EINTR) continue;
        // A program that prints now and then is looked at as often as any other.
        if (Clock::now() >= next_look) {
            look_at_runner(outcome);
            next_look = Clock::now() + (ready_ ? kLook : kLookAtStart);
            if (outcome.ended != Ended::replied) continue;
        }
        if (Clock::now() >= begin + limit) {
            if (!core_wait && limit < patience)
                core_wait.emplace(std::vector{device_.pid(), runner_.pid()});
            limit = patience + others_took();
            if (Clock::now() >= begin + limit) outcome.ended = Ended::timed_out;
        }
        // Records and output first: they belong before the reply.
        if (waiting[2].revents != 0) records_.read_available();
        if (waiting[1].revents != 0 && !read_output(outcome)) {
            outcome.ended = Ended::too_much_output;
        }
        if (waiting[0].revents != 0) packet = read_reply(number, outcome);
    }
    outcome.round_trip_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    waited_for_core_ += others_took();

    if (outcome.ended == Ended::replied && packet == Packet::nonsense)
        outcome.ended = Ended::nonsense;
    if (outcome.ended == Ended::replied && packet == Packet::closed) settle_runner(outcome);
    outcome.page = shared_.status();
    read_output(outcome);
    settle_device(outcome);
    if (outcome.ended != Ended::replied) stop();
    return outcome;
}

/// While it starts, programs follow one another.
void Worker::find_runner() {
    if (ready_ && !runner_processes_.empty()) return;
    runner_processes_.clear();
    for (const auto& [pid, stat] : processes_below({runner_.pid()}))
        runner_processes_.push_back(pid);
}

std::size_t Worker::living_threads() {
    find_runner();
    std::size_t all = 0;
    for (const pid_t pid : runner_processes_) all += lab::living_threads(pid);
    return all;
}

/// Whether it takes so much of the machine that others would suffer. Its own limits do not count
/// memory that it shares.
void Worker::look_at_runner(Outcome& outcome) {
    find_runner();
    ProcessUse use;
    for (const pid_t pid : runner_processes_) use += use_of(pid);
    const bool on_gpu = spec_.vgpu_device.empty();
    if (use.threads > kMostThreads) outcome.ended = Ended::too_many_threads;
    outcome.memory_bytes = std::max(outcome.memory_bytes, use.memory_bytes);
    if (use.memory_bytes > half_of_memory(on_gpu ? UINT64_MAX : kMostResidentBytes))
        outcome.ended = Ended::too_much_memory;
}

/// Of a runner that closed its socket.
void Worker::settle_runner(Outcome& outcome) {
    const std::optional<int> status = runner_.wait(kExitPatience);
    outcome.ended = status ? Ended::died : Ended::nonsense;
    if (!status) return;
    outcome.exit_code = code_of(*status);
    require_not_ended_from_outside(
        fmt::format("A runner (it had {} MiB of memory at most)", outcome.memory_bytes >> 20),
        *status);
}

/// Submissions cannot send themselves such a signal (sandbox/system_calls.cpp).
void Worker::require_not_ended_from_outside(const std::string& program, int wait_status) {
    const int signal = WIFSIGNALED(wait_status) ? signal_from_outside(code_of(wait_status)) : 0;
    if (signal == 0) return;
    stop();
    throw EndedFromOutside(program + " " + ended_from_outside(signal));
}

/// Takes the device's records of the request, all of them.
void Worker::settle_device(Outcome& outcome) {
    if (spec_.vgpu_device.empty()) return;
    const bool settled = records_.settle();
    outcome.device_busy = !settled && records_.open();
    outcome.records = records_.take();
    if (!settled && !records_.open()) {
        // Without it a runner may end, too.
        if (const std::optional<int> status = device_.wait(kExitPatience))
            require_not_ended_from_outside("The virtual GPU's process", *status);
        outcome.ended = Ended::device_died;
    }
    if (outcome.ended != Ended::replied) return;
    if (!settled) outcome.ended = Ended::device_died;
    // The device closes a connection on which something else than the runtime speaks.
    for (const vgpu::FailedCall& call : outcome.records.failed_calls) {
        if (call.function == "connection") outcome.ended = Ended::nonsense;
    }
}

Worker::Packet Worker::read_reply(std::uint64_t number, Outcome& outcome) {
    Reply reply;
    const ssize_t size = recv(requests_.get(), &reply, sizeof(reply), MSG_DONTWAIT);
    if (size <= 0) return Packet::closed;
    if (size != sizeof(reply) || reply.number != number) return Packet::nonsense;
    make_safe(reply);
    outcome.reply = reply;
    return Packet::reply;
}

/// Reads what was printed so far; false when it is too much.
bool Worker::read_output(Outcome& outcome) {
    std::array<char, 64 << 10> chunk{};
    while (output_ && outcome.output_bytes <= kOutputLimitBytes) {
        const ssize_t size = ::read(output_.get(), chunk.data(), chunk.size());
        if (size == 0) output_.reset();
        if (size <= 0) break;
        const auto bytes = static_cast<std::size_t>(size);
        const std::size_t most =
            spec_.sanitizer.empty() ? kShownOutputBytes : kSanitizerOutputBytes;
        const std::size_t room = most - outcome.output.size();
        outcome.output.append(chunk.data(), std::min(room, bytes));
        outcome.output_bytes += bytes;
    }
    return outcome.output_bytes <= kOutputLimitBytes;
}

}  // namespace lab

#include "check/call/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

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
// A process that closed its socket is about to be gone; no longer than this.
constexpr milliseconds kExitPatience{1000};
// Calls that take this long, or a quarter of their patience, make us check whether others have the
// cores: that reads the state of all processes, which takes some milliseconds.
constexpr milliseconds kLong{1000};
// How often threads are counted: a program can start ten thousand a second. A runner that starts,
// and whose processes are still to be found, costs more to check.
constexpr milliseconds kLook{20}, kLookAtStart{100};

/// Heap and private mappings that a runner may have on the virtual GPU: a program that allocates
/// without end is refused some, and the machine has room for others (16 GiB at most: chosen).
std::uint64_t most_memory_bytes() {
#if defined(__SANITIZE_ADDRESS__)
    return 0;  // no limit: the sanitizer maps terabytes
#else
    return half_of_memory(16ull << 30);
#endif
}

/// The virtual GPU's memory. With what the checks need for each byte, a grading's device process
/// takes half of the machine's memory at most.
std::uint64_t device_memory_bytes() {
    constexpr double kBytesForOne = 3.2;  // measured: 2.2 for the checks (grader/vgpu/README.md)
    constexpr std::uint64_t kMostMemory = 8ull << 30, kLeastMemory = 1ull << 30;
    const double bytes = static_cast<double>(half_of_memory(UINT64_MAX)) / kBytesForOne;
    return std::clamp(static_cast<std::uint64_t>(bytes), kLeastMemory, kMostMemory);
}

/// All memory of a runner on the virtual GPU, shared memory too (chosen: with our buffers honest
/// ones have 1 GiB).
constexpr std::uint64_t kMostResidentBytes = 4ull << 30;

std::pair<Descriptor, Descriptor> make_sockets(int type) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw GraderFault(std::string("cannot make a socket: ") + std::strerror(errno));
    }
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

int code_of(int wait_status) {
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

void pass_on(const char* name, std::vector<std::string>& environment) {
    if (const char* value = std::getenv(name))
        environment.push_back(std::string(name) + "=" + value);
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

void Worker::start() {
    stop();
    shared_.clear_status();
    auto [our_requests, their_requests] = make_sockets(SOCK_SEQPACKET);
    std::array<int, 2> pipe_ends{};
    if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) {
        throw GraderFault(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    Descriptor our_output(pipe_ends[0]), their_output(pipe_ends[1]);
    fcntl(our_output.get(), F_SETFL, O_NONBLOCK);

    SandboxSpec spec;
    spec.program = spec_.runner;
    spec.descriptors = {{their_requests.get(), kRequestDescriptor},
                        {shared_.descriptor(), kSharedDescriptor},
                        {their_output.get(), 1},
                        {their_output.get(), 2}};
    Descriptor our_client, their_client;
    if (spec_.vgpu_device.empty()) {
        spec.nvidia_gpu = true;
        spec.system_calls = SystemCalls::gpu_runner;
        pass_on("CUDA_VISIBLE_DEVICES", spec.environment);
        pass_on("LD_LIBRARY_PATH", spec.environment);
    } else {
        std::tie(our_client, their_client) = make_sockets(SOCK_SEQPACKET);
        start_device(our_client.get());
        spec.descriptors.emplace_back(their_client.get(), kDeviceDescriptor);
        spec.limits.data_bytes = most_memory_bytes();
        spec.environment = {"VGPU_CLIENT_FD=" + std::to_string(kDeviceDescriptor)};
    }
    if (!spec_.sanitizer.empty()) put_under_sanitizer(spec);
    runner_ = spawn(spec);
    requests_ = std::move(our_requests);
    output_ = std::move(our_output);
    ready_ = false;
    sent_ = 0;
}

/// The tool starts the runner, and puts itself between it and the driver: it needs its own files,
/// and system calls that submissions may not make. Namespaces remain.
void Worker::put_under_sanitizer(SandboxSpec& spec) const {
    namespace fs = std::filesystem;
    const fs::path tool = fs::weakly_canonical(spec_.sanitizer);
    spec.program = tool;
    spec.arguments = {"--tool", spec_.sanitizer_tool, "--print-limit", "10", "--show-backtrace",
                      "no",     spec_.runner.string()};
    spec.readable = {spec_.runner, tool.parent_path()};
    // What is in bin/ may be a script that starts ../compute-sanitizer/compute-sanitizer.
    const fs::path beside = tool.parent_path().parent_path() / "compute-sanitizer";
    std::error_code error;
    if (fs::is_directory(beside, error)) spec.readable.push_back(beside);
    spec.environment.insert(spec.environment.end(),
                            {"TMPDIR=/tmp", "HOME=/tmp", "PATH=/usr/bin:/bin"});
    spec.system_calls = SystemCalls::all;
}

void Worker::start_device(int client_end) {
    auto [our_end, their_end] = make_sockets(SOCK_STREAM);
    // Ours, and trusted; but it reads the submission's PTX and what its client says. In a sandbox
    // of its own: the runner's would let it be seen.
    constexpr int kClient = 3, kChecker = 4;
    SandboxSpec spec;
    spec.program = spec_.vgpu_device;
    spec.arguments = {"--client", std::to_string(kClient), "--checker", std::to_string(kChecker)};
    if (spec_.vgpu_warp_instructions != 0) {
        spec.arguments.insert(spec.arguments.end(), {"--warp-instruction-limit",
                                                     std::to_string(spec_.vgpu_warp_instructions)});
    }
    spec.arguments.insert(spec.arguments.end(),
                          {"--memory-mib", std::to_string(device_memory_bytes() >> 20)});
    spec.descriptors = {{client_end, kClient}, {their_end.get(), kChecker}, {2, 2}};
    spec.system_calls = SystemCalls::device;
    device_ = spawn(spec);
    records_ = DeviceChannel(std::move(our_end));
}

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
    Outcome outcome = await(0, patience);
    if (outcome.ended == Ended::replied) {
        ready_ = true;
        device_name_ = outcome.reply.text.data();
        device_facts_ = outcome.reply.device;
    }
    return outcome;
}

Outcome Worker::ask(Request request, milliseconds patience) {
    request.number = ++sent_;
    // A full socket cannot be: one request is under way at a time.
    if (send(requests_.get(), &request, sizeof(request), MSG_NOSIGNAL) != sizeof(request) &&
        errno != EPIPE && errno != ECONNRESET) {
        throw GraderFault(std::string("cannot send to the runner: ") + std::strerror(errno));
    }
    return await(request.number, patience);
}

Outcome Worker::await(std::uint64_t number, milliseconds patience) {
    const Clock::time_point begin = Clock::now();
    Outcome outcome;
    std::optional<Packet> packet;
    std::optional<CoreWait> core_wait;
    const auto others_took = [&] {
        return core_wait ? std::min(core_wait->so_far(), (kMostTimesAsLong - 1) * patience)
                         : milliseconds(0);
    };
    milliseconds limit = std::min(patience / 4, kLong);
    while (!packet && outcome.ended == Ended::replied) {
        // Rounded up, or the last millisecond would be spent asking again and again.
        const auto left = std::min(std::chrono::ceil<milliseconds>(begin + limit - Clock::now()),
                                   ready_ ? kLook : kLookAtStart);
        std::array<pollfd, 3> waiting{{{requests_.get(), POLLIN, 0},
                                       {output_.get(), POLLIN, 0},
                                       {records_.descriptor(), POLLIN, 0}}};
        const int wait_ms = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
        const int ready = poll(waiting.data(), waiting.size(), wait_ms);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) {
            look_at_runner(outcome);
            if (outcome.ended != Ended::replied || Clock::now() < begin + limit) continue;
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

    if (outcome.ended == Ended::replied && packet != Packet::reply) {
        outcome.ended = Ended::nonsense;
        if (packet == Packet::closed) {
            const std::optional<int> status = runner_.wait(kExitPatience);
            if (status) {
                outcome.ended = Ended::died;
                outcome.exit_code = code_of(*status);
            }
        }
    }
    outcome.page = shared_.status();
    read_output(outcome);
    settle_device(outcome);
    if (outcome.ended != Ended::replied) stop();
    return outcome;
}

/// Whether it takes so much of the machine that others would suffer. Its own limits do not count
/// memory that it shares.
void Worker::look_at_runner(Outcome& outcome) {
    if (!ready_ || runner_processes_.empty()) {
        runner_processes_.clear();
        for (const auto& [pid, stat] : processes_below({runner_.pid()}))
            runner_processes_.push_back(pid);
    }
    ProcessUse use;
    for (const pid_t pid : runner_processes_) use += use_of(pid);
    const bool on_gpu = spec_.vgpu_device.empty();
    if (use.threads > kMostThreads) outcome.ended = Ended::too_many_threads;
    if (use.memory_bytes > half_of_memory(on_gpu ? UINT64_MAX : kMostResidentBytes)) {
        outcome.ended = Ended::too_much_memory;
        outcome.memory_bytes = use.memory_bytes;
    }
}

/// Takes the device's records of the request, all of them.
void Worker::settle_device(Outcome& outcome) {
    if (spec_.vgpu_device.empty()) return;
    const bool settled = records_.settle();
    outcome.device_busy = !settled && records_.open();
    outcome.records = records_.take();
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

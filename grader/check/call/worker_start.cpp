// Starts the processes of a program under test: a runner, and the virtual GPU if it has one.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "check/call/worker.h"
#include "check/output/grader_fault.h"
#include "protocol/checker_options.h"

namespace lab {
namespace {

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

std::pair<Descriptor, Descriptor> make_sockets(int type) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw GraderFault(std::string("cannot make a socket: ") + std::strerror(errno));
    }
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void pass_on(const char* name, std::vector<std::string>& environment) {
    if (const char* value = std::getenv(name))
        environment.push_back(std::string(name) + "=" + value);
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
    constexpr int kClient = 3, kChecker = 4, kDecoys = 5;
    SandboxSpec spec;
    spec.program = spec_.vgpu_device;
    // Of a prebuilt package: the libraries that this machine may lack.
    const std::filesystem::path bundled =
        spec_.vgpu_device.parent_path().parent_path() / "lib/bundled";
    if (std::error_code error; std::filesystem::is_directory(bundled, error))
        spec.readable.push_back(bundled);
    spec.arguments = {"--client", std::to_string(kClient), "--checker", std::to_string(kChecker),
                      "--refuse-notes"};
    if (spec_.vgpu_warp_instructions != 0) {
        spec.arguments.insert(spec.arguments.end(), {"--warp-instruction-limit",
                                                     std::to_string(spec_.vgpu_warp_instructions)});
    }
    spec.arguments.insert(spec.arguments.end(),
                          {"--memory-mib", std::to_string(device_memory_bytes() >> 20)});
    if (spec_.profiles) spec.arguments.emplace_back("--profile");
    if (const auto needs = needs_beside(spec_.runner); std::filesystem::exists(needs)) {
        spec.arguments.insert(spec.arguments.end(), {"--needs", needs.string()});
        spec.readable.push_back(needs);
    }
    spec.descriptors = {{client_end, kClient}, {their_end.get(), kChecker}, {2, 2}};
    if (spec_.decoys >= 0) {
        spec.arguments.insert(spec.arguments.end(), {"--decoys", std::to_string(kDecoys)});
        spec.descriptors.emplace_back(spec_.decoys, kDecoys);
    }
    spec.system_calls = SystemCalls::device;
    device_ = spawn(spec);
    records_ = DeviceChannel(std::move(our_end));
}

}  // namespace lab

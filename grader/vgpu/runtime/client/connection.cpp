#include "runtime/client/connection.h"

#include <driver_types.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "vgpu/address_space.h"
#include "vgpu/device.h"
#include "vgpu/gpu.h"

namespace vgpu::client {
namespace {

constexpr const char* kVariable = "VGPU_CLIENT_FD";
// The GPU that programs see: the one that vgpu-device was started with.
constexpr const char* kGpuVariable = "VGPU_GPU";

/// The socket's descriptor, or -1 after a message.
int inherited_socket() {
    const char* const text = std::getenv(kVariable);
    if (text == nullptr) {
        say("no device: %s is not set. This program uses the virtual GPU's CUDA runtime, which "
            "needs the virtual GPU: start it with ./lab vgpu run -- PROGRAM",
            kVariable);
        return -1;
    }
    char* end = nullptr;
    const long fd = std::strtol(text, &end, 10);
    int type = 0;
    socklen_t size = sizeof(type);
    if (*text == '\0' || *end != '\0' || fd < 0 || fd > 1 << 20 ||
        getsockopt(static_cast<int>(fd), SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
        type != SOCK_SEQPACKET) {
        say("no device: %s is \"%s\"; expected the number of an open socket to vgpu-device",
            kVariable, text);
        return -1;
    }
    fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
    return static_cast<int>(fd);
}

/// Keeps everything else out of the window, so that following a device pointer faults. Not needed
/// for correctness, so a limit on address space (RLIMIT_AS) that forbids it is no error.
void set_window_aside() {
    mmap(reinterpret_cast<void*>(kWindowBegin), kWindowEnd - kWindowBegin, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

}  // namespace

void say(const char* format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    std::fprintf(stderr, "virtual GPU: %s\n", text);
}

bool Connection::open() {
    socket_ = inherited_socket();
    if (socket_ < 0) return false;
    if (const std::optional<int> bits = too_few_address_bits()) {
        say("no device: it needs addresses of %d bits, and this kernel gives programs %d. Use a "
            "kernel with 47 bits or more (on Arm CONFIG_ARM64_VA_BITS=48)",
            kNeededAddressBits, *bits);
        return false;
    }
    if (const char* const key = std::getenv(kGpuVariable); key != nullptr) {
        if (const model::Gpu* const gpu = model::profile(key); gpu != nullptr) model::choose(*gpu);
    }
    wire::Request hello{};
    hello.op = wire::Op::hello;
    hello.version = wire::kVersion;
    int staging = -1;
    if (exchange(hello, &staging).error != cudaSuccess || staging < 0) return false;
    void* const at =
        mmap(nullptr, wire::kStagingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, staging, 0);
    close(staging);
    if (at == MAP_FAILED) {
        say("no device: the memory shared with vgpu-device cannot be mapped: %s",
            std::strerror(errno));
        return false;
    }
    staging_ = {static_cast<std::byte*>(at), wire::kStagingBytes};
    set_window_aside();
    return true;
}

wire::Reply Connection::exchange(const wire::Request& request, int* descriptor) {
    wire::Reply reply{};
    if (socket_ >= 0 && send(request) && receive(reply, descriptor)) return reply;
    if (socket_ >= 0) {
        say("the device process (vgpu-device) has ended; no call reaches the device any more. If "
            "the "
            "checker did not end it on purpose, that is a fault of the grader, not of this "
            "program");
        close(socket_);
        socket_ = -1;
    }
    reply = {};
    reply.error = reply.context_error = cudaErrorDevicesUnavailable;
    return reply;
}

bool Connection::send(const wire::Request& request) const {
    ssize_t sent;
    do {
        sent = ::send(socket_, &request, sizeof(request), MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == sizeof(request);
}

bool Connection::receive(wire::Reply& reply, int* descriptor) {
    iovec data{&reply, sizeof(reply)};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    ssize_t size;
    const int most = spin_.most();
    int left = most;
    do {
        size = recvmsg(socket_, &message, MSG_CMSG_CLOEXEC | (left > 0 ? MSG_DONTWAIT : 0));
    } while (size < 0 && (errno == EINTR || (errno == EAGAIN && left-- > 0)));
    if (most > 0) spin_.came(left > 0);
    if (size != sizeof(reply)) return false;
    if (const cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header != nullptr && header->cmsg_type == SCM_RIGHTS) {
        int received = -1;
        std::memcpy(&received, CMSG_DATA(header), sizeof(received));
        if (descriptor != nullptr) {
            *descriptor = received;
        } else {
            close(received);
        }
    }
    return true;
}

}  // namespace vgpu::client

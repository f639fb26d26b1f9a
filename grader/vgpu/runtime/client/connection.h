// The program's end of the wire: one socket to the device process, one request at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/adaptive_spin.h"
#include "runtime/wire.h"

namespace vgpu::client {

/// One line on stderr, for what an error code cannot say: "virtual GPU: ...".
void say(const char* format, ...) __attribute__((format(printf, 1, 2)));

class Connection {
public:
    /// Connects through the descriptor in VGPU_CLIENT_FD and sets the device's window of addresses
    /// aside. False, after a message, when there is no device to talk to.
    bool open();

    /// Sends `request` and waits for the reply; a descriptor that comes along goes to `descriptor`
    /// when it is not null. A device process that is gone answers cudaErrorDevicesUnavailable, now
    /// and from now on, and is reported once.
    wire::Reply exchange(const wire::Request& request, int* descriptor = nullptr);

    std::span<std::byte> staging() const { return staging_; }

private:
    bool send(const wire::Request&) const;
    bool receive(wire::Reply&, int* descriptor);

    int socket_ = -1;
    AdaptiveSpin spin_;
    std::span<std::byte> staging_;
};

}  // namespace vgpu::client

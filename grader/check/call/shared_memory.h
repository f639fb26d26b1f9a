// The memory that checker and runner share: the status page, then buffers. It is sealed against
// resizing, so that a runner cannot make the checker fault by shrinking it.
#pragma once

#include <cstddef>
#include <span>

#include "protocol/messages.h"

namespace lab {

class SharedMemory {
public:
    SharedMemory();
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    int descriptor() const { return descriptor_; }
    std::span<std::byte> bytes() const { return bytes_; }
    /// The runner may be writing: this is what the page held at one moment.
    StatusPage status() const;
    void clear_status();
    /// Gives the memory of all buffers back to the system; they read as zero again.
    void forget_buffers();

private:
    int descriptor_ = -1;
    std::span<std::byte> bytes_;
};

}  // namespace lab

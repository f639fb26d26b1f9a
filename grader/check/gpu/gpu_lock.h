// Serialises gradings on one machine's GPUs: a timed call runs alone. Otherwise the work of others
// would slow it, and a verdict would depend on who else is grading.
#pragma once

#include <filesystem>

#include "base/descriptor.h"

// The driver is one for all GPUs: on a machine with four H200 a function that allocates took 12 ms
// while programs were started on the other three; alone, on a machine with one, 0.8 ms. So the lock
// is the machine's.
//
// All gradings of a user share a file, and lock two of its bytes: one for the GPU, and one for the
// next in line, so that a timed call waits only for those that came before it. Each grading also
// locks a byte of its own, at its process id, while it lives: this shows the others who uses the
// lock.

namespace lab {

class GpuLock {
public:
    /// Holds the lock while it lives; the lock ends with the process, too.
    class Guard {
    public:
        Guard() = default;
        explicit Guard(GpuLock& of) : of_(&of) {}
        Guard(Guard&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
        Guard& operator=(Guard&&) = delete;
        ~Guard();

    private:
        GpuLock* of_ = nullptr;
    };

    /// Creates the file if it is not there. Without a path, or if the file cannot be opened, nobody
    /// waits.
    explicit GpuLock(const std::filesystem::path& file);

    /// Waits until nobody is alone. A caller that holds the lock already gets an empty guard at
    /// once: it would wait for those who wait for its first one.
    Guard together() { return take(false); }
    /// Waits until nobody else holds the lock. The same holds for a caller that has it.
    Guard alone() { return take(true); }

    /// Whether a process, this one too, has a GpuLock on the same file: then it leaves the GPU
    /// alone while another's call is timed.
    bool includes(unsigned pid) const;

private:
    Guard take(bool alone);

    Descriptor file_;
    bool has_turn_ = false;
};

}  // namespace lab

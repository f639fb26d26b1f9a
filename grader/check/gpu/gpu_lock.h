// Gradings on one machine's GPUs take turns: a timed call runs alone. Otherwise each would see the
// others' work as its own slowness, and a verdict would depend on who else is grading.
#pragma once

#include <filesystem>

#include "base/descriptor.h"

// The driver is one for all GPUs: on a machine with four H200 a function that allocates took 12 ms
// while programs were started on the other three; alone, on a machine with one, 0.8 ms. So the
// turns are the machine's.
//
// All gradings of a user share a file, and lock two of its bytes: one for the turn, and one for the
// next in line. So a timed call waits only for those that were there before it. Each grading also
// locks a byte of its own, by its process id, while it lives: so the others know who takes turns.

namespace lab {

class GpuLock {
public:
    /// For as long as it lives; it ends by itself when the process does.
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

    /// The file is made if it is not there. No path, or a file that cannot be had: nobody waits.
    explicit GpuLock(const std::filesystem::path& file);

    /// Waits until nobody is alone. Whoever has a turn already gets an empty one at once, as
    /// waiting for another would be waiting for those who wait for the first.
    Guard together() { return take(false); }
    /// Waits until nobody else has a turn. The same.
    Guard alone() { return take(true); }

    /// Whether a process has such an object for the same file, this one too: then it leaves the GPU
    /// alone while somebody else's call is timed.
    bool includes(unsigned pid) const;

private:
    Guard take(bool alone);

    Descriptor file_;
    bool has_turn_ = false;
};

}  // namespace lab

// How a program on the virtual GPU ended: the launcher finds out, the report words it.
#pragma once

namespace lab {

struct VgpuEnd {
    int exit_code = 0;                ///< the program's; 128 + N when signal N ended it
    int signal = 0;                   ///< N
    int start_error = 0;              ///< errno when it could not be started
    bool device_was_lost = false;     ///< vgpu-device ended before the program did: never its fault
    bool kernel_was_running = false;  ///< when the program ended; it was stopped

    /// Whether the program, or what a shell or `timeout` ran, came to its own end.
    bool is_whole() const {
        constexpr int kTimeouts = 124, kSignals = 128, kMostSignals = 31;
        const bool was_ended = signal != 0 || exit_code == kTimeouts ||
                               (exit_code > kSignals && exit_code <= kSignals + kMostSignals);
        return !was_ended && !device_was_lost && !kernel_was_running;
    }
};

}  // namespace lab

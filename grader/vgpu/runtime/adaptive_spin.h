// Decides how often one end of a connection polls for the next packet before it sleeps.
#pragma once

// Waking a process takes 20 to 30 us, several times the cost of a call; a poll takes about 0.5 us.
// But while a kernel runs, or others have the cores, polling is useless: on a machine that grades
// two at once it took a sixth of the time. So after a useless poll the end sleeps at once, except
// for one time in a few.

namespace vgpu {

class AdaptiveSpin {
public:
    /// For the next packet.
    int most() { return was_in_vain_ && ++waits_ % kTriesAgain != 0 ? 0 : kMost; }
    /// Whether it came while most() times were looked; nothing, if that was not at all.
    void came(bool in_time) { was_in_vain_ = !in_time; }

private:
    static constexpr int kMost = 100, kTriesAgain = 8;  // chosen
    bool was_in_vain_ = false;
    unsigned waits_ = 0;
};

}  // namespace vgpu

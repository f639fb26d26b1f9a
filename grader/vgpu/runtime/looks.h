// How often one end of a connection looks for the next packet before it sleeps. A process that
// sleeps is woken in 20 to 30 us, several times what a call costs; a look takes about 0.5 us. But
// where a kernel runs, or others have the cores, looking is in vain, and on a machine that grades
// two at once it took a sixth of the time. So whoever looked in vain sleeps at once, but for one
// time in a few.
//
// Interface: Looks.
#pragma once

namespace vgpu {

class Looks {
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

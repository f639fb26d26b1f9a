// Watches the GPU while a speed test is timed: clocks, their limits, heat, and programs of others.
// The checker reads it; the submission's code never runs there.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/gpu/nvml.h"

// A disturbance is named in words: heat, a power brake, or another process that keeps the GPU busy.
// A power cap is none: a GPU at full load runs that way, and it slows all programs alike. A process
// that only holds a context is none either.

namespace lab {

/// Somebody else's process with a context on the GPU.
struct GpuProcess {
    unsigned pid = 0;
    std::string name;       ///< of its program; empty: not known
    int busy_percent = -1;  ///< of the time, at its busiest; -1: not known
    bool is_sure = false;   ///< the process with this id here is really the one on the GPU
};

struct GpuSeen {
    std::string why_not;  ///< a clause; empty: the clocks were read
    unsigned lowest_sm_mhz = 0, highest_sm_mhz = 0, max_sm_mhz = 0;
    unsigned highest_c = 0;              ///< temperature
    std::vector<std::string> slowed_by;  ///< "power cap": what held the clocks down
    std::vector<GpuProcess> others;
    bool others_known = false;  ///< false: the driver does not tell here who uses the GPU
    std::vector<std::string>
        disturbances;  ///< sentences for the student: they spoil the speed test
};

class GpuWatch {
public:
    /// Whether a process and those that it started leave the GPU alone while a call is timed.
    using TakesTurns = std::function<bool(unsigned pid)>;

    /// `pci_bus_id` as the CUDA runtime names the device. `library` is another one for tests only.
    GpuWatch(const std::string& pci_bus_id, TakesTurns takes_turns,
             const std::string& library = "libnvidia-ml.so.1");

    /// Begins a measurement: forgets earlier samples.
    void restart();
    /// Takes one sample; call it soon after each timed call.
    void look();
    /// Takes a last sample, after waiting until the driver's own cover the time since restart():
    /// they lag behind.
    void settle();
    /// All that was seen since restart().
    GpuSeen seen() const;

private:
    void look_at_clocks();
    void look_at_processes();

    TakesTurns takes_turns_;
    std::unique_ptr<Nvml> nvml_;
    NvmlDevice device_ = nullptr;
    std::string why_not_;
    GpuSeen seen_;
    unsigned long long reasons_ = 0;
    std::uint64_t begin_us_ = 0;  ///< by the clock that samples are marked with
    std::chrono::steady_clock::time_point begin_;
    std::map<unsigned, GpuProcess> others_;
    bool ours_listed_ = false;
};

/// Whether `is_such` holds for a process or any of its ancestors.
bool descends_from(unsigned pid, const std::function<bool(unsigned pid)>& is_such);
/// Whether it descends from this process.
bool is_ours(unsigned pid);

/// Whether a process has a file open whose path begins with `path_begin`; false without access to
/// it.
bool has_open(unsigned pid, const std::string& path_begin);

}  // namespace lab

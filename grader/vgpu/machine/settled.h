// Launches that need not run again. Programs that measure launch a kernel hundreds of times with
// the same arguments, and after the first time nothing changes any more: it reads what it read and
// writes what is there already. Such a launch has settled. As long as nobody changes memory in
// between, running it again would give the same bytes, findings and counts, for a launch depends on
// nothing but its arguments and memory; so its result is given without running it.
//
//     launch A           runs; memory changes
//     launch A           runs, known by now: what it wrote is compared with what was there before
//                        nothing changed: A has settled in this state of memory
//     launch A ...       not run
//
// Kernels that alternate settle, too: what counts is the number of the state of memory, and a
// launch that changes nothing does not move it on.
//
// Interface: Settled::{changed, find, runs_again, keep}.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "vgpu/device.h"

namespace vgpu {

class Settled {
public:
    /// Memory may have changed: what has settled must run again.
    void changed() { ++state_; }

    /// The result of a launch that has settled in this state of memory, or null.
    const LaunchResult* find(const std::string& key) const;
    /// Whether a launch was seen before, so that it is worth while to find out if it has settled.
    bool runs_again(const std::string& key);
    /// A launch has changed nothing: this is what it will always say.
    void keep(const std::string& key, const LaunchResult&);

    /// All that a launch depends on beside memory; empty for launches that are always run.
    static std::string key_of(const Launch&);

private:
    struct Known {
        std::uint64_t state = 0;  ///< of memory in which it has settled; 0: never
        LaunchResult result;
    };
    std::uint64_t state_ = 1;
    std::map<std::string, Known> known_;
};

}  // namespace vgpu

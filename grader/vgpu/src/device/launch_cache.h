// Memoises launches. Programs that measure launch a kernel hundreds of times with the same
// arguments on the same data. A launch depends only on its arguments and on the memory that it
// reads: where both are unchanged, its result is known, and its output is written again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "memory/page_fingerprint.h"
#include "memory/undo.h"
#include "vgpu/device.h"

//     launch A           runs; memory changes
//     launch A           runs, known by now: its reads, changes and result are kept
//     launch A ...       not run, once it changes nothing any more; or, of a kernel that works in
//                        place, once the host has restored the data that it began with
//
// A number, Page::content, identifies the contents of a page. Every change adds the difference of
// fingerprints, so the number returns with the old contents. A page gets a new number where nobody
// tracked the change.
//
// A kernel that finds other data each time is checked less and less often: a check costs about as
// much as storing its output.

namespace vgpu {

/// Of a launch, on memory.
struct Effects {
    std::vector<Touched> before;
    Changes changes;
};

class LaunchCache {
public:
    /// Something else than contents has changed: what has settled must run again.
    void forget();
    /// The same of this region only: what has not touched it has settled.
    void forget(const Region&);
    /// Whether it is worth while to find out what the host changes.
    bool is_tracking() const { return kept_bytes_ != 0; }

    struct Known {
        Effects effects;
        LaunchResult result;
    };
    /// What a launch will do, if that is known.
    const Known* find(const std::string& key);
    /// How many pages of changes of this launch are worth keeping: 0 where it is only to be found
    /// out whether there are any, nothing where not even that.
    std::optional<std::size_t> most_pages(const std::string& key);
    /// A launch did this.
    void keep(const std::string& key, const LaunchResult&, Effects);

    /// All that a launch depends on beside memory; empty for launches that are always run.
    static std::string key_of(const Launch&);

private:
    struct History {
        std::deque<Known> known;
        std::uint32_t in_vain = 0;  ///< launches since one was known
    };
    static std::uint64_t bytes_of(const Known&);

    std::uint64_t kept_bytes_ = 0;
    std::map<std::string, History> launches_;
};

}  // namespace vgpu

// Finds operations that touch the same memory, at least one of them writing, with nothing to order
// them.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/timeline.h"
#include "runtime/page_guard.h"
#include "vgpu/device.h"

// The timeline knows whether two operations are ordered; this knows what they touched. Only
// operations that the host has not waited for are remembered: whatever comes later comes after the
// rest.
//
// Where both write with atomics or volatile, the program is assumed to know what it does. The same
// holds where a kernel writes host memory in that way: the host may be waiting for a flag.
//
// The host's own accesses to pinned and managed memory show only where the program faults, so the
// pages of remembered operations are kept guarded.

namespace vgpu {

/// A kernel, copy, memset, allocation or release, and the memory that it touched.
struct Operation {
    model::Stamp stamp;
    Actor actor;
    std::vector<Footprint> touched;  ///< by ascending address, without overlaps
    bool is_guarded = true;          ///< its pages are taken from the program
    bool copies_to_host = false;
    bool is_told = false;  ///< a function of the host ran behind it
};

/// Bytes that two operations touch, and what part of each they belong to.
struct Overlap {
    Footprint earlier, later;
    Address begin = 0, end = 0;
};
/// The first place that both touch and at least one writes. Both ascend.
std::optional<Overlap> first_conflict(const std::vector<Footprint>& earlier,
                                      const std::vector<Footprint>& later);

class Hazards {
public:
    /// The guard outlives this.
    explicit Hazards(PageGuard& guard) : guard_(&guard) {}

    /// [begin, end) is touched by both, in the ways that the two parts say.
    struct Conflict {
        Operation earlier, later;
        Address begin = 0, end = 0;
        bool earlier_writes = false, later_writes = false;
    };

    /// What `later`, which is the last operation of its stream, conflicts with: once for each pair
    /// of `actor.what`, however often it happens.
    std::vector<Conflict> check(const Operation& later, const model::Timeline&);
    void remember(Operation);
    /// Forgets what the host has waited for.
    void forget_ordered(const model::Timeline&);
    /// The memory is gone: what is there later is something else.
    void forget_memory(Address begin, Address end);
    /// The operation that an access of the host conflicts with, and lets go of its pages. When
    /// there is none, the page is open afterwards.
    std::optional<Operation> host_access(Address, bool is_write);
    /// A function of the host that runs in the stream may touch what came before it there, and may
    /// tell the rest of the host that it is over: whoever copies it to the host may have waited.
    void let_go(model::StreamId, const model::Timeline&);
    void clear() { pending_.clear(), reported_.clear(); }
    std::size_t remembered() const { return pending_.size(); }

    /// The oldest operations are forgotten beyond this many. Chosen: thousands of chunks.
    static constexpr std::size_t kMostRemembered = 4096;
    /// The oldest are also forgotten beyond this many parts of all operations, of 24 bytes each: a
    /// kernel that touches every other word has many. Chosen.
    static constexpr std::size_t kMostParts = 1 << 22;
    /// At most this many pairs of operations are reported. Chosen: more than anybody reads.
    static constexpr std::size_t kMostReported = 1024;

private:
    void let_go(Operation&);
    template <typename Which>
    void forget_if(Which);

    PageGuard* guard_;
    std::deque<Operation> pending_;
    std::set<std::pair<std::string, std::string>> reported_;
};

}  // namespace vgpu

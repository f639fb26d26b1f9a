// Operations that touch the same memory, at least one of them writing, with nothing to order them.
//
// Whether two operations are ordered is the timeline's business; here is what they touched. Only
// those are remembered that the host has not waited for: whatever comes later comes after the rest.
//
// Interface: Operation, Hazards::{check, remember, forget_ordered, forget_memory}.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "vgpu/device.h"
#include "vgpu/model/timeline.h"

namespace vgpu {

/// A kernel, copy, memset, allocation or release, and the memory that it touched.
struct Operation {
    model::Stamp stamp;
    std::string what;  ///< the same for each time: "kernel scale(float*, int)"
    std::string name;  ///< this one: "kernel scale(float*, int), launch 3, in stream 2"
    std::vector<Footprint> touched;  ///< by ascending address, without overlaps
};

class Hazards {
public:
    /// [begin, end) is touched by both, in the ways that the two parts say.
    struct Conflict {
        Operation earlier, later;
        Address begin = 0, end = 0;
        bool earlier_writes = false, later_writes = false;
    };

    /// What `later`, which is the last operation of its stream, conflicts with: once for each pair
    /// of `what`, however often it happens.
    std::vector<Conflict> check(const Operation& later, const model::Timeline&);
    void remember(Operation);
    /// Forgets what the host has waited for.
    void forget_ordered(const model::Timeline&);
    /// The memory is gone: what is there later is something else.
    void forget_memory(Address begin, Address end);
    std::size_t remembered() const { return pending_.size(); }

    /// The oldest operations are forgotten beyond this many. Chosen: thousands of chunks.
    static constexpr std::size_t kMostRemembered = 8192;

private:
    std::deque<Operation> pending_;
    std::set<std::pair<std::string, std::string>> reported_;
};

}  // namespace vgpu

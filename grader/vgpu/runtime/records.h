// What the device process tells the checker: one JSON object a line.
//
//   {"record":"launch","kernel":"add(float*)","grid":[4,1,1],"block":[256,1,1],
//    "dynamic_shared_bytes":0,"outcome":"ok","resident_warps":32,
//    "occupancy":{"sm__maximum_warps_per_active_cycle_pct":100,
//                 "sm__warps_active.avg.pct_of_peak_sustained_active":87.5},     the second
//                 modelled
//    "hottest_atomic":{"address":...,"operations":9,"allocation":"cudaMalloc #2","offset_bytes":0,
//                      "visits":9},
//    "cost_us":{"issue":1.5,"l1":...,"l2":...,"memory":...,"atomics":...,"latency":...,
//               "blocks":...,"all":1.8},                               modelled (model/cost.h)
//    "work":{"blocks_at_once":1056,"touched_bytes":...,"hottest_is_float":false,"far_cycles":...,
//            "near_cycles":...,"warp_time":...,"block_time":...},     from which, beside the counts
//    "hot_lines":{"instructions":{"file":"add.cu","line":7,"count":12},"sectors":...,
//                 "wavefronts":...},                the line that has most of each
//    "profile":{"registers":32,"registers_are_measured":true,"static_shared_bytes":4096,
//               "states":{"long_scoreboard":[FAR,NEAR],...},        cycles, as vgpu::WarpStates
//               "lines":[{"file":"add.cu","line":7,"warp_instructions":12,...},...]},
//                                                                 only if asked for
//    "writers":[[ADDRESS,WORDS,THREAD,STEP],...],     only if asked for: vgpu::Writers
//    "counts":{...}}                                                   as vgpu::to_json writes it
//   {"record":"operation","what":"kernel add(float*)","stream":2,"engine":"kernels",
//    "begin_ns":5100,"end_ns":9300,"host_bytes":0}   kernels, copies and memsets, on the modelled
//                                                    clock; engine: kernels, copy_to_device, ...;
//                                                    bytes that kernels touch in host memory
//   {"record":"line","file":"add.cu","line":7,"warp_instructions":12,...}      only if asked for
//   {"record":"recording","launch":3,...}       only if asked for: as vgpu::record_of writes it
//   {"record":"finding",...}                                    as vgpu::record_of writes it
//   {"record":"api","function":"cudaMalloc","error":"cudaErrorMemoryAllocation","detail":"..."}
//                                                                as vgpu::record_of writes it
//   {"record":"absent","function":"cudaGraphLaunch","add_in":"grader/vgpu/runtime/client/..."}
//   {"record":"unshown","bytes":192}    what kernels printed and the program did not wait for
//   {"record":"lost_print","kernel":"add(float*)","bytes":9000,"kept":1048500}    of a launch that
//                                       printed more than printf's buffer holds: the oldest lines
//   {"record":"allocation","name":"cudaMalloc #3","size_bytes":400,"callers":[...],"kept":false}
//       before the first finding since a mark that names it; kept, before a mark: the first few
//       that were allocated since begin_call() and are there still; callers: as wire::Request's
//   {"record":"mark","id":7,"allocating_ns":83000,"memory_bytes":4096}
//       since begin_call(): allocations, releases, first touches of managed memory; what is
//       allocated on the device and of pinned and managed memory
//
// A mark answers the checker's own: all before it belongs to what came before. The program under
// test decides how many records there are, so between two marks at most kMaxLaunches launches are
// written one by one, the rest as one launch with "merged":N and the sum of their counts; of the
// operations kMaxOperations, of the other records kMaxOthers, and the mark says
// "dropped_operations":N and "dropped":N for those above: an operation is no mistake.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/timeline.h"
#include "runtime/allocation_log.h"
#include "vgpu/cost.h"
#include "vgpu/device.h"

namespace vgpu {

class Records {
public:
    /// `write` gets whole lines, newline included.
    explicit Records(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

    /// How a launch fills the GPU.
    struct Residence {
        std::uint64_t warps = 0;  ///< at once
        double theoretical_pct = 0, achieved_pct = 0;
        std::uint32_t registers = 0;  ///< a thread
        bool is_measured = false;     ///< by ptxas; else the registers are estimated
        std::uint32_t static_shared_bytes = 0;
    };
    void launch(std::string_view kernel, const Launch&, const LaunchResult&, const Residence&,
                const model::KernelWork&, const model::KernelCost&);
    struct Operation {
        std::string what;
        std::uint32_t stream = 0;
        model::Engine engine{};
        model::Span span;
        std::uint64_t host_bytes = 0;  ///< as model::Work's
        bool is_pageable = false;      ///< of a copy: the host's memory is not page-locked
        std::uint32_t set_byte = 0;    ///< of a fill of several bytes: its value
    };
    /// `continues`: the latest one again, which has become longer.
    void operation(Operation, bool continues);
    /// Added up, line by line, and told before the next mark.
    void lines(const std::vector<LineCounts>&);
    /// Whether launch() can use the lines of the next launch: of the first ones since a mark.
    bool wants_lines() const { return profiles_ || launches_ < kLaunchesWithLines; }
    /// Whether the records of launches have a "profile".
    void profile(bool wanted) { profiles_ = wanted; }
    bool profiles() const { return profiles_; }
    void finding(const Finding&);
    /// Of one launch, of all since the program began the `launch`th.
    void recordings(std::uint64_t launch, const std::vector<Recording>&);
    AllocationLog& allocations() { return allocations_; }
    void failed(const FailedCall&);
    void absent(std::string_view function, std::string_view add_in);
    void unshown(std::uint64_t bytes);
    void lost_print(std::string_view kernel, std::uint64_t lost_bytes, std::uint64_t kept_bytes);
    /// Only the first one since a mark counts: what runs in between may call it, too.
    void begin_call();
    /// Modelled; added up.
    void allocating(double seconds) { allocating_s_ += seconds; }
    /// `memory_bytes`: allocated by now, of all kinds.
    void mark(std::int64_t id, std::uint64_t memory_bytes = 0);

    static constexpr std::uint64_t kMaxLaunches = 1000;
    static constexpr std::uint64_t kLaunchesWithLines = 32;
    static constexpr std::uint64_t kMaxOperations = 4000;
    static constexpr std::uint64_t kMaxOthers = 1000;

private:
    bool has_room();
    /// Writes the allocation's record, before one that names it.
    void introduce(const Allocation&);
    void write_operation();

    std::function<void(std::string_view)> write_;
    std::uint64_t launches_ = 0, operations_ = 0, others_ = 0, dropped_ = 0,
                  dropped_operations_ = 0;
    AllocationLog allocations_;
    bool in_call_ = false, profiles_ = false;
    double allocating_s_ = 0;
    std::optional<Operation> operation_;  ///< the latest: it may become longer
    struct {
        std::uint64_t launches = 0, resident_warps = 0;
        Counts counts;
        model::KernelCost cost;
    } merged_;
    std::map<std::pair<std::string, int>, LineCounts> lines_;  ///< by file and line
};

}  // namespace vgpu

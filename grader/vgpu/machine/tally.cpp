#include "vgpu/machine/tally.h"

namespace vgpu {

Tally& Tally::operator+=(const Tally& other) {
    static_assert(sizeof(Tally) % sizeof(std::uint64_t) == 0);
    // All of it is counters.
    auto* to = reinterpret_cast<std::uint64_t*>(this);
    const auto* from = reinterpret_cast<const std::uint64_t*>(&other);
    for (std::size_t i = 0; i < sizeof(Tally) / sizeof(std::uint64_t); ++i) to[i] += from[i];
    return *this;
}

std::vector<Executions> executions(const Image& image, const std::vector<Tally>& tallies) {
    std::vector<Executions> list(image.code.size());
    Executions running;
    for (std::size_t pc = 0; pc < list.size(); ++pc) {
        const Tally& tally = tallies[pc];
        running.warps += tally.starts;
        running.lanes += tally.start_lanes;
        list[pc] = {running.warps - tally.repeats,
                    running.lanes - tally.repeat_lanes + tally.joined_lanes};
        if (image.code[pc].stretch == 1) running = {};  // the last of its stretch
    }
    return list;
}

Counts counts_of(const Image& image, const std::vector<Tally>& tallies) {
    Counts counts;
    const auto list = executions(image, tallies);
    for (std::size_t pc = 0; pc < list.size(); ++pc) {
        const Tally& tally = tallies[pc];
        const Insn& insn = image.code[pc];
        counts.warp_instructions += list[pc].warps;
        counts.thread_instructions += list[pc].lanes;
        counts.shared_requests += tally.shared_requests;
        switch (insn.kind) {
            case Kind::branch:
                counts.branches += list[pc].warps;
                counts.divergent_branches += tally.divergent;
                break;
            case Kind::barrier:
                counts.barriers += list[pc].warps;
                break;
            case Kind::load:
            case Kind::copy:
                counts.global_load_requests += tally.global_requests;
                counts.global_load_sectors += tally.global_sectors;
                counts.global_load_bytes += tally.global_lanes * insn.access_bytes;
                break;
            case Kind::store:
                counts.global_store_requests += tally.global_requests;
                counts.global_store_sectors += tally.global_sectors;
                counts.global_store_bytes += tally.global_lanes * insn.access_bytes;
                break;
            case Kind::atomic:
                counts.global_atomics += tally.global_lanes;
                break;
            default:
                break;
        }
    }
    return counts;
}

}  // namespace vgpu

#include "profile/tally.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "state/source_lines.h"

namespace vgpu {

Tally& Tally::operator+=(const Tally& other) {
    static_assert(sizeof(Tally) % sizeof(std::uint64_t) == 0);
    // All of it is counters.
    auto* to = reinterpret_cast<std::uint64_t*>(this);
    const auto* from = reinterpret_cast<const std::uint64_t*>(&other);
    for (std::size_t i = 0; i < sizeof(Tally) / sizeof(std::uint64_t); ++i) to[i] += from[i];
    return *this;
}

void Tally::repeat_since(const Tally& before, std::uint64_t times) {
    auto* now = reinterpret_cast<std::uint64_t*>(this);
    const auto* then = reinterpret_cast<const std::uint64_t*>(&before);
    for (std::size_t i = 0; i < sizeof(Tally) / sizeof(std::uint64_t); ++i)
        now[i] += (now[i] - then[i]) * times;
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

namespace {

std::uint64_t Counts::*count_of(Pipe pipe) {
    switch (pipe) {
        // clang-format off
        case Pipe::alu: return &Counts::alu;
        case Pipe::fma: return &Counts::fma;
        case Pipe::fp16: return &Counts::fp16;
        case Pipe::fp64: return &Counts::fp64;
        case Pipe::xu: return &Counts::xu;
        case Pipe::tensor: return &Counts::tensor;
        case Pipe::lsu: return &Counts::lsu;
        case Pipe::adu: return &Counts::adu;
        case Pipe::cbu: return &Counts::cbu;
            // clang-format on
    }
    return &Counts::alu;
}

std::uint64_t Counts::*count_of(Flop flop) {
    switch (flop) {
        // clang-format off
        case Flop::fadd: return &Counts::fadd;
        case Flop::fmul: return &Counts::fmul;
        case Flop::ffma: return &Counts::ffma;
        case Flop::dadd: return &Counts::dadd;
        case Flop::dmul: return &Counts::dmul;
        case Flop::dfma: return &Counts::dfma;
        case Flop::none: break;
            // clang-format on
    }
    return nullptr;
}

/// Wavefronts beyond those that the bytes need, 128 a wavefront, one a request at least.
std::uint64_t conflicts(const Tally& tally, const Insn& insn) {
    const std::uint64_t needed =
        std::max(tally.shared_requests, (tally.shared_lanes * insn.counted_bytes + 127) / 128);
    return tally.shared_wavefronts - std::min(needed, tally.shared_wavefronts);
}

void add_atomics(Counts& counts, const Tally& tally, const Insn& insn) {
    if (!insn.reduces) {
        counts.global_atomic_requests += tally.global_requests;
        counts.global_atomic_sectors += tally.global_sectors;
    } else {
        counts.global_reduction_requests += tally.global_requests;
        counts.global_reduction_sectors += tally.global_sectors;
    }
    counts.global_atomics += tally.global_lanes;
    counts.shared_atomics += tally.shared_lanes;
    counts.shared_atomic_requests += tally.shared_requests;
    counts.shared_atomic_wavefronts += tally.shared_wavefronts;
    counts.shared_atomic_conflicts += conflicts(tally, insn);
}

void add_loads(Counts& counts, const Tally& tally, const Insn& insn) {
    counts.global_load_requests += tally.global_requests;
    counts.global_load_sectors += tally.global_sectors;
    counts.scattered_load_sectors += tally.scattered_sectors;
    counts.global_load_passes += tally.global_passes;
    counts.global_load_bytes += tally.global_lanes * insn.access_bytes;
    if (insn.strong) counts.uncached_load_sectors += tally.global_sectors;
    if (insn.kind == Kind::copy) return;  // it stores what it loaded in shared memory
    counts.local_load_requests += tally.local_requests;
    counts.local_load_sectors += tally.local_sectors;
    counts.shared_load_requests += tally.shared_requests;
    counts.shared_load_wavefronts += tally.shared_wavefronts;
    counts.shared_load_conflicts += conflicts(tally, insn);
}

void add_stores(Counts& counts, const Tally& tally, const Insn& insn) {
    if (insn.kind == Kind::store) {
        counts.global_store_requests += tally.global_requests;
        counts.global_store_sectors += tally.global_sectors;
        counts.scattered_store_sectors += tally.scattered_sectors;
        counts.global_store_passes += tally.global_passes;
        counts.global_store_bytes += tally.global_lanes * insn.access_bytes;
        counts.local_store_requests += tally.local_requests;
        counts.local_store_sectors += tally.local_sectors;
    }
    counts.shared_store_requests += tally.shared_requests;
    counts.shared_store_wavefronts += tally.shared_wavefronts;
    counts.shared_store_conflicts += conflicts(tally, insn);
}

/// The frame of an instruction's inlining that the student wrote: the innermost one in the kernel's
/// own file, or beside it; else the outermost.
std::pair<std::string_view, int> own_line(const Image& image, const ptx::SourceStack& stack) {
    const auto file_of = [&](const ptx::SourceFrame& frame) -> std::string_view {
        if (frame.file >= image.module->files.size()) return {};
        return image.module->files[frame.file];
    };
    const ptx::SourceFrame* own = stack.empty() ? nullptr : &stack.back();
    for (const auto& frame : stack)
        if (is_own(image, file_of(frame))) {
            own = &frame;
            break;
        }
    if (!own) return {};
    return {file_of(*own), static_cast<int>(own->line)};
}

}  // namespace

Counts counts_of(const Image& image, const std::vector<Tally>& tallies) {
    Counts counts;
    const auto list = executions(image, tallies);
    for (std::size_t pc = 0; pc < list.size(); ++pc) {
        const Tally& tally = tallies[pc];
        const Insn& insn = image.code[pc];
        counts.warp_instructions += list[pc].warps;
        counts.thread_instructions += list[pc].lanes;
        if (image.folded[pc] != 0) {
            counts.folded += list[pc].warps;
            if (image.pipes[pc] == Pipe::alu) counts.folded_alu += list[pc].warps;
        }
        counts.*count_of(image.pipes[pc]) += list[pc].warps * image.pipe_uses[pc];
        if (const auto flops = count_of(image.flops[pc])) counts.*flops += list[pc].lanes;
        switch (insn.kind) {
            case Kind::branch:
                counts.branches += list[pc].warps;
                counts.branch_targets += list[pc].warps + tally.divergent;
                counts.divergent_branches += tally.divergent;
                break;
            case Kind::barrier:
                counts.barriers += list[pc].warps;
                break;
            case Kind::load:
            case Kind::warp_sync:  // ldmatrix
                add_loads(counts, tally, insn);
                break;
            case Kind::copy:
                add_loads(counts, tally, insn);
                add_stores(counts, tally, insn);
                break;
            case Kind::store:
                add_stores(counts, tally, insn);
                break;
            case Kind::atomic:
                add_atomics(counts, tally, insn);
                break;
            default:
                break;
        }
    }
    return counts;
}

std::vector<LineCounts> lines_of(const Image& image, const std::vector<Tally>& tallies) {
    std::map<std::pair<std::string_view, int>, LineCounts> lines;
    const auto list = executions(image, tallies);
    for (std::size_t pc = 0; pc < list.size(); ++pc) {
        const Tally& tally = tallies[pc];
        LineCounts counts;
        counts.warp_instructions = list[pc].warps;
        counts.thread_instructions = list[pc].lanes;
        counts.global_requests = tally.global_requests;
        counts.global_sectors = tally.global_sectors;
        counts.shared_requests = tally.shared_requests;
        counts.shared_wavefronts = tally.shared_wavefronts;
        counts.local_sectors = tally.local_sectors;
        if (image.code[pc].kind == Kind::branch) counts.branches = list[pc].warps;
        counts.divergent_branches = tally.divergent;
        lines[own_line(image, image.module->sources[image.sources[pc]])] += counts;
    }
    std::vector<LineCounts> result;
    for (auto& [place, line] : lines) {
        line.where = {std::string(place.first), place.second};
        result.push_back(std::move(line));
    }
    return result;
}

}  // namespace vgpu

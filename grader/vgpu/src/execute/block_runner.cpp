#include "execute/block_runner.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <random>

#include "decode/loops.h"
#include "execute/block_barrier.h"
#include "execute/clock_wait.h"
#include "execute/interpreter.h"
#include "execute/recorder.h"
#include "execute/special_registers.h"
#include "execute/stuck.h"
#include "memory/written_bits.h"
#include "profile/l1_sample.h"
#include "profile/l2_reuse.h"
#include "race/happens_before_checker.h"

namespace vgpu {

BlockRunner::BlockRunner(Execution& execution) : execution_(execution), image_(execution.image) {
    const Dim3& size = execution.launch.block;
    block_.threads = size.x * size.y * size.z;
    const std::uint32_t warps = (block_.threads + kWarpSize - 1) / kWarpSize;
    stride_ = (image_.register_bytes + 255) / 256 * 256;
    registers_.reset(static_cast<std::byte*>(
        ::operator new[](std::size_t{stride_} * warps, std::align_val_t{256})));
    std::memset(registers_.get(), 0, std::size_t{stride_} * warps);

    const std::uint64_t shared_bytes =
        std::uint64_t{image_.dynamic_shared_offset} + execution.launch.dynamic_shared_bytes;
    shared_.resize(shared_bytes);
    shared_written_.resize(written_words(shared_bytes) + 1);
    shared_shadow_.resize(shared_bytes / 4 + 1);
    block_.read_shared_rows.resize(shared_bytes);
    block_.shared.base = kSharedWindow;
    // Where nothing dynamic follows, what is added to align its beginning belongs to nobody.
    block_.shared.size_bytes =
        execution.launch.dynamic_shared_bytes > 0
            ? shared_bytes
            : std::uint64_t{image_.reserved_shared_bytes} + image_.static_shared_bytes;
    block_.shared.data = shared_.data();
    block_.shared.written = shared_written_.data();
    block_.shared.shadow = shared_shadow_.data();
    block_.shared.space = Space::shared;
    block_.shared.name = "shared memory";

    LocalMemory& local = block_.local;
    local.bytes_a_thread = image_.local_bytes;
    local.stride = (image_.local_bytes + 15) / 16 * 16;
    const std::uint64_t local_bytes = std::uint64_t{local.stride} * warps * kWarpSize;
    local.data.resize(local_bytes);
    local.written.resize(written_words(local_bytes) + 1);
    local.all.base = kLocalWindow;
    local.all.size_bytes = local_bytes;
    local.all.data = local.data.data();
    local.all.written = local.written.data();
    local.all.space = Space::local;
    local.all.name = "local memory";

    block_.warps.resize(warps);
    order_.resize(warps);
    times_.resize(warps);
    std::iota(order_.begin(), order_.end(), 0u);
    for (std::uint32_t i = 0; i < warps; ++i) {
        Warp& warp = block_.warps[i];
        warp.registers = registers_.get() + std::size_t{stride_} * i;
        warp.memo = execution.memo.data();
        warp.execution = &execution;
        warp.block = &block_;
        warp.index = i;
        fill_constants(warp);
        fill_special_registers(warp, SpecialLife::launch);
    }
}

void BlockRunner::fill_constants(Warp& warp) const {
    warp.predicate(image_.all_true) = kAllLanes;
    warp.predicate(image_.all_false) = 0;
    for (const auto& constant : image_.constants) {
        if (constant.cell_bytes == 8)
            std::fill_n(warp.lanes<std::uint64_t>(constant.offset), kWarpSize, constant.bits);
        else
            std::fill_n(warp.lanes<std::uint32_t>(constant.offset), kWarpSize,
                        static_cast<std::uint32_t>(constant.bits));
    }
}

/// The same for a seed and a block, whichever worker runs it.
void BlockRunner::permute_warps(std::uint64_t number) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::mt19937_64 random(execution_.options.seed * 0x9e37'79b9'7f4a'7c15 + number);
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random() % i]);
}

void BlockRunner::start(std::uint64_t number, std::uint32_t owner) {
    const Dim3& grid = execution_.launch.grid;
    block_.index = {static_cast<std::uint32_t>(number % grid.x),
                    static_cast<std::uint32_t>(number / grid.x % grid.y),
                    static_cast<std::uint32_t>(number / grid.x / grid.y)};
    block_.number = number;
    block_.visit_bit = visit_bit(number, std::uint64_t{grid.x} * grid.y * grid.z);
    block_.is_l1_sample =
        is_l1_sample(number, std::uint64_t{grid.x} * grid.y * grid.z) && !execution_.checker;
    if (block_.is_l1_sample) block_.l1_sample.begin_block(block_.warps.size());
    block_.owner = owner;
    block_.ordered = 0;
    block_.passed.fill(0);
    std::fill(times_.begin(), times_.end(), 0);
    std::fill(shared_.begin(), shared_.end(), kFreshMemory);
    std::fill(shared_written_.begin(), shared_written_.end(), 0);
    mark_written(shared_written_.data(), 0, image_.reserved_shared_bytes);
    if (series_ != execution_.pages.owners.series) {
        std::fill(shared_shadow_.begin(), shared_shadow_.end(), 0);
        block_.read_shared_rows.clear();
        series_ = execution_.pages.owners.series;
    }
    std::fill(block_.local.data.begin(), block_.local.data.end(), kFreshMemory);
    std::fill(block_.local.written.begin(), block_.local.written.end(), 0);
    for (Warp& warp : block_.warps) {
        const std::uint32_t rest = block_.threads - warp.index * kWarpSize;
        warp.live = rest >= kWarpSize ? kAllLanes : (Mask{1} << rest) - 1;
        warp.now = warp.met = 0;
        warp.backward_branches = 0;
        note_clock_read(warp);
        warp.paths.clear();
        warp.paths.push_back({0, kNever, warp.live, 0});
        for (const auto& cleared : image_.cleared)
            std::memset(warp.registers + cleared.to, 0, cleared.bytes);
        fill_special_registers(warp, SpecialLife::block);
    }
    if (execution_.options.seed != 0) permute_warps(number);
    if (execution_.checker) execution_.checker->begin_block(number, block_.warps.size());
    if (execution_.recorder) execution_.recorder->begin_block(block_);
}

Flow BlockRunner::run_for_a_while(Warp& warp) {
    const auto& only = execution_.launch.trace_block;
    const std::uint64_t before = execution_.executed;
    const bool is_traced = execution_.is_traced && (!only || *only == block_.index);
    const bool is_recorded = execution_.recorder && !execution_.recorder->is_full();
    const Flow flow = is_recorded                    ? run_recorded(warp)
                      : is_traced                    ? run_traced(warp)
                      : execution_.unset             ? run_followed(warp)
                      : execution_.options.seed != 0 ? run_interleaved(warp)
                                                     : run_warp(warp);
    times_[warp.index] += execution_.executed - before;
    return flow;
}

/// A barrier opened: those that are still here waited for the last of them.
void BlockRunner::meet() {
    const std::uint64_t last = *std::max_element(times_.begin(), times_.end());
    for (const Warp& warp : block_.warps)
        if (!warp.paths.empty()) times_[warp.index] = last;
}

void BlockRunner::add_times() {
    execution_.warp_time += std::accumulate(times_.begin(), times_.end(), std::uint64_t{0});
    execution_.block_time += *std::max_element(times_.begin(), times_.end());
}

/// After another block's turn: an instruction that hit its shared memory will hit this block's now.
void BlockRunner::take_over() {
    if (execution_.running == &block_) return;
    execution_.running = &block_;
    for (Region*& region : execution_.memo)
        if (region && region->space == Space::shared) region = &block_.shared;
}

namespace {

class Fingerprint {
public:
    void add(std::uint64_t value) {
        sum_ = (sum_ ^ value) * 0x0000'0100'0000'01b3;
        sum_ ^= sum_ >> 29;
    }
    void add_registers(const Warp& warp, std::uint32_t bytes) {
        std::uint64_t word = 0;
        for (std::uint32_t at = 0; at < bytes; at += sizeof word) {
            std::memcpy(&word, warp.registers + at, sizeof word);
            add(word);
        }
    }
    /// Of the lanes on the path, what decides whether they stay in the loop.
    void add_slice(const Warp& warp, const Path& path, const Image::Loop& loop) {
        const Image::Loop::Registers& live = loop.live[path.pc - loop.begin];
        for (std::size_t k = 0; k < loop.registers.size(); ++k) {
            if (!live[k]) continue;  // another register may lie there meanwhile
            const auto& [at, bytes] = loop.registers[k];
            if (bytes == sizeof(Mask)) {
                add(warp.predicate(at) & path.mask);
                continue;
            }
            for (Mask rest = path.mask; rest != 0; rest &= rest - 1) {
                const int lane = __builtin_ctz(rest);
                add(bytes == kWarpSize * sizeof(std::uint64_t)
                        ? warp.lanes<std::uint64_t>(at)[lane]
                        : warp.lanes<std::uint32_t>(at)[lane]);
            }
        }
    }
    std::uint64_t sum() const { return sum_; }

private:
    std::uint64_t sum_ = 0xcbf2'9ce4'8422'2325;
};

}  // namespace

std::uint64_t BlockRunner::fingerprint(bool sliced) const {
    Fingerprint fingerprint;
    for (const Warp& warp : block_.warps) {
        for (const Path& path : warp.paths) {
            fingerprint.add(std::uint64_t{path.pc} << 32 | path.mask);
            fingerprint.add(std::uint64_t{path.depth} << 32 |
                            static_cast<std::uint16_t>(path.barrier));
            const Image::Loop* const loop = sliced ? longest_loop(image_, path.pc) : nullptr;
            if (loop) fingerprint.add_slice(warp, path, *loop);
        }
        if (!sliced && !warp.paths.empty()) fingerprint.add_registers(warp, stride_);
    }
    return fingerprint.sum();
}

/// Ends the lanes that run, after a bad access, if the others are to go on.
bool BlockRunner::end_faulted(Warp& warp) {
    const bool is_fault = execution_.outcome == Outcome::illegal_address ||
                          execution_.outcome == Outcome::misaligned_address;
    if (!execution_.outlives_faults || !is_fault) return false;
    const Mask lanes = warp.paths.back().mask;
    warp.live &= ~lanes;
    remove_lanes(warp.paths, lanes, 0);
    execution_.faulted.emplace(block_.number, warp.index);
    return true;
}

BlockRunner::Turn BlockRunner::turn() {
    take_over();
    bool ran = false, progress = false, left = false;
    for (const std::uint32_t i : order_) {
        Warp& warp = block_.warps[i];
        if (warp.paths.empty()) continue;
        const Flow flow = run_for_a_while(warp);
        if (execution_.ends_with_recording && execution_.recorder->is_full()) return Turn::stop;
        if (flow == Flow::stop) {
            if (!end_faulted(warp)) return Turn::stop;
            progress = true;
            left = left || !warp.paths.empty();
            continue;
        }
        ran = ran || flow == Flow::yield;
        progress = progress || flow == Flow::next;
        left = left || !warp.paths.empty();
    }
    if (!left) {
        add_times();
        if (block_.is_l1_sample) block_.l1_sample.end_block(execution_.l1_reuse);
        return Turn::ended;
    }
    const bool opened = open_barriers(block_);
    if (opened) meet();
    if (opened && execution_.recorder) execution_.recorder->look_at(block_);
    if (opened || progress || release_awaited(block_)) return Turn::went_on;
    if (ran) return Turn::spun;
    report_deadlock(block_);
    return Turn::stop;
}

}  // namespace vgpu

// The interpreter: run_warp() is its inner loop, everything else hands it warps.
#include "vgpu/machine/interpreter.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "vgpu/machine/barrier.h"
#include "vgpu/machine/special_registers.h"
#include "vgpu/machine/written_bits.h"

namespace vgpu {
namespace {

/// Ends a launch that has used up its instructions.
Flow stop_endless(Warp& warp, const Insn& insn) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(warp.paths.back().mask));
    Finding finding = finding_at(warp, insn, Check::instruction_limit, lane);
    finding.detail = "still here after " +
                     std::to_string(warp.execution->options.warp_instruction_limit) +
                     " warp instructions";
    report(warp, std::move(finding), lane);
    warp.execution->outcome = Outcome::launch_timeout;
    return Flow::stop;
}

/// Runs a warp until it ends (next), waits for others, yields or stops the launch.
Flow run_warp(Warp& warp) {
    Execution& execution = *warp.execution;
    const Insn* const code = execution.image.code.data();
    const std::uint64_t limit = execution.options.warp_instruction_limit;
    while (!warp.paths.empty()) {
        Path& path = warp.paths.back();
        if (path.waits()) {
            if (run_another(warp.paths) || retry_meetings(warp)) continue;
            return Flow::wait;
        }
        if (path.pc == path.reconvergence) {
            warp.paths.pop_back();
            continue;
        }
        const Insn& insn = code[path.pc];
        if (execution.counts.warp_instructions == limit) return stop_endless(warp, insn);
        ++execution.counts.warp_instructions;
        execution.counts.thread_instructions += lane_count(path.mask);
        ++path.pc;
        const Flow flow =
            insn.execute(warp, insn, path.mask & (warp.predicate(insn.guard) ^ insn.guard_flip));
        if (flow == Flow::stop || flow == Flow::yield) return flow;
    }
    return Flow::next;
}

struct AlignedDelete {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{256}); }
};

/// One block's worth of state, used for all blocks of the launch in turn.
class BlockRunner {
public:
    explicit BlockRunner(Execution& execution) : execution_(execution), image_(execution.image) {
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
        block_.shared.base = kSharedWindow;
        block_.shared.size_bytes = shared_bytes;
        block_.shared.data = shared_.data();
        block_.shared.written = shared_written_.data();
        block_.shared.space = Space::shared;
        block_.shared.name = "shared memory";

        block_.local.bytes_a_thread = image_.local_bytes;
        block_.local.stride = (image_.local_bytes + 15) / 16 * 16;
        const std::uint64_t local_bytes = std::uint64_t{block_.local.stride} * warps * kWarpSize;
        block_.local.data.resize(local_bytes);
        block_.local.written.resize(written_words(local_bytes) + 1);

        block_.warps.resize(warps);
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

    /// False when the launch has to end.
    bool run(const Dim3& index, std::uint64_t number) {
        start(index, number);
        for (bool progress = true; progress;) {
            progress = false;
            for (Warp& warp : block_.warps) {
                if (warp.paths.empty()) continue;
                const Flow flow = run_warp(warp);
                if (flow == Flow::stop) return false;
                progress = progress || flow != Flow::wait;
            }
            progress = open_barriers(block_) || progress;
        }
        const bool ended = std::all_of(block_.warps.begin(), block_.warps.end(),
                                       [](const Warp& warp) { return warp.paths.empty(); });
        if (ended) return true;
        report_deadlock(block_);
        execution_.outcome = Outcome::deadlock;
        return false;
    }

private:
    void fill_constants(Warp& warp) const {
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

    void start(const Dim3& index, std::uint64_t number) {
        block_.index = index;
        block_.number = number;
        block_.passed.fill(0);
        std::fill(shared_.begin(), shared_.end(), kFreshMemory);
        std::fill(shared_written_.begin(), shared_written_.end(), 0);
        std::fill(block_.local.data.begin(), block_.local.data.end(), kFreshMemory);
        std::fill(block_.local.written.begin(), block_.local.written.end(), 0);
        for (Warp& warp : block_.warps) {
            const std::uint32_t rest = block_.threads - warp.index * kWarpSize;
            warp.live = rest >= kWarpSize ? kAllLanes : (Mask{1} << rest) - 1;
            warp.paths.clear();
            warp.paths.push_back({0, kNever, warp.live, 0});
            for (const auto& cleared : image_.cleared)
                std::memset(warp.registers + cleared.to, 0, cleared.bytes);
            fill_special_registers(warp, SpecialLife::block);
        }
    }

    Execution& execution_;
    const Image& image_;
    Block block_;
    std::uint32_t stride_ = 0;
    std::unique_ptr<std::byte[], AlignedDelete> registers_;
    std::vector<std::byte> shared_;
    std::vector<std::uint64_t> shared_written_;
};

}  // namespace

void run(Execution& execution) {
    const Dim3& grid = execution.launch.grid;
    BlockRunner runner(execution);
    std::uint64_t number = 0;
    for (std::uint32_t z = 0; z < grid.z; ++z)
        for (std::uint32_t y = 0; y < grid.y; ++y)
            for (std::uint32_t x = 0; x < grid.x; ++x)
                if (!runner.run({x, y, z}, number++)) return;
}

}  // namespace vgpu

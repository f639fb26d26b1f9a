#include "residency.h"

#include <algorithm>

#include "vgpu/occupancy.h"

namespace {

constexpr int kWarp = 32, kSchedulers = 4, kRegisterUnit = 256, kSharedUnit = 128;

int round_up(int value, int unit) {
    return (value + unit - 1) / unit * unit;
}

int warps_of(int threads) {
    return round_up(threads, kWarp) / kWarp;
}

struct Known {
    int got;
    const char* sentence;
};

/// The first that gives this number, if it is not the right one.
std::string first_of(const std::vector<Known>& known, int expected, int got) {
    for (const Known& mistake : known)
        if (mistake.got == got && got != expected) return std::string("\n") + mistake.sentence;
    return "";
}

}  // namespace

int Multiprocessor::warps_by_registers() const {
    const int a_warp = round_up(registers * kWarp, kRegisterUnit);
    return static_cast<int>(gpu.registers_per_multiprocessor) / kSchedulers / a_warp * kSchedulers;
}

BlockLimits Multiprocessor::limits(Block block) const {
    const int warps = warps_of(block.threads);
    const int shared = round_up(
        block.shared_bytes + static_cast<int>(gpu.reserved_shared_bytes_per_block), kSharedUnit);
    BlockLimits limits{};
    limits.by_threads = static_cast<int>(gpu.threads_per_multiprocessor) / kWarp / warps;
    limits.by_blocks = static_cast<int>(gpu.blocks_per_multiprocessor);
    limits.by_registers = warps_by_registers() / warps;
    limits.by_shared = shared == 0 ? limits.by_blocks
                                   : static_cast<int>(gpu.shared_bytes_per_multiprocessor) / shared;
    return limits;
}

int Multiprocessor::resident(Block block) const {
    return static_cast<int>(vgpu::model::blocks_per_multiprocessor(
        gpu, {.registers = static_cast<std::uint32_t>(registers)},
        static_cast<std::uint32_t>(block.threads), static_cast<std::uint64_t>(block.shared_bytes)));
}

std::optional<Multiprocessor> multiprocessor_for(const std::string& kernel) {
    const lab::CompiledKernel* compiled = lab::compiled_kernel(kernel);
    if (compiled == nullptr) return std::nullopt;
    return Multiprocessor{lab::device_limits(), static_cast<int>(compiled->needs.registers)};
}

int resident_threads(const Multiprocessor& with, int threads_a_block) {
    return with.resident({threads_a_block, 0}) * threads_a_block;
}

std::string mistake_in_resident(const Multiprocessor& with, Block block, int got) {
    const BlockLimits limits = with.limits(block);
    const int all = static_cast<int>(with.gpu.multiprocessors);
    const Multiprocessor light{with.gpu, 16};
    return first_of(
        {{with.resident({block.threads, 0}),
          "That is the number without any shared memory: pass shared_bytes on."},
         {with.resident(block) * all,
          "That is the number for the whole GPU: the question is about one multiprocessor."},
         {with.resident(block) * block.threads, "Those are threads: the question is about blocks."},
         {with.resident(block) * warps_of(block.threads),
          "Those are warps: the question is about blocks."},
         {light.resident(block),
          "That is the number for fused_kernel, or for any kernel with few "
          "registers: the question is about power_sums_kernel."},
         {std::min({limits.by_threads, limits.by_blocks, limits.by_shared}),
          "That leaves out the registers of power_sums_kernel."},
         {static_cast<int>(with.gpu.threads_per_multiprocessor) / block.threads,
          "That counts places for threads only."}},
        with.resident(block), got);
}

std::string mistake_in_limit(const Multiprocessor& with, Block block, const std::string& limit,
                             int got) {
    const vgpu::model::Gpu& gpu = with.gpu;
    const int registers = static_cast<int>(gpu.registers_per_multiprocessor);
    const int shared = static_cast<int>(gpu.shared_bytes_per_multiprocessor);
    const int reserved = static_cast<int>(gpu.reserved_shared_bytes_per_block);
    const int warps = warps_of(block.threads);
    const BlockLimits right = with.limits(block);
    const auto blocks_of = [&](int bytes) { return bytes > 0 ? shared / bytes : -1; };
    const int whole_warps = block.threads / kWarp;
    const char* const not_full = "A warp that is not full counts as one, too.";
    if (limit == "by_threads")
        return first_of(
            {{static_cast<int>(gpu.threads_per_multiprocessor) / block.threads,
              "A warp that is not full takes a whole place: count warps, not threads."},
             {static_cast<int>(gpu.threads_per_multiprocessor) / kWarp / std::max(1, whole_warps),
              not_full},
             {static_cast<int>(gpu.max_threads_per_block) / block.threads,
              "That is with the threads that a block may have; a multiprocessor has places for "
              "more."}},
            right.by_threads, got);
    if (limit == "by_registers") {
        const int exact = std::max(1, with.registers);
        const int a_warp = round_up(exact * kWarp, kRegisterUnit);
        const int of_light = multiprocessor_for("fused_kernel").value_or(with).registers;
        return first_of(
            {{registers / (a_warp * warps),
              "Each of the four schedulers has a quarter of the registers, and a warp belongs to "
              "one scheduler: divide the quarter, then multiply by 4."},
             {registers / (exact * block.threads),
              "A warp that is not full gets registers for 32 threads all the same."},
             {registers / kSchedulers / a_warp / warps,
              "There are four schedulers, each with a quarter of the registers."},
             {with.warps_by_registers(), "Those are warps: divide by the warps of a block."},
             {with.warps_by_registers() / std::max(1, whole_warps), not_full},
             {Multiprocessor{gpu, of_light}.limits(block).by_registers,
              "That is with the registers of fused_kernel: the question is about "
              "power_sums_kernel."}},
            right.by_registers, got);
    }
    if (limit == "by_blocks")
        return "\nThe places for blocks are the GPU's own number. What a block needs besides its "
               "place does not count here.";
    // A block may have 48 KB, or, if the kernel asks for it, all that is not reserved.
    const char* const of_a_block =
        "That is with the shared memory that a block may have; a multiprocessor has more.";
    if (limit == "by_shared")
        return first_of(
            {{blocks_of(std::max(kSharedUnit, round_up(block.shared_bytes, kSharedUnit))),
              "Each block needs some bytes more, which the system reserves: "
              "gpu.reservedSharedMemPerBlock."},
             {blocks_of(block.shared_bytes),
              "Each block needs some bytes more, which the system reserves: "
              "gpu.reservedSharedMemPerBlock."},
             {blocks_of(block.shared_bytes + reserved),
              "A block's shared memory is rounded up to the next multiple of 128 bytes."},
             {static_cast<int>(gpu.shared_bytes_per_block) /
                  round_up(block.shared_bytes + reserved, kSharedUnit),
              of_a_block},
             {(shared - reserved) / round_up(block.shared_bytes + reserved, kSharedUnit),
              of_a_block}},
            right.by_shared, got);
    return "";
}

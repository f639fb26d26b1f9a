#include "review/surprise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/quantity.h"
#include "profiler/numbers.h"
#include "profiler/parts.h"

namespace lab {

using profiles::ratio;
using profiles::real;
using vgpu::Counts;
using vgpu::model::Gpu;
using vgpu::model::KernelWork;

namespace {

struct Surprise {
    double weight = 0;  ///< how far from what one expects; 0: it does not hold
    std::string text;
};

/// Arithmetic that costs nothing: the kernel waits for something else.
Surprise free_arithmetic(const KernelProfile& kernel, const Gpu& gpu) {
    KernelWork work = kernel.work;
    Counts& c = work.counts;
    c.folded = c.warp_instructions;
    c.alu = c.folded_alu = c.fma = c.fp64 = c.xu = 0;
    const double gain = ratio(kernel.cost.seconds(), cost_of(gpu, work).seconds()) - 1;
    constexpr double kLittle = 0.1;
    if (gain > kLittle) return {};
    constexpr double kNothing = 0.005;
    return {1 - gain / kLittle,
            fmt::format("If all your instructions took no time at all, {} would be {}. What takes "
                        "the time is {}.",
                        kernel.short_name(),
                        gain < kNothing ? "no faster" : percent_text(gain) + " faster",
                        profiles::longest_part(kernel.cost).limit)};
}

/// Few of the instructions do what the kernel is for.
Surprise overhead(const KernelProfile& kernel, const Gpu&) {
    const Counts& c = kernel.counts();
    const double flops = real(c.fadd + c.fmul + c.ffma + c.dadd + c.dmul + c.dfma);
    if (flops == 0) return {};
    const double share = ratio(flops, real(c.thread_instructions));
    constexpr double kFew = 0.25;
    if (share > kFew) return {};
    return {0.5 + 0.45 * (kFew - share) / kFew,
            fmt::format("Of {:.0f} instructions that {} executes, one computes with your floats. "
                        "The others find out which ones, fetch them and store the result.",
                        1 / share, kernel.short_name())};
}

/// The same kernel on a GPU at home has another limit.
Surprise other_gpu(const KernelProfile& kernel, const Gpu& gpu) {
    const Gpu* const home = vgpu::model::profile("rtx-3060");
    if (home == nullptr || home->key == gpu.key) return {};
    const auto there = cost_of(*home, kernel.work);
    const double slower = ratio(there.seconds(), kernel.cost.seconds());
    const auto& here_part = profiles::longest_part(kernel.cost);
    const auto& there_part = profiles::longest_part(there);
    if (here_part.time_s == there_part.time_s) return {};
    return {0.9, fmt::format("On a {} the same launch would take {:.0f} times as long, and its "
                             "limit would be another: {} in place of {}. (Modelled from published "
                             "figures.)",
                             home->name, slower, there_part.limit, here_part.limit)};
}

/// The last wave of blocks leaves most of the GPU idle.
Surprise tail(const KernelProfile& kernel, const Gpu&) {
    const double at_once = real(kernel.work.blocks_at_once), blocks = real(kernel.work.blocks);
    if (at_once == 0 || blocks <= at_once) return {};
    const double waves = std::ceil(blocks / at_once), last = blocks - (waves - 1) * at_once;
    constexpr double kManyWaves = 6, kNearlyEmpty = 0.5;
    if (waves > kManyWaves || last / at_once > kNearlyEmpty) return {};
    return {
        0.6 + (kNearlyEmpty - last / at_once),
        fmt::format("The GPU holds {:.0f} of your blocks at once, so your {:.0f} come in {:.0f} "
                    "waves, and in the last one {} of the places are filled.",
                    at_once, blocks, waves, percent_text(last / at_once))};
}

/// Waiting is the normal state of a warp.
Surprise waiting(const KernelProfile& kernel, const Gpu& gpu) {
    const double there = warp_cycles_per_instruction(kernel, gpu);
    if (there <= 1) return {};
    return {0.3 + 0.2 * std::min(1.0, there / 200),
            fmt::format("A warp of {} issues an instruction every {:.0f} cycles, and waits for the "
                        "rest of its life. That is no mistake: meanwhile others run, and memory "
                        "needs that many requests under way.",
                        kernel.short_name(), there)};
}

/// Loads that memory never sees.
Surprise cached(const KernelProfile& kernel, const Gpu& gpu) {
    const double asked = real(kernel.counts().global_load_bytes);
    const double moved = traffic_of(gpu, kernel.work).memory_bytes;
    constexpr double kOften = 6;
    if (moved <= 0 || asked < kOften * moved) return {};
    return {
        0.8 + 0.1 * std::min(2.0, std::log10(asked / moved)),
        fmt::format("Your threads load {}, but only {} travel from memory: caches answer {:.0f} "
                    "of {:.0f} requests.",
                    bytes_text(asked), bytes_text(moved), std::round(asked / moved) - 1,
                    std::round(asked / moved))};
}

}  // namespace

std::string surprise_about(const KernelProfile& kernel, const Gpu& gpu) {
    Surprise best;
    for (const auto find : {free_arithmetic, overhead, other_gpu, tail, waiting, cached}) {
        Surprise one = find(kernel, gpu);
        if (one.weight > best.weight) best = std::move(one);
    }
    return best.text;
}

}  // namespace lab

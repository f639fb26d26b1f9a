#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "profiler/numbers.h"
#include "profiler/parts.h"
#include "profiler/sections.h"

namespace lab {

using profiles::ratio;
using profiles::real;
using vgpu::WarpState;

namespace {

struct State {
    const char* name;
    double cycles = 0;  ///< for each warp instruction
};
constexpr std::array<const char*, vgpu::kWarpStates> kNames = {"Selected",
                                                               "Stall Wait",
                                                               "Stall Long Scoreboard",
                                                               "Stall Short Scoreboard",
                                                               "Stall IMC Miss",
                                                               "Stall Branch Resolving",
                                                               "Stall Barrier"};

/// The state in which warps are while what takes longest is busy with others.
const char* queue_of(const KernelProfile& profile) {
    using Cost = vgpu::model::KernelCost;
    const vgpu::Counts& c = profile.counts();
    const auto longest = profiles::longest_part(profile.cost).time_s;
    if (longest == &Cost::issue_s)
        return c.fma + c.alu + c.fp64 + c.xu > c.warp_instructions / 2 ? "Stall Math Pipe Throttle"
                                                                       : "Stall Not Selected";
    if (longest == &Cost::l1_s)
        return c.shared_load_wavefronts + c.shared_store_wavefronts > c.global_load_passes
                   ? "Stall MIO Throttle"
                   : "Stall LG Throttle";
    return "Stall Long Scoreboard";
}

}  // namespace

ProfileSection warp_states(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    const double instructions = real(profile.counts().warp_instructions);
    const double far = traffic_of(gpu, profile.work).far_share;
    std::vector<State> states;
    double alone = 0;
    for (std::size_t state = 0; state < vgpu::kWarpStates; ++state) {
        const vgpu::StateCycles& cycles = profile.states[state];
        states.push_back(
            {kNames[state], ratio(far * cycles.far + (1 - far) * cycles.near, instructions)});
        alone += states.back().cycles;
    }
    // The states are those of the data that ran; with more data a warp may do more.
    const double alone_now =
        ratio(far * profile.work.far_cycles + (1 - far) * profile.work.near_cycles, instructions);
    for (State& state : states) state.cycles *= ratio(alone_now, alone);

    // All the time in which a warp is there: what it does not need alone, it spends in a queue.
    const double there = warp_cycles_per_instruction(profile, gpu);
    if (there > alone_now) {
        const char* queue = queue_of(profile);
        const auto same = std::ranges::find_if(
            states, [&](const State& state) { return std::string_view(state.name) == queue; });
        if (same != states.end())
            same->cycles += there - alone_now;
        else
            states.push_back({queue, there - alone_now});
    }
    std::ranges::stable_sort(states, std::ranges::greater(), &State::cycles);

    ProfileSection section{"Warp State Statistics", {}, {}, {}};
    const double all = std::max(there, alone_now);
    section.rows.push_back(
        {"Warp Cycles Per Issued Instruction", fmt::format("{:.1f}", all), Origin::modelled});
    for (const State& state : states)
        if (state.cycles > 0.01 * all)
            section.rows.push_back({std::string("  ") + state.name,
                                    fmt::format("{:.1f}", state.cycles), Origin::modelled,
                                    ratio(state.cycles, all)});
    return section;
}

}  // namespace lab

#include "vgpu/work.h"

namespace vgpu {

using model::KernelWork;

namespace {

/// Calls each(name, value) for all that a launch's record does not say elsewhere.
template <class Work, class Each>
void visit(Work& work, Each each) {
    each("blocks_at_once", work.blocks_at_once);
    each("touched_bytes", work.touched_bytes);
    each("pieces", work.revisits.pieces);
    each("pieces_loaded", work.revisits.loaded);
    each("pieces_stored", work.revisits.stored);
    each("pieces_loaded_again", work.revisits.loaded_again);
    each("pieces_stored_again", work.revisits.stored_again);
    each("lines_first", work.l1_reuse.first);
    each("lines_again", work.l1_reuse.again);
    each("hottest_uncached_loads", work.hottest_uncached_loads);
    each("hottest_is_float", work.hottest_is_float);
    each("far_cycles", work.far_cycles);
    each("near_cycles", work.near_cycles);
    each("warp_time", work.warp_time);
    each("block_time", work.block_time);
    each("waited_cycles", work.waited_cycles);
}

/// The same of a line.
template <class Line, class Each>
void visit_line(Line& line, Each each) {
    each("file", line.where.file);
    each("line", line.where.line);
    each("warp_instructions", line.warp_instructions);
    each("thread_instructions", line.thread_instructions);
    each("global_requests", line.global_requests);
    each("global_sectors", line.global_sectors);
    each("shared_requests", line.shared_requests);
    each("shared_wavefronts", line.shared_wavefronts);
    each("local_sectors", line.local_sectors);
    each("branches", line.branches);
    each("divergent_branches", line.divergent_branches);
}

constexpr const char* kStates[kWarpStates] = {"selected",         "wait",     "long_scoreboard",
                                              "short_scoreboard", "imc_miss", "branch_resolving",
                                              "barrier"};

}  // namespace

nlohmann::ordered_json json_of(const LineCounts& line) {
    nlohmann::ordered_json json;
    visit_line(line, [&](const char* name, const auto& value) { json[name] = value; });
    return json;
}

LineCounts line_counts_of(const nlohmann::json& json) {
    LineCounts line;
    visit_line(line, [&](const char* name, auto& value) { json.at(name).get_to(value); });
    return line;
}

nlohmann::ordered_json json_of(const WarpStates& states) {
    nlohmann::ordered_json json;
    for (std::size_t state = 0; state < kWarpStates; ++state)
        json[kStates[state]] = {states[state].far, states[state].near};
    return json;
}

WarpStates warp_states_of(const nlohmann::json& json) {
    WarpStates states;
    for (std::size_t state = 0; state < kWarpStates; ++state) {
        const nlohmann::json& cycles = json.at(kStates[state]);
        states[state] = {cycles.at(0), cycles.at(1)};
    }
    return states;
}

nlohmann::ordered_json json_of(const KernelWork& work) {
    nlohmann::ordered_json::object_t json;
    visit(work, [&](const char* name, const auto& value) { json.push_back({name, value}); });
    return json;
}

KernelWork work_of(const nlohmann::json& launch) {
    KernelWork work;
    work.blocks = 1;
    for (const std::uint64_t extent : launch.at("grid")) work.blocks *= extent;
    work.counts = counts_of(launch.at("counts"));
    if (const auto hottest = launch.find("hottest_atomic"); hottest != launch.end()) {
        hottest->at("visits").get_to(work.hottest_visits);
    }
    const nlohmann::json& more = launch.at("work");
    visit(work, [&](const char* name, auto& value) { more.at(name).get_to(value); });
    return work;
}

}  // namespace vgpu

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

}  // namespace

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

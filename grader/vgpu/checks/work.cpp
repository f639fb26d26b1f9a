#include "vgpu/checks/work.h"

namespace vgpu {

using model::KernelWork;

nlohmann::ordered_json json_of(const KernelWork& work) {
    return {{"blocks_at_once", work.blocks_at_once},
            {"touched_bytes", work.touched_bytes},
            {"pieces", work.revisits.pieces},
            {"pieces_loaded", work.revisits.loaded},
            {"pieces_stored", work.revisits.stored},
            {"pieces_loaded_again", work.revisits.loaded_again},
            {"pieces_stored_again", work.revisits.stored_again},
            {"lines_first", work.l1_reuse.first},
            {"lines_again", work.l1_reuse.again},
            {"hottest_uncached_loads", work.hottest_uncached_loads},
            {"hottest_is_float", work.hottest_is_float},
            {"far_cycles", work.far_cycles},
            {"near_cycles", work.near_cycles},
            {"warp_time", work.warp_time},
            {"block_time", work.block_time},
            {"waited_cycles", work.waited_cycles}};
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
    more.at("blocks_at_once").get_to(work.blocks_at_once);
    more.at("touched_bytes").get_to(work.touched_bytes);
    more.at("pieces").get_to(work.revisits.pieces);
    more.at("pieces_loaded").get_to(work.revisits.loaded);
    more.at("pieces_stored").get_to(work.revisits.stored);
    more.at("pieces_loaded_again").get_to(work.revisits.loaded_again);
    more.at("pieces_stored_again").get_to(work.revisits.stored_again);
    more.at("lines_first").get_to(work.l1_reuse.first);
    more.at("lines_again").get_to(work.l1_reuse.again);
    more.at("hottest_uncached_loads").get_to(work.hottest_uncached_loads);
    more.at("hottest_is_float").get_to(work.hottest_is_float);
    more.at("far_cycles").get_to(work.far_cycles);
    more.at("near_cycles").get_to(work.near_cycles);
    more.at("warp_time").get_to(work.warp_time);
    more.at("block_time").get_to(work.block_time);
    more.at("waited_cycles").get_to(work.waited_cycles);
    return work;
}

}  // namespace vgpu

#include "model/live_clocks.h"

#include <algorithm>

namespace vgpu::model {

LiveClocks::LiveClocks(const Timeline& timeline, ThreadId first)
    : timeline_(timeline), at_s_{{first, timeline.now_s()}} {}

void LiveClocks::begin(ThreadId thread, double at_s) {
    at_s_.emplace(thread, at_s);
}

double& LiveClocks::clock(ThreadId thread) {
    return at_s_.try_emplace(thread, met_s_).first->second;
}

void LiveClocks::follow(ThreadId thread, ThreadId other) {
    double& mine_s = clock(thread);
    mine_s = std::max(mine_s, at_s(other));
}

void LiveClocks::meet(double at_s) {
    met_s_ = at_s;
    at_s_.clear();
}

void LiveClocks::serve(ThreadId thread, const std::function<void(Timeline&)>& call) {
    double& mine_s = clock(thread);
    double earliest_s = mine_s;
    for (const auto& [other, other_at_s] : at_s_) earliest_s = std::min(earliest_s, other_at_s);
    timeline_.host_is_at(mine_s, earliest_s);
    call(timeline_);
    mine_s = timeline_.now_s();
}

double LiveClocks::at_s(ThreadId thread) const {
    const auto found = at_s_.find(thread);
    return found == at_s_.end() ? met_s_ : found->second;
}

}  // namespace vgpu::model

#include "execute/livelock_detector.h"
#include "execute/block.h"
#include "memory/page_fingerprint.h"

namespace vgpu {
namespace {

/// A loop whose turns end at different places comes back to the first after a few rounds; chosen.
constexpr std::uint64_t kRoundsToCompare = 4;

bool stores(const Insn& insn) {
    return insn.kind == Kind::store || insn.kind == Kind::atomic || insn.kind == Kind::copy;
}

/// Reads what another thread may have written meanwhile.
bool looks(const Insn& insn) {
    return insn.kind == Kind::load && insn.strong;
}

}  // namespace

template <class Counts>
std::uint64_t LivelockDetector::accesses(Counts counts) const {
    std::uint64_t sum = 0;
    for (const Insn& insn : execution_.image.code) {
        if (!counts(insn)) continue;
        const Tally& tally = execution_.tallies[insn.pc];
        sum += tally.global_lanes + tally.shared_lanes;
        if (stores(insn)) sum += tally.local_requests;
    }
    return sum;
}

bool LivelockDetector::is_livelock(std::span<const std::unique_ptr<BlockRunner>> residents) {
    ++rounds_;
    if (rounds_ < look_at_) return false;
    std::uint64_t state = 0;
    for (const auto& block : residents) state = state * 31 + block->fingerprint();
    if (rounds_ == look_at_) {
        state_ = state;
        stores_ = accesses(stores);
        looks_ = accesses(looks);
        return false;
    }
    if (state == state_ && accesses(stores) == stores_ && accesses(looks) != looks_)
        return touched_since(execution_.memory, execution_.pages.run).has_value();
    if (rounds_ == look_at_ + kRoundsToCompare) look_at_ *= 4;  // looking takes time
    return false;
}

}  // namespace vgpu

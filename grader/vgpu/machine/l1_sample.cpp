#include "vgpu/machine/l1_sample.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <unordered_map>

namespace vgpu {
namespace {

/// Sums of the first so many of a row of numbers that change.
class Prefixes {
public:
    explicit Prefixes(std::size_t size) : tree_(size + 1) {}
    void add(std::size_t at, int value) {
        for (++at; at < tree_.size(); at += at & (~at + 1)) tree_[at] += value;
    }
    int before(std::size_t at) const {
        int sum = 0;
        for (; at > 0; at -= at & (~at + 1)) sum += tree_[at];
        return sum;
    }

private:
    std::vector<int> tree_;
};

}  // namespace

void L1Sample::end_block(L1Reuse& sum) {
    std::ranges::stable_sort(touches_, {},
                             [](const Touch& t) { return std::tuple(t.request, t.warp); });
    // A request's lanes that touch one line do so together.
    const auto repeated = std::ranges::unique(touches_, [](const Touch& a, const Touch& b) {
        return a.request == b.request && a.warp == b.warp && a.line == b.line;
    });
    touches_.erase(repeated.begin(), repeated.end());
    std::unordered_map<Address, std::size_t> latest;
    Prefixes newest(touches_.size());  // 1 where a line was touched last
    for (std::size_t i = 0; i < touches_.size(); ++i) {
        const auto [found, is_new] = latest.try_emplace(touches_[i].line, i);
        const bool counts = !touches_[i].writes;
        if (is_new) {
            sum.first += counts ? 1 : 0;
        } else {
            const int between = newest.before(i) - newest.before(found->second + 1);
            const auto bucket =
                static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(between)));
            if (counts) ++sum.again[std::min(bucket, sum.again.size() - 1)];
            newest.add(found->second, -1);
            found->second = i;
        }
        newest.add(i, 1);
    }
    touches_.clear();
}

}  // namespace vgpu

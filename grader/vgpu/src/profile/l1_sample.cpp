#include "profile/l1_sample.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace vgpu {
namespace {

/// Prefix sums of a row of numbers that change.
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
    std::vector<std::size_t> begin(2);  // of each request's touches, in their order
    for (const Touch& touch : touches_) {
        if (begin.size() < touch.request + 2) begin.resize(touch.request + 2);
        ++begin[touch.request + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<const Touch*> order(touches_.size());
    for (const Touch& touch : touches_) order[begin[touch.request]++] = &touch;

    // Of each line, the latest touch: found by a hash, looked for from there on.
    const std::size_t slots = std::bit_ceil(2 * order.size() + 1);
    std::vector<std::pair<Address, std::size_t>> latest(slots, {~Address{0}, 0});
    Prefixes newest(order.size());  // 1 where a line was touched last
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Touch& touch = *order[i];
        // A request's lanes that touch one line do so together.
        if (i > 0 && order[i - 1]->request == touch.request && order[i - 1]->warp == touch.warp &&
            order[i - 1]->line == touch.line)
            continue;
        std::size_t slot = (touch.line * 0x9e37'79b9'7f4a'7c15 >> 40) & (slots - 1);
        while (latest[slot].first != touch.line && latest[slot].first != ~Address{0})
            slot = (slot + 1) & (slots - 1);
        auto& [line, before] = latest[slot];
        if (line != touch.line) {
            line = touch.line;
            sum.first += touch.writes ? 0 : 1;
        } else {
            const int between = newest.before(i) - newest.before(before + 1);
            const auto bucket =
                static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(between)));
            if (!touch.writes) ++sum.again[std::min(bucket, sum.again.size() - 1)];
            newest.add(before, -1);
        }
        before = i;
        newest.add(i, 1);
    }
    touches_.clear();
}

}  // namespace vgpu

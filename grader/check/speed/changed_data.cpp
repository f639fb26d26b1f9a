#include "check/speed/changed_data.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "protocol/parallel.h"

namespace lab {
namespace {

/// Flips the bits that the runners flip.
void mutate(std::span<std::byte> data, Change change, std::uint64_t mask) {
    for_each_range(data.size() / 8, [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::uint64_t word;
            std::memcpy(&word, &data[8 * i], 8);
            word ^= change_of(change, i, mask);
            std::memcpy(&data[8 * i], &word, 8);
        }
    });
}

}  // namespace

void change_data(const SpeedPlan& plan, Marshalled& call, Change change) {
    for (std::size_t i = 0; i < call.areas.size(); ++i) {
        const std::uint64_t mask = call.request.allocations[i].mutate_mask;
        if (!call.has_input(i) || mask == 0) continue;
        const Buffer& input = call.buffers[call.areas[i].buffers.front()];
        const std::span<std::byte> data = plan.data[input.position];
        if (!input.pitched()) {
            mutate(data, change.of_buffer(i), mask);
            continue;
        }
        // The runners change the padding, too.
        const std::span<std::byte> image(call.areas[i].image);
        mutate(image.subspan(input.data_begin, input.data_bytes()), change.of_buffer(i), mask);
        const std::vector<std::byte> changed = compact(input, image);
        std::copy(changed.begin(), changed.end(), data.begin());
    }
}

}  // namespace lab

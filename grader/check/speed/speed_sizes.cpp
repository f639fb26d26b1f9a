#include "check/speed/speed_sizes.h"

#include "check/call/inputs.h"

namespace lab {
namespace {

/// At least `least` and at most a fifth more, and odd if `like` is.
int drawn_above(int least, int like) {
    const int first = least + ((least ^ like) & 1);
    return first + 2 * random_int(0, least / 10);
}

}  // namespace

CountedSizes drawn_sizes(const SpeedSizes& sizes) {
    const int larger = drawn_above(sizes.vgpu, sizes.vgpu);
    return {drawn_above(sizes.vgpu / 2, sizes.vgpu), larger, sizes.gpu};
}

int drawn_between(const CountedSizes& sizes) {
    const int quarter = (sizes.larger - sizes.small) / 4;
    return random_int(sizes.small + quarter, sizes.larger - quarter);
}

}  // namespace lab

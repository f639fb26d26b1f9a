// The numbers of elements of a speed test on the virtual GPU. They are drawn, because a submission
// that knew them could waste time on them alone.
#pragma once

#include "check/speed/speed.h"
#include "check/speed/speed_judges.h"

namespace lab {

struct CountedSizes {
    int small = 0, larger = 0, full = 0;  ///< `full`: on a GPU

    DataGrowth growth() const { return {1.0 * small, 1.0 * larger, 1.0 * full}; }
};

/// The larger one at least `vgpu` and at most a fifth more, the small one half as many, with a draw
/// of its own; both are odd if `vgpu` is, to keep the tail. From the test's random numbers.
CountedSizes drawn_sizes(const SpeedSizes&);

/// A third number, from the middle half of what lies between the two.
int drawn_between(const CountedSizes&);

}  // namespace lab

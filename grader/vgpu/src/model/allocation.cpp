#include "model/allocation.h"

#include <algorithm>

namespace vgpu::model {
namespace {

constexpr double kMiB = 1 << 20;

/// So long, and so long for each MiB beyond the first.
struct Price {
    double begin_s, a_mib_s;
};

double of(const Price& price, std::uint64_t bytes) {
    return price.begin_s + price.a_mib_s * std::max(0.0, static_cast<double>(bytes) / kMiB - 1);
}

/// Parts of a piece of 2 MiB, which the driver has at hand.
constexpr std::uint64_t kPieceBytes = 2 << 20;
constexpr Price kPartTaken{1.5e-6, 0}, kPartGiven{1.5e-6, 0};

constexpr Price kDeviceTaken{41e-6, 0.1e-6}, kDeviceGiven{35e-6, 0.43e-6};
constexpr Price kPinnedTaken{760e-6, 330e-6}, kPinnedGiven{300e-6, 85e-6};
constexpr Price kManagedTaken{14e-6, 0.35e-6}, kManagedGiven{45e-6, 9e-6};
constexpr Price kTouched{80e-6, 115e-6};
constexpr Price kPoolGrown{52e-6, 0.6e-6};

}  // namespace

double allocation_seconds(Memory memory, std::uint64_t bytes) {
    switch (memory) {
        case Memory::device:
            return of(bytes < kPieceBytes ? kPartTaken : kDeviceTaken, bytes);
        case Memory::pinned:
            return of(kPinnedTaken, bytes);
        case Memory::managed:
            return of(kManagedTaken, bytes);
    }
    return 0;
}

double release_seconds(Memory memory, std::uint64_t bytes) {
    switch (memory) {
        case Memory::device:
            return of(bytes < kPieceBytes ? kPartGiven : kDeviceGiven, bytes);
        case Memory::pinned:
            return of(kPinnedGiven, bytes);
        case Memory::managed:
            return of(kManagedGiven, bytes);
    }
    return 0;
}

double pool_growth_seconds(std::uint64_t bytes) {
    return of(kPoolGrown, bytes);
}

double first_touch_seconds(std::uint64_t bytes) {
    return bytes == 0 ? 0 : of(kTouched, bytes);
}

}  // namespace vgpu::model

#include "vgpu/machine/cost.h"

#include <algorithm>
#include <array>

#include "vgpu/machine/repeats.h"

namespace vgpu {

std::uint32_t sectors(const std::uint32_t* distance, Mask active) {
    // An aligned access of up to 16 bytes lies in one sector.
    std::array<std::uint32_t, kWarpSize> sector;
    std::transform(distance, distance + kWarpSize, sector.begin(),
                   [](std::uint32_t bytes) { return bytes / 32; });
    return lane_count(active) - lane_count(repeats(sector.data(), active));
}

std::uint32_t wavefronts(const std::uint32_t* distance, Mask active, std::uint32_t bytes) {
    constexpr unsigned kBanks = 32;
    // All lanes at once, half of them for 16 bytes a lane: measured on an H200.
    const unsigned group = bytes <= 8 ? kWarpSize : kWarpSize / 2;
    std::uint32_t total = 0;
    for (unsigned begin = 0; begin < kWarpSize; begin += group) {
        std::array<std::array<std::uint32_t, kWarpSize>, kBanks> words;  // different ones, by bank
        std::array<std::uint8_t, kBanks> known{};
        std::uint32_t most = 0;
        for (unsigned lane = begin; lane < begin + group; ++lane) {
            if ((active >> lane & 1) == 0) continue;
            for (std::uint32_t k = 0; k < bytes; k += 4) {
                const std::uint32_t word = (distance[lane] + k) / 4;
                auto& bank = words[word % kBanks];
                auto& count = known[word % kBanks];
                if (std::find(bank.begin(), bank.begin() + count, word) == bank.begin() + count)
                    bank[count++] = word;
                most = std::max<std::uint32_t>(most, count);
            }
        }
        total += most;
    }
    return std::max(total, 1u);
}

std::uint32_t sectors_one_by_one(const std::uint32_t* distance, Mask lanes) {
    std::uint32_t total = 0;
    while (lanes != 0) {
        Mask turn = 0;
        for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            bool taken = false;
            for (Mask others = turn; others != 0; others &= others - 1)
                taken = taken || distance[__builtin_ctz(others)] == distance[lane];
            if (!taken) turn |= Mask{1} << lane;
        }
        total += sectors(distance, turn);
        lanes &= ~turn;
    }
    return total;
}

}  // namespace vgpu

#include "profile/access_cost.h"

#include <algorithm>
#include <array>

#include "profile/duplicate_lanes.h"

namespace vgpu {
namespace {

/// Those of `lanes` that have the address of the first of them.
Mask with_first(const std::uint32_t* distance, Mask lanes) {
    const std::uint32_t address = distance[__builtin_ctz(lanes)];
    Mask same = 0;
    constexpr std::uint32_t kFew = 8;  // then a vector of all is no faster (chosen)
    if (lane_count(lanes) <= kFew) {
        for (Mask rest = lanes; rest != 0; rest &= rest - 1)
            same |= distance[__builtin_ctz(rest)] == address ? rest & (0 - rest) : 0;
        return same;
    }
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
        same |= Mask{distance[lane] == address} << lane;
    return same & lanes;
}

}  // namespace

std::uint32_t sectors(const std::uint32_t* distance, Mask active) {
    // An aligned access of up to 16 bytes lies in one sector.
    if (lane_count(active) == 1) return 1;  // blocks that look whether another is done, mostly
    std::array<std::uint32_t, kWarpSize> sector;
    std::transform(distance, distance + kWarpSize, sector.begin(),
                   [](std::uint32_t bytes) { return bytes / 32; });
    return lane_count(active) - lane_count(duplicate_lanes(sector.data(), active));
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
    // A sector comes as often as the one of its addresses that most lanes have.
    std::array<std::uint32_t, kWarpSize> sector, turns;
    std::uint32_t known = 0, total = 0;
    while (lanes != 0) {
        const std::uint32_t address = distance[__builtin_ctz(lanes)];
        const Mask same = with_first(distance, lanes);
        lanes &= ~same;
        const auto end = sector.begin() + known;
        const auto at =
            static_cast<std::size_t>(std::find(sector.begin(), end, address / 32) - sector.begin());
        if (at == known) {
            sector[known] = address / 32;
            turns[known++] = 0;
        }
        const std::uint32_t more = lane_count(same) - std::min(lane_count(same), turns[at]);
        turns[at] += more;
        total += more;
    }
    return total;
}

std::uint32_t retry_wavefronts(const std::uint32_t* distance, Mask lanes) {
    // A sum over 2^26 floats, all of a block at one address, takes 9.3 cycles a lane on an H200.
    constexpr std::uint32_t kEach = 9;
    std::uint32_t most = 0;
    while (lanes != 0) {
        const Mask same = with_first(distance, lanes);
        most = std::max(most, lane_count(same));
        lanes &= ~same;
    }
    return kEach * most;
}

}  // namespace vgpu

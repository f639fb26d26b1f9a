#include "device/touched_words.h"

#include <optional>

#include "execute/schedule.h"
#include "race/shadow_word.h"

namespace vgpu {
namespace {

/// More rows than this say nothing that anybody reads; chosen.
constexpr std::size_t kMostWriters = 1 << 14;

/// Calls `visit(address, shadow word)` for each word of pages that the launch touched, and
/// `skip(address)` where a page begins that it did not touch. A shadow word of before is 0.
template <class Visit, class Skip>
void each_word(const Region& region, const Execution& execution, Visit visit, Skip skip) {
    const std::uint64_t words = (region.size_bytes + 3) / 4;
    for (std::uint64_t word = 0; word < words; ++word) {
        const Address at = region.base + 4 * word;
        if (region.pages[word / kPageWords].touched != execution.pages.run) {
            skip(at);
            word = (word / kPageWords + 1) * kPageWords - 1;
            continue;
        }
        const ShadowWord shadow = region.shadow[word];
        visit(at, shadow >> kOwnerAt < execution.pages.owners.first ? 0 : shadow);
    }
}

}  // namespace

std::vector<Footprint> footprint(DeviceMemory& memory, const Execution& execution) {
    std::vector<Footprint> ranges;
    memory.each_with_shadow([&](const Region& region) {
        Footprint range;
        const auto end_range = [&](Address at) {
            if (!range.is_read && !range.is_written) return;
            range.end = at;
            ranges.push_back(range);
            range = {};
        };
        each_word(
            region, execution,
            [&](Address at, ShadowWord shadow) {
                const bool is_read = (shadow & kShadowWasRead) != 0;
                const bool is_written = (shadow & (kShadowPlain | kShadowStrong)) != 0;
                const bool is_strong = (shadow & kShadowStrong) != 0;
                if (is_read == range.is_read && is_written == range.is_written &&
                    is_strong == range.is_strong)
                    return;
                end_range(at);
                range = {at, 0, is_read, is_written, is_strong};
            },
            end_range);
        end_range(region.base + region.size_bytes);
    });
    return ranges;
}

std::vector<Writers> writers(DeviceMemory& memory, const Execution& execution) {
    const Launch& launch = execution.launch;
    const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
    if (block_count(launch) > kOwners / 2) return {};  // some owners are forgotten
    const auto thread_of = [&](ShadowWord shadow) {
        std::uint64_t block = (shadow >> kOwnerAt) - execution.pages.owners.first;
        if (block < execution.started.size()) block = execution.started[block];
        return block * threads + (shadow >> kWriterAt & kShadowThread);
    };
    std::vector<Writers> rows;
    memory.each_with_shadow([&](const Region& region) {
        bool goes_on = false;
        each_word(
            region, execution,
            [&](Address at, ShadowWord shadow) {
                const bool is_written = (shadow & (kShadowPlain | kShadowStrong)) != 0;
                if (!is_written || rows.size() > kMostWriters) {
                    goes_on = false;
                    return;
                }
                const std::uint64_t thread = thread_of(shadow);
                if (goes_on) {
                    Writers& row = rows.back();
                    const auto step = static_cast<std::int64_t>(
                        (thread - row.first -
                         (row.words - 1) * static_cast<std::uint64_t>(row.step)));
                    if (row.words == 1) row.step = step;
                    if (row.step == step) {
                        ++row.words;
                        return;
                    }
                }
                rows.push_back({at, 1, thread, 0});
                goes_on = true;
            },
            [&](Address) { goes_on = false; });
    });
    if (rows.size() > kMostWriters) rows.clear();
    return rows;
}

}  // namespace vgpu

#include "memory/page_fingerprint.h"

#include <algorithm>

namespace vgpu {
namespace {

/// Reads of constants are not noted: all of them count.
bool is_touched(const Region& region, std::uint64_t page, std::uint32_t run) {
    return region.space == Space::constant || region.pages[page].touched >= run;
}

}  // namespace

std::optional<std::vector<Touched>> touched_since(DeviceMemory& memory, std::uint32_t run) {
    std::vector<Touched> all;
    bool is_watched = true;
    memory.each_live([&](Region& region) {
        is_watched = is_watched && region.pages != nullptr;
        bool goes_on = false;
        for (std::uint64_t page = 0; is_watched && page < pages_of(region); ++page) {
            const bool is_part = is_touched(region, page, run);
            if (is_part) {
                is_watched = region.written != nullptr;
                if (!goes_on) all.push_back({&region, page, {}});
                all.back().contents.push_back(region.pages[page].content);
            }
            goes_on = is_part;
        }
    });
    if (!is_watched) return {};
    return all;
}

bool holds_the_same(const std::vector<Touched>& all) {
    return std::all_of(all.begin(), all.end(), [](const Touched& touched) {
        const Page* page = touched.region->pages + touched.first_page;
        return std::all_of(
            touched.contents.begin(), touched.contents.end(),
            [&](const std::uint64_t content) { return (page++)->content == content; });
    });
}

void renumber_touched(DeviceMemory& memory, std::uint32_t run) {
    memory.each_live([&](Region& region) {
        for (std::uint64_t page = 0; region.pages && page < pages_of(region); ++page)
            if (region.pages[page].touched >= run)
                region.pages[page].content = memory.next_content();
    });
}

}  // namespace vgpu

#include "memory/launch_pages.h"

#include <algorithm>

#include "memory/page_visits.h"
#include "memory/undo.h"
#include "memory/written_bits.h"

namespace vgpu {
namespace {

bool is_all_written(const Region& region, std::uint64_t page) {
    const std::uint64_t begin = page * kPageBytes;
    return !region.written ||
           all_written(region.written, begin, std::min(kPageBytes, region.size_bytes - begin));
}

}  // namespace

void LaunchPages::open(Region& region, std::uint64_t number, bool writes) const {
    Page& page = region.pages[number];
    const bool is_new = page.touched != run;
    const bool is_whole = is_new && is_all_written(region, number);
    OpenPages& opened = region.open;
    if (!is_parallel) {
        if (opened.run != run) opened = {run, 0, 0, 0};
        opened.touched += is_new ? 1 : 0;
        opened.whole += is_whole ? 1 : 0;
        opened.saved += writes && page.saved != run ? 1 : 0;
    }
    if (is_sampled(number) && is_new) forget_visits(region.visits, number);
    if (is_whole) page.whole = run;
    page.touched = run;
    if (page.owners != owners.series) {
        if (page.owners != 0)
            std::fill_n(region.shadow + number * kPageWords, kPageWords, ShadowWord{0});
        page.owners = owners.series;
    }
    if (writes && page.saved != run) {
        if (undo) undo->save(region, number);
        page.saved = run;
    }
}

}  // namespace vgpu

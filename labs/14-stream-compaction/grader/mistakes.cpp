#include "mistakes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace lab;

namespace {

constexpr int kWarp = 32;

std::string text(long long number) {
    return std::to_string(number);
}

std::string plural(long long count, const std::string& word) {
    return text(count) + " " + word + (count == 1 ? "" : "s");
}

int kept_before(const Floats& a, std::size_t end) {
    return static_cast<int>(std::count_if(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(end),
                                          [](float x) { return x > 0; }));
}

std::uint32_t bits_of(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/// Where the elements of a result come from.
struct Origins {
    std::vector<int> missing;        ///< indices of kept elements that are in no place
    std::vector<int> origin;         ///< of each place: the element's index in `a`, or -1
    int not_kept = -1;               ///< the first place that holds an element that is not kept
    int twice = -1;                  ///< the first place whose element is there already
    int holes = 0, first_hole = -1;  ///< places below the count that nothing was written to
    int behind = -1;                 ///< the first place behind the count that was written to
};

Origins compare(const Floats& a, const Output<float>& kept, std::size_t count) {
    Origins c;
    std::unordered_map<std::uint32_t, std::vector<int>> places;  // of an element, last index first
    for (int i = static_cast<int>(a.size()) - 1; i >= 0; --i) {
        places[bits_of(a[static_cast<std::size_t>(i)])].push_back(i);
    }
    std::set<std::uint32_t> seen;
    c.origin.assign(kept.size(), -1);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (i >= count) {
            if (!kept.untouched(i) && c.behind < 0) c.behind = static_cast<int>(i);
            continue;
        }
        if (kept.untouched(i)) {
            if (c.first_hole < 0) c.first_hole = static_cast<int>(i);
            ++c.holes;
            continue;
        }
        const auto found = places.find(bits_of(kept[i]));
        if (found == places.end()) continue;
        if (found->second.empty()) {
            if (c.twice < 0) c.twice = static_cast<int>(i);
            continue;
        }
        c.origin[i] = found->second.back();
        found->second.pop_back();
        if (!(kept[i] > 0) && c.not_kept < 0) c.not_kept = static_cast<int>(i);
    }
    for (const auto& [bits, left] : places) {
        for (const int i : left) {
            if (a[static_cast<std::size_t>(i)] > 0) c.missing.push_back(i);
        }
    }
    std::ranges::sort(c.missing);
    return c;
}

/// All elements are there, in another order.
std::string mistake_of_order(const std::vector<int>& origin, std::size_t count) {
    bool in_warps = true, in_tiles = true;
    for (std::size_t i = 1; i < count; ++i) {
        const int before = origin[i - 1], after = origin[i];
        if (before < after) continue;
        if (before / kWarp == after / kWarp) in_warps = false;
        if (before / kTile == after / kTile) in_tiles = false;
    }
    // Threads whose elements are `apart` from each other, in a part of the vector.
    for (const auto& [part, apart] : {std::pair{8 * kWarp, kWarp}, std::pair{kTile, 256}}) {
        const auto by_thread = [part = part, apart = apart](int i) {
            return std::tuple(i / part, i % apart, i);
        };
        const std::span places(origin.begin(), count);
        if (std::ranges::is_sorted(places, {}, by_thread)) {
            return "All kept elements are there, but each thread has stored its own one behind the "
                   "other. In a, " +
                   text(apart - 1) + " elements of other threads stand between two of them.";
        }
    }
    if (!in_warps) {
        return "All kept elements are there, but those of one warp are not in the order of a. A "
               "lane's place is the number of kept elements in the lanes before it.";
    }
    if (in_tiles) {
        return "All kept elements are there, and each tile's are in order, but the tiles are not. "
               "The sum of all tiles before decides where a tile begins, not which block comes "
               "first.";
    }
    return "All kept elements are there, and those of 32 neighbours are in order, but these "
           "groups are not. Is the place of each that of all elements before it in a? The order in "
           "which warps arrive is any order.";
}

/// What the missing elements have in common.
std::string what_is_missing(const Floats& a, const std::vector<int>& missing) {
    const auto n = static_cast<int>(a.size());
    const int first = missing.front();
    const auto is_all_from = [&](int begin) {
        return first >= begin &&
               static_cast<int>(missing.size()) ==
                   kept_before(a, a.size()) - kept_before(a, static_cast<std::size_t>(begin));
    };
    const std::string some = plural(static_cast<long long>(missing.size()), "kept element") +
                             (missing.size() == 1 ? " is" : " are") + " missing, the first is a[" +
                             text(first) + "]. ";
    for (const int part : {kWarp, 256, 1024, kTile}) {
        const int begin = n / part * part;
        if (begin > 0 && begin < n && is_all_from(begin)) {
            return some + "All elements from a[" + text(begin) + "] on are missing, those of the " +
                   (part == kWarp ? "last warp" : "last part of " + text(part)) +
                   ", which is not full.";
        }
    }
    return some;
}

}  // namespace

std::optional<std::string> mistake_of_count(const Floats& a, int got) {
    const auto n = static_cast<int>(a.size());
    if (got == 0) {
        return "*count is 0: nothing was added to it, or it was set to 0 too late.";
    }
    if (got == n) return "*count is the number of all elements, not of those that are kept.";
    const auto kept_if = [&](auto keeps) { return got == std::ranges::count_if(a, keeps); };
    if (kept_if([](float x) { return !(x <= 0); })) {
        return "*count is right for the numbers, but each NaN was counted, too: every comparison "
               "with a NaN is false, and its opposite true.";
    }
    if (kept_if([](float x) { return x >= 0; })) {
        return "Elements that are 0 were counted, too: only those larger than 0 are kept.";
    }
    if (kept_if([](float x) { return x < 0; })) {
        return "*count is how many elements are smaller than 0: those larger than 0 are kept.";
    }
    const int past_end = (n + kTile - 1) / kTile * kTile - n;
    if (past_end > 0 && got == kept_before(a, a.size()) + past_end) {
        return "*count is " + text(past_end) +
               " too large: as many places of the last tile are past the end of a, and their 0 is "
               "not larger than 0.";
    }
    int warps = 0, all_lanes = 0;
    for (int begin = 0; begin < n; begin += kWarp) {
        const auto warp = std::span(a).subspan(static_cast<std::size_t>(begin));
        if (std::ranges::any_of(warp.first(std::min<std::size_t>(kWarp, warp.size())),
                                [](float x) { return x > 0; })) {
            ++warps;
            all_lanes += kWarp;
        }
    }
    if (got == warps) {
        return "*count is the number of groups of 32 that keep an element: each has added 1, not "
               "how many it keeps.";
    }
    if (got == all_lanes) {
        return "*count is 32 for each warp that keeps an element: lanes that keep nothing were "
               "counted.";
    }
    const int last_tile = (n - 1) / kTile * kTile;
    if (last_tile > 0 && got == kept_before(a, static_cast<std::size_t>(last_tile))) {
        return "*count is how many elements all tiles before the last keep. The last tile's are "
               "missing.";
    }
    for (const int part : {kWarp, 256, 1024, kTile}) {
        const int begin = n / part * part;
        const int before = kept_before(a, static_cast<std::size_t>(begin));
        if (begin > 0 && begin < n && got == before) {
            return "*count is right up to a[" + text(begin - 1) + "]. Those behind it, the last " +
                   text(n - begin) +
                   ", were not counted: " + (part == kWarp ? "a warp" : "a part of " + text(part)) +
                   " that is not full.";
        }
    }
    // A scan by one block: an offset for each of its threads, or two, as in textbooks.
    for (const int tiles : {1024, 2048}) {
        if (n > tiles * kTile && got == kept_before(a, static_cast<std::size_t>(tiles * kTile))) {
            return "*count is that of the first " + text(tiles) +
                   " tiles. Which round of the scan looks at the others?";
        }
    }
    return std::nullopt;
}

std::optional<std::string> mistake_of_kept(const Floats& a, const Output<float>& kept,
                                           std::size_t count, bool in_order) {
    const Origins c = compare(a, kept, count);
    if (c.not_kept >= 0) {
        const auto place = static_cast<std::size_t>(c.not_kept);
        return "kept[" + text(c.not_kept) + "] holds a[" + text(c.origin[place]) +
               "], which is not larger than 0. Only those that keep their element may store it.";
    }
    if (c.first_hole == 0 && c.behind == static_cast<int>(count)) {
        return "Nothing was written to kept[0], but to kept[" + text(c.behind) +
               "], behind the last. Places begin at 0: the first is what the counter was before.";
    }
    if (c.behind >= 0 && c.missing.empty()) {
        return "All kept elements are there, but kept[" + text(c.behind) +
               "], behind the last of them, was changed, too.";
    }
    if (c.holes > 0 && !c.missing.empty()) {
        return what_is_missing(a, c.missing) + "Nothing was written to " +
               plural(c.holes, "place") + " below *count, first to kept[" + text(c.first_hole) +
               "]: two threads had the same place, and one element overwrote the other.";
    }
    if (c.twice >= 0 && !c.missing.empty()) {
        return what_is_missing(a, c.missing) + "In turn, an element is there twice: that of kept[" +
               text(c.twice) + "].";
    }
    if (!c.missing.empty()) return what_is_missing(a, c.missing);
    const bool all_known =
        std::all_of(c.origin.begin(), c.origin.begin() + static_cast<std::ptrdiff_t>(count),
                    [](int i) { return i >= 0; });
    if (in_order && all_known && c.behind < 0) return mistake_of_order(c.origin, count);
    return std::nullopt;
}

/// Values that no slot holds, and for which there was room.
static std::string missing_value(const Entries& values, const Entries& got) {
    std::map<std::pair<int, int>, int> there;
    for (const Entry& entry : got) ++there[{entry.job, entry.factor}];
    for (const Entry& value : values) {
        if (--there[{value.job, value.factor}] >= 0) continue;
        return "Values are missing. The first is {" + text(value.job) + ", " + text(value.factor) +
               "}: the job made it, or should have, and it was neither stored nor counted.";
    }
    return "Values are missing, and others are there that no job makes.";
}

std::optional<std::string> mistake_of_made(const Entries& values, const Entries& got_entries,
                                           int got, int reserved) {
    const auto expected = static_cast<long long>(values.size());
    if (got == 0) return "*made is 0, although the jobs make values.";
    if (got == reserved) {
        return "*made is the number of slots reserved. Those that were not used hold no value.";
    }
    if (got > expected) {
        return "*made is " + text(got - expected) +
               " too large: has a job been done twice, or a value been counted twice?";
    }
    const auto stored = std::ranges::count_if(got_entries, [](const Entry& entry) {
        return !(entry == kEmpty) && !(entry == kNotWritten);
    });
    if (got < expected && stored == expected) {
        return "All values are in entries, but *made counts only " + text(got) + " of " +
               text(expected) + ". Does every lane add its own to the total?";
    }
    const auto capacity = static_cast<long long>(got_entries.size());
    if (got == stored && stored < expected && capacity < reserved) {
        return "*made is the number of values that found room in entries. Those that were dropped "
               "count, too.";
    }
    if (got == stored && stored < expected) return missing_value(values, got_entries);
    if (got < expected && capacity < expected) {
        return "*made counts only " + text(got) + " of " + text(expected) +
               " values, and entries has room for " + text(capacity) +
               ". Do warps end when the array is full? The values that are dropped count, too.";
    }
    return std::nullopt;
}

std::optional<std::string> mistake_of_reserved(int got, int made, long long warps) {
    if (got < made) {
        return "Only " + plural(got, "slot") + " " + (got == 1 ? "was" : "were") +
               " reserved for " + plural(made, "value") + ".";
    }
    if (got % kRange != 0) {
        return text(got) + " slots are no multiple of " + text(kRange) +
               ": warps must reserve whole ranges.";
    }
    if (got - made > (kRange - 1) * warps) {
        return plural(got - made, "slot") + " of " + text(got) + " stayed unused, but " +
               plural(warps, "warp") + " may leave at most " + text(kRange - 1) +
               " each. A warp needs a new range only when its last one is used up.";
    }
    return std::nullopt;
}

std::optional<std::string> unused_range(const Entries& got, int reserved) {
    const std::size_t limit = std::min(got.size(), static_cast<std::size_t>(reserved));
    for (std::size_t begin = 0; begin + kRange <= limit; begin += kRange) {
        const auto range = std::span(got).subspan(begin, kRange);
        if (!std::ranges::all_of(range, [](const Entry& entry) { return entry == kEmpty; }))
            continue;
        return "Slots " + text(static_cast<long long>(begin)) + " to " +
               text(static_cast<long long>(begin + kRange - 1)) +
               " were reserved, and none of them is used: the warp has " + text(kRange) +
               " unused slots at least. It may reserve a range only for a value that has no slot.";
    }
    return std::nullopt;
}

std::optional<std::string> mistake_of_entries(const Entries& got, const Entries& values,
                                              int reserved, int jobs) {
    const std::size_t limit = std::min(got.size(), static_cast<std::size_t>(reserved));
    std::map<std::pair<int, int>, int> counts;
    for (const Entry& entry : values) ++counts[{entry.job, entry.factor}];
    const auto made = static_cast<int>(values.size());
    int unwritten = 0, empty = 0, first_unwritten = -1;
    std::optional<std::string> strange, repeated;
    for (std::size_t i = 0; i < limit; ++i) {
        const auto slot = static_cast<int>(i);
        if (got[i] == kNotWritten) {
            if (first_unwritten < 0) first_unwritten = slot;
            ++unwritten;
            continue;
        }
        if (got[i] == kEmpty) {
            ++empty;
            continue;
        }
        const auto found = counts.find({got[i].job, got[i].factor});
        if (found == counts.end()) {
            if (strange) continue;
            if (counts.contains({got[i].factor, got[i].job})) {
                strange = "entries[" + text(slot) + "] holds {" + text(got[i].job) + ", " +
                          text(got[i].factor) + "}: job and factor are exchanged.";
                continue;
            }
            const bool is_job = got[i].job >= 0 && got[i].job < jobs && got[i].factor > 0;
            strange = "entries[" + text(slot) + "] holds {" + text(got[i].job) + ", " +
                      text(got[i].factor) + "}, which " +
                      (is_job ? "is no prime factor of that job's number."
                              : "no job makes: is it what should be in a gap? kEmpty is {-1, 0}.");
        } else if (--found->second < 0 && !repeated) {
            repeated = "entries[" + text(slot) + "] holds {" + text(got[i].job) + ", " +
                       text(got[i].factor) +
                       "} once more than the job makes it. Has a job been done twice?";
        }
    }
    for (std::size_t i = limit; i < got.size(); ++i) {
        if (got[i] == kNotWritten) continue;
        return "entries[" + text(static_cast<long long>(i)) + "] was changed, but only " +
               plural(reserved, "slot") + " had been reserved.";
    }
    if (strange) return strange;
    if (repeated) return repeated;
    const int gaps = reserved - made;
    if (unwritten > 0 && unwritten + empty <= gaps) {
        return plural(unwritten, "slot") + (unwritten == 1 ? " was" : " were") +
               " reserved, and nothing written to " + (unwritten == 1 ? "it" : "them") +
               ", first entries[" + text(first_unwritten) +
               "]. What a warp has not used when its work is done must hold kEmpty.";
    }
    if (empty > gaps) {
        return text(empty) + " slots hold kEmpty, and only " + text(gaps) +
               " were left unused. Some hold it in place of a value.";
    }
    if (unwritten > 0) {
        return text(unwritten) + " slots were reserved and not written, " +
               "and values are missing: two lanes had the same slot, or a value was not stored.";
    }
    return std::nullopt;
}

#include "report/finding_title.h"

#include <map>

namespace lab {

std::string_view finding_title(std::string_view check) {
    static const std::map<std::string_view, std::string_view> titles{
        {"out_of_bounds", "Access outside an array."},
        {"use_after_free", "Access to memory that was freed."},
        {"misaligned", "Misaligned access."},
        {"uninitialized_read", "Read of memory that was never written."},
        {"race", "Data race."},
        {"barrier_divergence", "Barrier in divergent code."},
        {"deadlock", "Deadlock."},
        {"absent_lane", "Shuffle from a lane that does not take part."},
        {"hazard", "Data race: nothing orders two operations."},
        {"host_access", "Host code touches device memory."},
        {"instruction_limit", "A kernel never finished."},
    };
    const auto found = titles.find(check);
    return found == titles.end() ? "" : found->second;
}

}  // namespace lab

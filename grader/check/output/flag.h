// What a human should look at, whatever the points: signs that a submission worked on the grader
// instead of the task. Honest, unusual and plainly wrong submissions get none (author/promises.cpp
// holds every lab to that).
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lab {

struct Flag {
    std::string kind;      ///< one of the names below
    std::string evidence;  ///< what was seen, in a sentence
    bool operator==(const Flag&) const = default;
};
using Flags = std::vector<Flag>;

inline constexpr const char* kForbiddenCall = "forbidden_call";  ///< a system call
inline constexpr const char* kForgedMessage = "forged_message";  ///< to the checker or the device
inline constexpr const char* kForgedReport = "forged_report";    ///< memory, against the device's
inline constexpr const char* kFalseTimes = "false_times";        ///< events, against our clock
inline constexpr const char* kHostResult = "host_result";        ///< no kernel computed it
inline constexpr const char* kUnevenGrowth = "uneven_growth";    ///< slower with fewer data

/// Each once.
inline void add_flags(Flags& to, const Flags& from) {
    for (const Flag& flag : from)
        if (std::find(to.begin(), to.end(), flag) == to.end()) to.push_back(flag);
}

inline nlohmann::json to_json(const Flags& flags) {
    nlohmann::json all = nlohmann::json::array();
    for (const Flag& flag : flags)
        all.push_back({{"kind", flag.kind}, {"evidence", flag.evidence}});
    return all;
}

}  // namespace lab

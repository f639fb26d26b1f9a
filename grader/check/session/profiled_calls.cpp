#include "check/session/profiled_calls.h"

#include <algorithm>

#include "vgpu/work.h"

namespace lab {
namespace {

using nlohmann::ordered_json;

double work_of(const std::vector<LaunchRecord>& launches) {
    double work = 0;
    for (const LaunchRecord& launch : launches)
        work += static_cast<double>(launch.warp_instructions);
    return work;
}

/// The device's own record, with the work that the launch stands for. One that stands for several
/// has no work, and is left out.
ordered_json records_of(const std::vector<LaunchRecord>& launches) {
    ordered_json records = ordered_json::array();
    for (const LaunchRecord& launch : launches) {
        if (!launch.profiled || !launch.work) continue;
        ordered_json record = *launch.profiled;
        record["blocks"] = launch.work->blocks;
        record["work"] = vgpu::json_of(*launch.work);
        record["counts"] = vgpu::json_of(launch.work->counts);
        if (launch.work->hottest_visits > 0)
            record["hottest_atomic"]["visits"] = launch.work->hottest_visits;
        records.push_back(std::move(record));
    }
    return records;
}

}  // namespace

void ProfiledCalls::offer(const CallPlan& plan, const std::vector<LaunchRecord>& launches) {
    const double work = work_of(launches);
    if (work == 0) return;
    const auto known = std::ranges::find(calls_, plan.function, &Call::function);
    if (known != calls_.end() && (known->is_judged || work <= known->work)) return;
    Call call{plan.function, test_log().name, plan.call_text(), 1, false, work, launches, {}};
    if (known == calls_.end())
        calls_.push_back(std::move(call));
    else
        *known = std::move(call);
}

void ProfiledCalls::judged(const std::string& function, const std::string& call_text, double times,
                           const std::vector<LaunchRecord>& submission,
                           const std::vector<LaunchRecord>& reference) {
    const std::string& test = test_log().name;
    std::erase_if(calls_, [&](const Call& call) {
        return call.function == function && (!call.is_judged || call.test == test);
    });
    calls_.push_back({function, test, call_text, times, true, 0, submission, reference});
}

ordered_json ProfiledCalls::record() const {
    ordered_json record = ordered_json::array();
    for (const Call& call : calls_)
        record.push_back({{"function", call.function},
                          {"test", call.test},
                          {"call", call.call_text},
                          {"times", call.times},
                          {"submission", records_of(call.submission)},
                          {"reference", records_of(call.reference)}});
    return record;
}

}  // namespace lab

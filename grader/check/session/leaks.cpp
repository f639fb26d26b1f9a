#include "check/session/leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "check/explain/allocation_sites.h"
#include "check/explain/explain.h"
#include "check/explain/finding_places.h"
#include "check/output/test_log.h"
#include "check/session/session.h"

namespace lab {
namespace {

/// Adds to the message of the next assertion what the last call left, as far as it is known.
void remark_what_is_left() {
    if (session().kept_by_call.empty()) return;
    const CallSetting setting = session().setting();
    std::vector<AllocationSite> sites;
    for (const auto& [name, site] : allocation_sites(session().kept_by_call, setting)) {
        const bool is_new = std::ranges::none_of(
            sites, [&](const AllocationSite& other) { return other.text() == site.text(); });
        if (is_new) sites.push_back(site);
    }
    if (sites.empty()) return;
    std::ranges::sort(sites, {}, &AllocationSite::line);
    Failure remark;
    remark.diagnosis = never_freed(sites);
    remark.place = {setting.display_source, sites.front().line};
    for (const AllocationSite& site : sites)
        remark.places.push_back(place_to_show({setting.display_source, site.line}));
    test_log().remark(std::move(remark));
}

}  // namespace

long long leaked_by(int calls, const std::function<long long()>& call) {
    call();
    // What the runner says of itself is no evidence: a submission can change it. All calls are
    // alike, so what the device has more after them was left by them.
    const auto calls_before = session().calls_in_process();
    const auto memory_before = static_cast<long long>(session().memory_after_call());
    const long long reported_before = session().reported_left;
    long long sum = 0;
    for (int i = 0; i < calls; ++i) sum += call();
    if (session().calls_in_process() == calls_before + static_cast<unsigned>(calls)) {
        const long long left =
            static_cast<long long>(session().memory_after_call()) - memory_before;
        const long long reported = session().reported_left - reported_before;
        if (left > 0 && reported <= 0)
            test_log().flags.push_back(
                {kForgedReport, fmt::format("Its process reports {} bytes more after {} calls; the "
                                            "virtual GPU has {} more.",
                                            reported, calls, left)});
        sum = std::max(sum, left);
    }
    if (sum > 0) remark_what_is_left();
    return sum;
}

void check_leaves_nothing(const std::string& what, const std::function<long long()>& call) {
    constexpr int kCalls = 4;
    const long long leaked_bytes = leaked_by(kCalls, call);
    INFO(kCalls << " calls of " << what << " left " << leaked_bytes
                << " bytes of device memory allocated: every allocation needs its cudaFree"
                << kAndPinned);
    CHECK(leaked_bytes == 0);
}

}  // namespace lab

// Times for a plot: one call of each version, on the chosen device. No verdict depends on them.
#pragma once

#include "check/speed/versions.h"
#include "check/submission.h"

// Use:
//
//   TEST_CASE("bench: bandwidth_by_size", "[.][bench]") {
//       check_sum<launch_vector_add>(1000);      // a wrong kernel is reported, not timed
//       Table table("bandwidth_by_size", {"n", "version", "time_ms", "gb_per_s"});
//       for (int n = 1 << 10; n <= speed_size(1 << 28, 1 << 22); n *= 2)
//           for (const Version& version : versions()) {
//               const double ms = time_ms<launch_vector_add>(version, a, b, out, n);
//               table.row(n, version.name(), ms, 12.0 * n / ms / 1e6);
//           }
//   }
//
// On a GPU a time is the median of several calls by events, with L2 flushed before each. On the
// virtual GPU it is modelled, the same every time, and must be labelled so: every .gp gets `device`
// ("NVIDIA H200", "modelled for NVIDIA H200") for its title.

namespace lab {

/// Milliseconds of a call; see above for the device. NaN when the student's version fails in it:
/// the case then fails with the usual words, and goes on with what is left. The result of the call
/// is not looked at.
template <auto* Function, class... A>
double time_ms(const Version& version, const A&... arguments) {
    return time_call_ms(version, detail::plan_call<Function>(arguments...));
}

/// The launches of a call, with what the virtual GPU counted in each; none on a GPU, and none when
/// the student's version fails. For what modelled times cannot show.
template <auto* Function, class... A>
std::vector<LaunchRecord> launches_of(const Version& version, const A&... arguments) {
    return count_call(version, detail::plan_call<Function>(arguments...));
}

}  // namespace lab

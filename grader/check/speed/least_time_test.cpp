#include "check/speed/least_time.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <vector>

#include "check/gpu/device_peaks.h"
#include "check/submission.h"

using namespace lab;
using Catch::Matchers::WithinRel;

LAB_FUNCTION(void, least_add, (const float* a, const float* b, float* c, int n),
             lab::device_in("a", "n"), lab::device_in("b", "n"), lab::device_out("c", "n"),
             lab::value("n"))
LAB_FUNCTION(void, least_sum,
             (const double* a, double* parts, double* sum, const float* host, int n),
             lab::device_in("a", "n"), lab::device_scratch("parts", "n"),
             lab::device_out("sum", "1"), lab::pinned_in("host", "n"), lab::value("n"))
LAB_FUNCTION(void, least_rows, (float* image, int height, int width, int pitch),
             lab::device_in_out("image", "height * pitch").rows("width", "pitch"),
             lab::value("height"), lab::value("width"), lab::value("pitch"))
LAB_FUNCTION(void, least_shift, (const float* in, float* out, int n), lab::device_in("in", "n"),
             lab::device_out("out", "n").view_of("in"), lab::value("n"))

namespace {

/// An H200, as the CUDA runtime describes it.
DeviceFacts h200() {
    DeviceFacts device;
    device.l2_bytes = 62914560;
    device.memory_clock_khz = 3201000;
    device.memory_bus_bits = 6016;
    return device;
}

std::uint64_t bytes(const CallPlan& plan) {
    return bytes_to_move(marshal(plan, false, 1));
}

}  // namespace

TEST_CASE("least time: inputs are read once and outputs written once") {
    const std::vector<float> a(1000);
    CHECK(bytes(detail::plan_call<least_add>(a, a, out, 1000)) == 3 * 4000);
}

TEST_CASE("least time: host and scratch memory, padding and overlap do not count") {
    const std::vector<double> a(1000);
    const std::vector<float> host(1000), image(15), in(100);
    CHECK(bytes(detail::plan_call<least_sum>(a, scratch, out, host, 1000)) == 8000 + 8);
    CHECK(bytes(detail::plan_call<least_rows>(image, 3, 5, 8)) == 4 * 3 * 5);
    CHECK(bytes(detail::plan_call<least_shift>(in, view(1), 100)) == 400);
}

TEST_CASE("least time: the peak of an H200 is what its maker says") {
    CHECK_THAT(peak_bytes_per_ms(h200()), WithinRel(4.8e9, 0.01));  // 4.8 TB/s
}

TEST_CASE("least time: what fits the cache costs nothing, and the rest goes at the peak") {
    const DeviceFacts device = h200();
    CHECK(least_ms(device.l2_bytes, device) == 0);
    CHECK_THAT(least_ms(device.l2_bytes + 4'814'304'000, device), WithinRel(1.0, 1e-9));
    // 512 MB written by a plain kernel, as measured there.
    CHECK_THAT(least_ms(512 << 20, device) / 0.1263, WithinRel(0.78, 0.01));
    DeviceFacts unknown = device;
    unknown.memory_clock_khz = 0;
    CHECK(least_ms(1ull << 34, unknown) == 0);
    unknown = device;
    unknown.l2_bytes = 0;
    CHECK(least_ms(1ull << 34, unknown) == 0);
}

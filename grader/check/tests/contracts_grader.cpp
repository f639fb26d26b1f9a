// The grader of the fixture: views, pinned memory, streams and events, several outputs; calls and
// speed tests. ctest runs it on contracts.cu, right and wrong.
#include <algorithm>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "contracts.h"

using namespace lab;

namespace {

std::vector<float> mapped(std::vector<float> values, auto map) {
    std::ranges::transform(values, values.begin(), map);
    return values;
}
float doubled(float x) {
    return 2 * x;
}

}  // namespace

TEST_CASE("views: any offset", "[correctness][task:1][points:1][id:views]") {
    const int n = GENERATE(1000, 1, 0);
    const int offset = GENERATE(0, 1, -1, 100, -999, 1500);
    const auto in = random_floats(n);
    const auto call = submission().call<twice_overlapping>(in, view(offset), n);
    CHECK_THAT(call.output(), equals(mapped(in, doubled)));
    const auto apart = submission().call<twice_overlapping>(in, out, n);
    CHECK_THAT(apart.output(), equals(mapped(in, doubled)));
}

TEST_CASE("views: raced, the input put back", "[speed][task:1][points:1][needs:views]") {
    const auto speed = time_against_reference<twice_overlapping>(
        {.gpu = kTimedElements, .vgpu = kTimedElements},
        [](int n) { return std::tuple(random_floats(n), view(n / 2), n); },
        [](const auto& in, auto...) { return equals(mapped(in, doubled)); });
    CHECK_THAT(speed, at_least(0.5));
}

TEST_CASE("pinned: a pipeline", "[correctness][task:2][points:1][id:pinned]") {
    const int n = GENERATE(10'000, 7);
    const auto in = random_floats(n);
    const auto call = submission().call<pipeline>(in, out, n, 4, 3);
    CHECK_THAT(call.output(), equals(mapped(in, [](float x) { return x + 1; })));
}

TEST_CASE("pinned: raced, copies and kernels overlap", "[speed][task:2][points:1][needs:pinned]") {
    const auto speed = time_against_reference<pipeline>(
        {.gpu = 1 << 26, .vgpu = 1 << 21},
        [](int n) { return std::tuple(random_floats(n), out, n, 16, 3); },
        [](const auto& in, auto...) { return equals(mapped(in, [](float x) { return x + 1; })); });
    CHECK_THAT(speed, at_least(0.75));
}

TEST_CASE("streams: one waits for the other", "[correctness][task:3][points:1][id:streams]") {
    const int n = 5000;
    const auto data = random_floats(n);
    const auto call =
        submission().call<consume>(new_stream, new_stream, new_event, data, out, n, 50);
    const auto produced = mapped(data, [](float x) { return x + 1; });
    CHECK_THAT(call.output<3>(), equals(produced));
    CHECK_THAT(call.output<4>(), equals(mapped(produced, [](float x) { return 3 * x; })));
}

TEST_CASE("streams: raced, with two outputs", "[speed][task:3][points:1][needs:streams]") {
    const auto speed = time_against_reference<consume>(
        {.gpu = 5000, .vgpu = 5000},
        [](int n) {
            return std::tuple(new_stream, new_stream, new_event, random_floats(n), out, n, 50);
        },
        [](auto, auto, auto, const auto& data, auto...) {
            const auto produced = mapped(data, [](float x) { return x + 1; });
            return std::tuple(equals(produced),
                              equals(mapped(produced, [](float x) { return 3 * x; })));
        });
    CHECK_THAT(speed, at_least(0.5));
}

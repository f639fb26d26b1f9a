// Grader of lab 10: what anneal, promise_breakers and differences must do, for 10 points.
//
// The skeleton's anneal kernel is right but slow. A right result earns no points there, but the
// speed test requires it.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check.h"
#include "mistakes.h"
#include "pointer_aliasing.h"
#include "promises.h"
#include "temperatures.h"

using namespace lab;

namespace {

void check_anneal(int n, int cycles) {
    const Parts parts = random_parts(n);
    const auto& [start, rate, bath] = parts;
    const auto call = submission().call<anneal>(start, rate, bath, out, n, cycles);
    const auto temperature = call.output();
    CHECK_THAT(temperature, annealed(cpu_anneal(start, rate, bath, cycles), cycles)
                                .or_looks_like(mistakes_of_anneal(parts, cycles))
                                .or_diagnose(other_cycles(parts, temperature.values(), cycles))
                                .or_diagnose(indexing_mistakes));
    if (on_vgpu() && n > 0) {  // a GPU reports no launches
        INFO("no kernel was launched: the temperatures must be computed on the device");
        CHECK_FALSE(call.launches().empty());
    }
}

void check_breakers(const std::vector<AnnealCall>& calls) {
    const int count = static_cast<int>(calls.size());
    const unsigned got = submission().call<promise_breakers>(calls, count).returned();
    unsigned all = 0;
    for (std::size_t k = 0; k < calls.size(); ++k) {
        if (breaks_promise(calls[k])) all |= 1U << k;
    }
    const std::string pattern = wrong_bits(got, all, calls.size());
    for (std::size_t k = 0; k < calls.size(); ++k) {
        const bool expected = breaks_promise(calls[k]), is = (got >> k & 1) != 0;
        INFO("promise_breakers(count = "
             << count << "): " << text_of(k, calls[k]) << " " << reason(calls[k]) << ".\n"
             << "  expected      bit " << k << " is " << expected << "\n  got           bit " << k
             << " is " << is << (pattern.empty() ? "" : "\n") << pattern);
        REQUIRE(is == expected);
    }
    INFO("promise_breakers(count = " << count << "): a bit beyond the last call is set: the result "
                                     << "is " << got);
    CHECK((count == 32 || got >> count == 0));
}

Floats cpu_differences(const Floats& in) {
    Floats result(in.size() - 1);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = in[i + 1] - in[i];
    return result;
}

/// Scales every second number by 2^-1 to 2^-12: differences to the next have more digits than a
/// float holds, and must be rounded to the nearest. Those of random_floats() alone never do.
Floats floats_of_unlike_size(int count) {
    Floats values = random_floats(count);
    for (std::size_t i = 1; i < values.size(); i += 2) {
        values[i] = std::ldexp(values[i], -1 - static_cast<int>(i / 2 % 12));
    }
    return values;
}

}  // namespace

TEST_CASE("anneal: still the right temperatures", "[correctness][task:1][points:0][id:anneal]") {
    const int n = GENERATE(1000, 255, 256, 257, 32, 1, 0, 30'031, random_int(1'100, 20'000));
    const int cycles = GENERATE(64, 1, 0, 3, random_int(4, 20));
    twice([&] { check_anneal(n, cycles); });
}

TEST_CASE("anneal: at least 0.3x the reference", "[speed][task:1][points:3][needs:anneal]") {
    // On a GPU 268 MB: over four times the L2 of an H200, and about 0.6 ms there. The virtual GPU
    // gets fewer elements, but enough for a grid that stays, and fewer cycles.
    const int n = speed_size((1 << 25) + 3, (1 << 20) + 3);
    const auto speed =
        time_against_reference<anneal>(
            {.gpu = 64, .vgpu = 8},
            [=](int cycles) {
                auto [start, rate, bath] = random_parts(n);
                return std::tuple(std::move(start), std::move(rate), std::move(bath), out, n,
                                  cycles);
            },
            [](const Floats& start, const Floats& rate, const Floats& bath, auto, int, int cycles) {
                return annealed(cpu_anneal(start, rate, bath, cycles), cycles);
            })
            .or_diagnose(misplaced_promise);
    CHECK_THAT(speed, at_least(0.3));
}

TEST_CASE("promise_breakers: arrays that overlap", "[correctness][task:2][points:1][id:breakers]") {
    // {start, rate, bath, temperature, n}
    check_breakers({{0, 200, 210, 50, 64}});   // temperature begins inside start
    check_breakers({{50, 200, 210, 0, 64}});   // and the other way around
    check_breakers({{0, 200, 210, 100, 64}});  // apart
    check_breakers({{0, 120, 210, 100, 64}});  // rate lies inside temperature
    check_breakers({{0, 200, 120, 100, 64}});  // bath does
    check_breakers({{0, 200, 210, 100, 64},
                    {0, 200, 210, 32, 64},
                    {0, 200, 210, 300, 64},
                    {200, 0, 10, 5, 64},
                    {300, 100, 110, 105, 64}});
}

TEST_CASE("promise_breakers: the borderline cases",
          "[correctness][task:2][points:2][needs:breakers]") {
    check_breakers({{0, 200, 210, 64, 64}});  // temperature begins where start ends
    check_breakers({{64, 200, 210, 0, 64}});  // and the other way around
    check_breakers({{0, 200, 210, 63, 64}});  // one element in common
    check_breakers({{63, 200, 210, 0, 64}});
    check_breakers({{0, 96, 210, 100, 64}});  // rate ends where temperature begins
    check_breakers({{0, 97, 210, 100, 64}});
    check_breakers({{0, 200, 97, 100, 64}});   // the last of bath is the first of temperature
    check_breakers({{0, 200, 164, 100, 64}});  // bath begins where temperature ends
    check_breakers({{0, 200, 163, 100, 64}});
    check_breakers({{0, 200, 210, 0, 64}});    // in place
    check_breakers({{0, 100, 102, 200, 64}});  // rate and bath share elements, both only read
    check_breakers({{0, 10, 20, 200, 64}});    // and lie inside start
    check_breakers({{0, 200, 200, 100, 64}});  // and are the same array
    check_breakers({{0, 0, 0, 0, 0}});         // nothing is accessed
    check_breakers({{5, 7, 9, 8, 0}});
    check_breakers({{0, 101, 210, 100, 1}});  // n = 1 next to rate
    check_breakers({{0, 98, 210, 100, 1}});   // n = 1 inside rate
    check_breakers({});
    check_breakers(
        std::vector<AnnealCall>(10, {0, 200, 210, 32, 64}));  // more than a byte has bits
    for (int batch = 0; batch < 20; ++batch) {
        std::vector<AnnealCall> calls(32);
        for (AnnealCall& call : calls) {
            const auto place = [] { return random_int(0, 250); };
            call = {place(), place(), place(), place(),
                    random_int(0, 9) == 0 ? 0 : random_int(1, 80)};
        }
        check_breakers(calls);
    }
}

TEST_CASE("differences: arrays that overlap in any way",
          "[correctness][task:3][points:3][id:differences]") {
    // The longest has more elements than a GPU runs threads at a time: the last threads read after
    // the first have written.
    static constexpr int kUnlike = 1'003;
    const int n = GENERATE(1000, 1, 2, 255, 256, 257, 0, kUnlike, random_int(1'100, 20'000),
                           speed_size(1 << 22, 1 << 15));
    // Where out begins relative to in: inside, before, in place, touching, far after.
    const int offset = GENERATE_COPY(n / 3, -(n / 3), 0, 1, -1, n, n + 1, -n, 5 * n + 7);
    twice([&] {
        const Floats in = n == kUnlike ? floats_of_unlike_size(n + 1) : random_floats(n + 1);
        const auto call = submission().call<differences>(in, view(offset), n);
        CHECK_THAT(call.output(),
                   equals(cpu_differences(in))
                       .or_looks_like(mistakes_of_differences(in, offset))
                       .or_diagnose([&](const Evidence& e) { return unchanged(e, in, offset); })
                       .or_diagnose(indexing_mistakes));
    });
}

TEST_CASE("differences: frees all its device memory",
          "[robustness][task:3][points:1][needs:differences]") {
    const int n = 1 << 16;
    const int offset = GENERATE_COPY(100, 2 * n);  // they overlap, or not
    const Floats in = random_floats(n + 1);
    check_leaves_nothing("differences with n = " + std::to_string(n), [&] {
        return submission().call<differences>(in, view(offset), n).leaked_bytes();
    });
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 10), drawn by the scripts of the same names in figures/.

TEST_CASE("picture: anneal", "[.][picture]") {
    const Floats start{0.05F, 0.5F, 0.95F}, rate{0x1p-6F, 0x1p-8F, 0x1p-7F, 0x1p-8F},
        bath{0.9F, 0.2F, 0.5F, 0.0F};
    Table table("anneal", {"cycles", "part", "student", "expected"});
    for (int cycles = 0; cycles <= 64; cycles += 2) {
        const auto temperature =
            submission().call<anneal>(start, rate, bath, out, 3, cycles).output();
        const Floats expected = cpu_anneal(start, rate, bath, cycles);
        for (std::size_t part = 0; part < start.size(); ++part) {
            table.row(cycles, part, temperature.untouched(part) ? std::nanf("") : temperature[part],
                      expected[part]);
        }
    }
}

TEST_CASE("picture: promise_breakers", "[.][picture]") {
    const int n = 6, rate = 20, bath = 40, places = 56, calls_at_once = 28;
    Table table("promise_breakers", {"start", "temperature", "student", "expected"});
    for (int start = 0; start < places; ++start) {
        for (int first = 0; first < places; first += calls_at_once) {
            std::vector<AnnealCall> calls;
            for (int t = first; t < first + calls_at_once; ++t) {
                calls.push_back({start, rate, bath, t, n});
            }
            const unsigned got =
                submission().call<promise_breakers>(calls, calls_at_once).returned();
            for (std::size_t k = 0; k < calls.size(); ++k) {
                table.row(start, calls[k].temperature, got >> k & 1,
                          breaks_promise(calls[k]) ? 1 : 0);
            }
        }
    }
}

TEST_CASE("picture: differences", "[.][picture]") {
    const int n = 600;
    Floats in(n + 1);
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = 20 * std::sin(0.02F * static_cast<float>(i));
    }
    const auto result = submission().call<differences>(in, view(n / 3), n).output();
    const Floats expected = cpu_differences(in);
    Table table("differences", {"i", "student", "expected"});
    for (std::size_t i = 0; i < expected.size(); ++i) {
        table.row(i, result.untouched(i) ? std::nanf("") : result[i], expected[i]);
    }
}

// Benchmarks (./lab bench 10).

TEST_CASE("bench: cycles", "[.][bench]") {
    check_anneal(1000, 64);  // reports a wrong program before timing it
    const int n = speed_size(1 << 24, 1 << 16);
    const auto [start, rate, bath] = random_parts(n);
    Table table("cycles", {"cycles", "version", "time_ms"});
    for (int cycles = 1; cycles <= 128; cycles *= 2) {
        for (const Version& version : versions()) {
            table.row(cycles, version.name(),
                      time_ms<anneal>(version, start, rate, bath, out, n, cycles));
        }
    }
}

TEST_CASE("bench: versions", "[.][bench]") {
    check_anneal(1000, 64);
    const int n = speed_size(1 << 24, 1 << 16), cycles = 64;
    const auto [start, rate, bath] = random_parts(n);
    Table table("versions", {"version", "n", "time_ms"});
    std::vector<Version> all = versions();
    std::ranges::copy(other_versions(), std::back_inserter(all));
    for (const Version& version : all) {
        table.row(version.name(), n, time_ms<anneal>(version, start, rate, bath, out, n, cycles));
    }
}

// Grader of lab 10: what anneal, promise_breakers and differences must do, for 10 points.
//
// The kernel of anneal is handed out right and slow: being right gives no points there, but the
// race needs it.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check.h"
#include "pointer_aliasing.h"

using namespace lab;

namespace {

using Floats = std::vector<float>;

// ---- anneal

struct Parts {
    Floats start, rate, bath;
};

/// Temperatures below 1, and rates so small that the first part of the way is still felt at the
/// end.
Parts random_parts(int n) {
    return {random_floats(n, 0, 1), random_floats(kBaths, 0x1p-9F, 0x1p-6F),
            random_floats(kBaths, 0, 1)};
}

/// What goes wrong in the handed-out loop.
struct Rules {
    int baths = kBaths;
    float sign = 1;
    bool backwards = false, one_rate = false, bath_by_bath = false, exchanged = false;
    bool skips_first = false, at_once = false;
};

/// The temperatures of a wrong program, step by step.
Floats wrong_anneal(const Parts& parts, int cycles, const Rules& rules) {
    std::vector<int> order;
    for (int step = 0; step < cycles * rules.baths; ++step) {
        const int k = rules.bath_by_bath ? step / cycles : step % rules.baths;
        order.push_back(rules.backwards ? kBaths - 1 - k : k);
    }
    Floats temperature = parts.start;
    for (float& t : temperature) {
        float before = t;
        for (const int k : order) {
            const auto bath = static_cast<std::size_t>(k);
            if (rules.skips_first && k == 0) continue;
            if (rules.at_once) {
                if (k == 0) before = t;
                t += parts.rate[bath] * (parts.bath[bath] - before);
                continue;
            }
            const float rate = parts.rate[rules.one_rate ? 0 : bath], goal = parts.bath[bath];
            t += rules.exchanged ? goal * (rate - t) : rules.sign * rate * (goal - t);
        }
    }
    return temperature;
}

/// One bath maps a temperature by a straight line, (1 - rate) * t + rate * bath, and all of them
/// after each other are a straight line, too.
Floats cpu_anneal(const Floats& start, const Floats& rate, const Floats& bath, int cycles) {
    double slope = 1, shift = 0;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (int k = 0; k < kBaths; ++k) {
            const double r = rate[static_cast<std::size_t>(k)];
            slope *= 1 - r;
            shift = (1 - r) * shift + r * bath[static_cast<std::size_t>(k)];
        }
    }
    Floats temperature(start.size());
    std::ranges::transform(start, temperature.begin(),
                           [=](float t) { return static_cast<float>(slope * t + shift); });
    return temperature;
}

/// Temperatures stay below 1, so a sum is rounded by at most 2^-25, and the difference and the
/// product, both multiplied by a rate below 2^-6, by 2^-30 together. Each step shrinks the error of
/// those before. The expected value was rounded from double, once. Half precision loses 2^-12 in a
/// step.
auto annealed(Floats expected, int cycles) {
    const double steps = cycles * kBaths;
    const double tolerance = steps * (0x1p-25 + 0x1p-30) + 0x1p-25;
    return close_to(std::move(expected), [=](std::size_t) { return tolerance; });
}

void check_anneal(int n, int cycles) {
    const Parts parts = random_parts(n);
    const auto& [start, rate, bath] = parts;
    const auto call = submission().call<anneal>(start, rate, bath, out, n, cycles);
    const auto temperature = call.output();
    const auto looks_like = [&](int other_cycles, const char* sentence) {
        return Diagnoser(
            [&, other_cycles, sentence](const Evidence&) -> std::optional<std::string> {
                const Floats other = cpu_anneal(start, rate, bath, other_cycles);
                if (!annealed(other, other_cycles).all_right(temperature.values()))
                    return std::nullopt;
                return sentence;
            });
    };
    auto matcher = annealed(cpu_anneal(start, rate, bath, cycles), cycles);
    const std::array<std::pair<Rules, const char*>, 8> wrong{
        {{{.sign = -1}, "Every part goes away from the baths: the difference is bath[k] - t."},
         {{.baths = kBaths - 1}, "Every part went through the first 3 of the 4 baths only."},
         {{.skips_first = true}, "Every part left out bath 0: k begins at 0."},
         {{.at_once = true},
          "All four baths of a cycle began with the same temperature: each must begin with what "
          "the one before has left."},
         {{.backwards = true},
          "Every part went through the baths in reverse: bath 0 is the first."},
         {{.one_rate = true}, "Every bath has the rate of bath 0: it must be rate[k]."},
         {{.exchanged = true}, "rate and bath are exchanged: it is rate[k] * (bath[k] - t)."},
         {{.bath_by_bath = true},
          "Every part went through all cycles of one bath before the next bath: the loop over "
          "cycles must be the outer one."}}};
    for (const auto& [rules, sentence] : wrong) {  // adds in place
        // With fewer, some of these are the same.
        constexpr int kFewest = 2;
        if (cycles < kFewest) break;
        std::move(matcher).or_looks_like(
            [&, rules = rules] { return wrong_anneal(parts, cycles, rules); }, sentence);
    }
    CHECK_THAT(
        temperature,
        std::move(matcher)
            .or_diagnose(looks_like(1, "Every part went through one cycle only."))
            .or_diagnose(looks_like(64,
                                    "Every part went through 64 cycles, whatever "
                                    "`cycles` is."))
            .or_diagnose(looks_like(cycles + 1, "Every part went through one cycle too many."))
            .or_diagnose(
                looks_like(std::max(cycles - 1, 0), "Every part went through one cycle too few."))
            .or_diagnose(indexing_mistakes));
    if (on_vgpu() && n > 0) {  // a GPU does not tell
        INFO("no kernel was launched: the temperatures must be computed on the device");
        CHECK_FALSE(call.launches().empty());
    }
}

// ---- promise_breakers

struct Range {
    int begin, count;
    bool holds(int element) const { return begin <= element && element < begin + count; }
};

/// The element that both ranges have, or -1: looked for one by one.
int shared_element(Range a, Range b) {
    for (int element = a.begin; element < a.begin + a.count; ++element) {
        if (b.holds(element)) return element;
    }
    return -1;
}

struct Conflict {
    std::string name;  ///< of the array that is read
    int element = -1;  ///< of the pool
};

/// What anneal would read and write: the first array that it reads and of which it writes an
/// element.
Conflict conflict_of(const AnnealCall& call) {
    const int coefficients = call.n == 0 ? 0 : kBaths;
    const Range written{call.temperature, call.n};
    const std::array<std::pair<const char*, Range>, 3> read{{{"start", {call.start, call.n}},
                                                             {"rate", {call.rate, coefficients}},
                                                             {"bath", {call.bath, coefficients}}}};
    for (const auto& [name, range] : read) {
        if (const int element = shared_element(written, range); element >= 0) {
            return {name, element};
        }
    }
    return {};
}

std::string text_of(std::size_t k, const AnnealCall& call) {
    std::ostringstream text;
    text << "calls[" << k << "] = {start " << call.start << ", rate " << call.rate << ", bath "
         << call.bath << ", temperature " << call.temperature << ", n " << call.n << "}";
    return text.str();
}

/// Why the call keeps or breaks the promise.
std::string reason(const AnnealCall& call) {
    std::ostringstream text;
    if (const Conflict conflict = conflict_of(call); conflict.element >= 0) {
        text << "breaks the promise: element " << conflict.element
             << " of the pool is written through temperature and read through " << conflict.name;
        return text.str();
    }
    text << "keeps the promise: ";
    const auto touch = [&](int begin, int count) {
        return begin + count == call.temperature || call.temperature + call.n == begin;
    };
    const Range rate{call.rate, kBaths}, bath{call.bath, kBaths}, start{call.start, call.n};
    const auto meets_if_n_long = [&](int begin) {
        return begin < call.temperature + call.n && call.temperature < begin + call.n;
    };
    if (call.n == 0) {
        text << "with n = 0 no thread reads or writes anything";
    } else if (meets_if_n_long(call.rate) || meets_if_n_long(call.bath)) {
        text << "rate and bath have kBaths = " << kBaths << " elements each, however large n is";
    } else if (touch(call.start, call.n) || touch(call.rate, kBaths) || touch(call.bath, kBaths)) {
        text << "an array that begins where the other ends shares no element with it";
    } else if (shared_element(rate, bath) >= 0 || shared_element(rate, start) >= 0 ||
               shared_element(bath, start) >= 0) {
        text << "the arrays that share elements are only read";
    } else {
        text << "no element that is written is read through another pointer";
    }
    return text.str();
}

/// What makes the whole result wrong, where a single bit does not tell; empty: nothing known.
std::string wrong_bits(unsigned got, unsigned expected, std::size_t count) {
    constexpr unsigned kByte = 0xFF;
    if (got == ~expected) return "Every bit of the result is the wrong way around.";
    if (expected != 0 && got == expected << 1) {
        return "Every bit is one place too high: calls[0] has bit 0, the lowest.";
    }
    const auto reversed = [=](std::size_t bits) {
        unsigned result = 0;
        for (std::size_t k = 0; k < count; ++k) result |= (expected >> k & 1) << (bits - 1 - k);
        return result;
    };
    constexpr std::size_t kAll = 32;
    if (expected != 0 && got != expected && (got == reversed(count) || got == reversed(kAll))) {
        return "The bits are in reverse order: calls[0] has bit 0, the lowest.";
    }
    // One bit that is right says little of the others.
    if (std::popcount(expected) < 2) return "";
    if (got == static_cast<unsigned>(std::popcount(expected))) {
        return "The result is how many calls break the promise: it must have a bit for each that "
               "does, 1u << k.";
    }
    if (got == std::bit_floor(expected)) {
        return "Only the last of the calls that break the promise is in the result: add a bit with "
               "|=, as = forgets those before.";
    }
    if (got == (expected & -expected)) {
        return "Only the first of the calls that break the promise is in the result: the loop must "
               "go on after it.";
    }
    if (got == (expected & kByte)) {
        return "Only the lowest 8 bits are right: somewhere the result is kept in a char.";
    }
    return "";
}

void check_breakers(const std::vector<AnnealCall>& calls) {
    const int count = static_cast<int>(calls.size());
    const unsigned got = submission().call<promise_breakers>(calls, count).returned();
    unsigned all = 0;
    for (std::size_t k = 0; k < calls.size(); ++k) {
        if (conflict_of(calls[k]).element >= 0) all |= 1U << k;
    }
    const std::string pattern = wrong_bits(got, all, calls.size());
    for (std::size_t k = 0; k < calls.size(); ++k) {
        const bool expected = conflict_of(calls[k]).element >= 0, is = (got >> k & 1) != 0;
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

// ---- differences

Floats cpu_differences(const Floats& in) {
    Floats result(in.size() - 1);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = in[i + 1] - in[i];
    return result;
}

/// Where out lies in `in`, it still holds what was there; elsewhere it was not written.
std::optional<std::string> unchanged(const Evidence& e, const Floats& in, long long offset) {
    bool some = false;
    for (std::size_t i = 0; i < e.size(); ++i) {
        const long long at = static_cast<long long>(i) + offset;
        const bool is_inside = at >= 0 && at < static_cast<long long>(in.size());
        if (!is_inside && !e.untouched[i]) return std::nullopt;
        if (is_inside && e.got(i) != static_cast<double>(in[static_cast<std::size_t>(at)])) {
            return std::nullopt;
        }
        some = some || is_inside;
    }
    if (!some) return std::nullopt;
    return "out is as it was before the call: the differences were stored elsewhere, in a copy "
           "that nobody copies back, or nowhere.";
}

}  // namespace

TEST_CASE("anneal: still the right temperatures", "[correctness][task:1][points:0][id:anneal]") {
    const int n = GENERATE(1000, 255, 256, 257, 32, 1, 0, 30'031, random_int(1'100, 20'000));
    const int cycles = GENERATE(64, 1, 0, 3, random_int(4, 20));
    twice([&] { check_anneal(n, cycles); });
}

TEST_CASE("anneal: at least 0.3x the reference", "[speed][task:1][points:3][needs:anneal]") {
    // On a GPU 268 MB: over four times the L2 of an H200, and about 0.6 ms there.
    // The virtual GPU has fewer elements, but enough for a grid that stays, and fewer cycles.
    const int n = race_size((1 << 25) + 3, (1 << 20) + 3);
    const auto race = race_against_reference<anneal>(
        {.gpu = 64, .vgpu = 8},
        [=](int cycles) {
            auto [start, rate, bath] = random_parts(n);
            return std::tuple(std::move(start), std::move(rate), std::move(bath), out, n, cycles);
        },
        [](const Floats& start, const Floats& rate, const Floats& bath, auto, int, int cycles) {
            return annealed(cpu_anneal(start, rate, bath, cycles), cycles);
        });
    CHECK_THAT(race, at_least(0.3));
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
    const int n = GENERATE(1000, 1, 2, 255, 256, 257, 0, random_int(1'100, 20'000),
                           race_size(1 << 22, 1 << 15));
    // Where out begins in in: inside, before, in place, touching, far behind.
    const int offset = GENERATE_COPY(n / 3, -(n / 3), 0, 1, -1, n, n + 1, -n, 5 * n + 7);
    twice([&] {
        const Floats in = random_floats(n + 1);
        const auto call = submission().call<differences>(in, view(offset), n);
        Floats negative = cpu_differences(in);
        for (float& difference : negative) difference = -difference;
        CHECK_THAT(call.output(),
                   equals(cpu_differences(in))
                       .or_looks_like(negative,
                                      "Every difference has the wrong sign: out[i] is in[i + 1] - "
                                      "in[i].")
                       .or_diagnose([&](const Evidence& e) { return unchanged(e, in, offset); })
                       .or_diagnose(indexing_mistakes));
    });
}

TEST_CASE("differences: frees all its device memory",
          "[robustness][task:3][points:1][needs:differences]") {
    const int n = 1 << 16, calls = 4;
    const Floats in = random_floats(n + 1);
    const long long leaked_bytes = leaked_by(
        calls, [&] { return submission().call<differences>(in, view(100), n).leaked_bytes(); });
    INFO(calls << " calls of differences with n = " << n << " left " << leaked_bytes
               << " bytes of device memory allocated: every cudaMalloc needs its cudaFree");
    CHECK(leaked_bytes == 0);
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
                          conflict_of(calls[k]).element >= 0 ? 1 : 0);
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
    check_anneal(1000, 64);  // what is wrong is told before it is timed
    const int n = race_size(1 << 24, 1 << 16);
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
    const int n = race_size(1 << 24, 1 << 16), cycles = 64;
    const auto [start, rate, bath] = random_parts(n);
    Table table("versions", {"version", "n", "time_ms"});
    std::vector<Version> all = versions();
    std::ranges::copy(other_versions(), std::back_inserter(all));
    for (const Version& version : all) {
        table.row(version.name(), n, time_ms<anneal>(version, start, rate, bath, out, n, cycles));
    }
}

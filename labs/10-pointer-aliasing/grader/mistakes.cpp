#include "mistakes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>

#include "check/mistakes/promises.h"
#include "check/session/session.h"
#include "check/toward_zero.h"

using namespace lab;

namespace {

/// Temperatures after the steps of a wrong program. `step(part, t, k)`: the temperature after bath
/// k.
template <class Step>
Floats stepped(const Parts& parts, const std::vector<int>& baths, Step step) {
    Floats temperature = parts.start;
    for (std::size_t part = 0; part < temperature.size(); ++part) {
        for (const int k : baths) {
            temperature[part] = step(part, temperature[part], static_cast<std::size_t>(k));
        }
    }
    return temperature;
}

/// The baths `first` to `last`, `cycles` times; the other way round if `last` comes first.
std::vector<int> baths_in_order(int cycles, int first, int last) {
    std::vector<int> order;
    const int step = first <= last ? 1 : -1;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (int k = first; k != last + step; k += step) order.push_back(k);
    }
    return order;
}

/// All baths of a cycle begin with the temperature at the start of the cycle.
Floats all_at_once(const Parts& parts, int cycles) {
    Floats temperature = parts.start;
    for (float& t : temperature) {
        for (int cycle = 0; cycle < cycles; ++cycle) {
            const float before = t;
            for (std::size_t k = 0; k < kBaths; ++k) {
                t += parts.rate[k] * (parts.bath[k] - before);
            }
        }
    }
    return temperature;
}

/// Sets coefficients to 0 that a copy has left out: in a __constant__ or __device__ array that was
/// never written, or after the end of a copy that is too short.
Parts with_coefficients(Parts parts, std::size_t rates, std::size_t baths) {
    for (std::size_t k = rates; k < kBaths; ++k) parts.rate[k] = 0;
    for (std::size_t k = baths; k < kBaths; ++k) parts.bath[k] = 0;
    return parts;
}

std::vector<Mistake> mistakes_in_a_step(const Parts& parts, int cycles) {
    const auto baths = baths_in_order(cycles, 0, kBaths - 1);
    const auto step = [&parts, baths](auto next, std::string sentence) {
        return Mistake{[&parts, baths, next] { return stepped(parts, baths, next); },
                       std::move(sentence)};
    };
    return {
        step([&](auto, float t, auto k) { return t - parts.rate[k] * (parts.bath[k] - t); },
             "Every part goes away from the baths: the difference has the wrong sign."),
        step([&](auto, float t, auto k) { return t + parts.rate[0] * (parts.bath[k] - t); },
             "Every bath has the rate of bath 0."),
        step([&](auto, float t, auto k) { return t + parts.rate[k] * (parts.bath[0] - t); },
             "Every bath has the temperature of bath 0."),
        step([&](auto, float t, auto k) { return t + parts.bath[k] * (parts.rate[k] - t); },
             "rate and bath are swapped: it is rate[k] * (bath[k] - t)."),
        step([&](auto, float t, auto k) { return t + parts.rate[k] * (parts.rate[k] - t); },
             "The rates are used as temperatures, too: it is rate[k] * (bath[k] - t)."),
        step([&](auto, float t, auto k) { return t + parts.bath[k] * (parts.bath[k] - t); },
             "The temperatures of the baths are used as rates, too: it is rate[k] * (bath[k] - "
             "t)."),
        step([&](auto, float t, auto k) { return parts.rate[k] * (parts.bath[k] - t); },
             "The step replaces the temperature: it must be added to it, with +=."),
        step(
            [&](auto, float t, auto k) { return t + (parts.rate[k] * parts.bath[k] - t); },
            "The parentheses are missing: it is rate[k] * (bath[k] - t), as a product comes before "
            "a difference."),
        step([&](auto, float t, auto k) { return t + parts.rate[k] * parts.bath[k]; },
             "The step has no difference in it: it is rate[k] * (bath[k] - t)."),
        step([&](auto part, float t,
                 auto k) { return t + parts.rate[k] * (parts.bath[k] - parts.start[part]); },
             "The difference is always that to the start: it must be to the temperature that the "
             "part has by then."),
        {[&parts, cycles] { return all_at_once(parts, cycles); },
         "All four baths of a cycle began with the same temperature: each must begin with the "
         "temperature after the one before."},
    };
}

std::vector<Mistake> mistakes_in_the_order(const Parts& parts, int cycles) {
    const auto order = [&parts](std::vector<int> baths, std::string sentence) {
        const auto step = [&parts](auto, float t, std::size_t k) {
            return t + parts.rate[k] * (parts.bath[k] - t);
        };
        return Mistake{
            [&parts, baths = std::move(baths), step] { return stepped(parts, baths, step); },
            std::move(sentence)};
    };
    std::vector<int> bath_by_bath;
    for (int step = 0; step < kBaths * cycles; ++step) bath_by_bath.push_back(step / cycles);
    return {
        order(baths_in_order(cycles, 0, kBaths - 2),
              "Every part went through the first 3 of the 4 baths only."),
        order(baths_in_order(cycles, kBaths - 1, kBaths - 1),
              "In every cycle only the last bath counts: each bath must begin with the temperature "
              "after the one before."),
        order({kBaths - 1},
              "Only the very last step counts: every step began with the temperature that the part "
              "had at the start, not with the temperature after the step before."),
        order(baths_in_order(cycles, 1, kBaths - 1), "Every part left out bath 0: k begins at 0."),
        order(baths_in_order(cycles, kBaths - 1, 0),
              "Every part went through the baths in reverse: bath 0 is the first."),
        order(bath_by_bath,
              "Every part went through all cycles of one bath before the next bath: the loop over "
              "cycles must be the outer one."),
    };
}

std::vector<Mistake> missing_coefficients(const Parts& parts, int cycles) {
    const auto with = [&parts, cycles](std::size_t rates, std::size_t baths, std::string sentence) {
        return Mistake{[&parts, cycles, rates, baths] {
                           const Parts all = with_coefficients(parts, rates, baths);
                           return cpu_anneal(all.start, all.rate, all.bath, cycles);
                       },
                       std::move(sentence)};
    };
    const std::string copied =
        " A copy, into a __constant__ array say, counts bytes, and sizeof of a pointer is 8.";
    return {
        with(0, kBaths,
             "Every part still has the temperature that it began with: no step was made, or all "
             "rates were 0, as in a __constant__ array that was never set."),
        with(kBaths, 0,
             "All baths had the temperature 0, as in a __constant__ array that was not set "
             "before the launch."),
        with(
            1, kBaths,
            "Every part went through bath 0 only: the loop ends there, or the other rates were 0." +
                copied),
        with(kBaths, 1, "Of all baths only bath 0 had a temperature, the others had 0." + copied),
        with(2, kBaths,
             "Every part went through baths 0 and 1 only: the loop ends there, or the other rates "
             "were 0." +
                 copied),
        with(kBaths, 2, "Only baths 0 and 1 had a temperature, the others had 0." + copied),
    };
}

}  // namespace

std::vector<Mistake> mistakes_of_anneal(const Parts& parts, int cycles) {
    // With fewer cycles, some of these are the same.
    constexpr int kFewest = 2;
    if (cycles < kFewest) return {};
    std::vector<Mistake> all = mistakes_in_a_step(parts, cycles);
    for (auto&& more :
         {mistakes_in_the_order(parts, cycles), missing_coefficients(parts, cycles)}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

Diagnoser other_cycles(const Parts& parts, std::vector<float> got, int cycles) {
    return [&parts, got = std::move(got), cycles](const Evidence&) -> std::optional<std::string> {
        const std::array<std::pair<int, const char*>, 4> others{
            {{1,
              "Every part went through one cycle only, or began each cycle with its start "
              "again."},
             {64, "Every part went through 64 cycles, whatever `cycles` is."},
             {cycles + 1, "Every part went through one cycle too many."},
             {std::max(cycles - 1, 0), "Every part went through one cycle too few."}}};
        for (const auto& [other, sentence] : others) {
            const Floats expected = cpu_anneal(parts.start, parts.rate, parts.bath, other);
            if (annealed(expected, other).all_right(got)) return sentence;
        }
        return std::nullopt;
    };
}

std::vector<Mistake> mistakes_of_differences(const Floats& in, long long offset) {
    const std::size_t n = in.size() - 1;
    const auto each = [&in, n](auto of, std::string sentence) {
        return Mistake{[&in, n, of] {
                           Floats result(n);
                           for (std::size_t i = 0; i < n; ++i) result[i] = of(in[i], in[i + 1]);
                           return result;
                       },
                       std::move(sentence)};
    };
    /// Runs a loop in this order, in the memory that both arrays share.
    const auto one_by_one = [&in, n, offset](bool forwards) {
        const auto first = static_cast<std::size_t>(std::max(0LL, -offset));
        const auto to = static_cast<std::size_t>(static_cast<long long>(first) + offset);
        Floats memory(std::max(first + n + 1, to + n));
        std::ranges::copy(in, memory.begin() + static_cast<std::ptrdiff_t>(first));
        for (std::size_t step = 0; step < n; ++step) {
            const std::size_t i = forwards ? step : n - 1 - step;
            memory[to + i] = memory[first + i + 1] - memory[first + i];
        }
        const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(to);
        return Floats(begin, begin + static_cast<std::ptrdiff_t>(n));
    };
    const std::string overwritten =
        ": it reads elements of in that it has overwritten with differences before. Which way is "
        "right depends on where out lies.";
    return {
        each([](float one, float next) { return one - next; },
             "Every difference has the wrong sign: out[i] is in[i + 1] - in[i]."),
        each([](float one, float next) { return one + next; },
             "These are sums: out[i] is in[i + 1] - in[i]."),
        each([](float one, float next) { return std::abs(next - one); },
             "Every difference has lost its sign: out[i] is in[i + 1] - in[i], which may be below "
             "0."),
        each([](float one, float next) { return toward_zero(double{next} - double{one}); },
             "Each difference is cut off where it must be rounded to the nearest float: a plain - "
             "does that, __fsub_rz does not."),
        {[=] { return one_by_one(true); },
         "This is what a loop from the first element to the last leaves" + overwritten},
        {[=] { return one_by_one(false); },
         "This is what a loop from the last element to the first leaves" + overwritten},
    };
}

std::string misplaced_promise() {
    std::ifstream file(session().setting().real_source);
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    if (!promises_on_host_only(source)) return "";
    return "__restrict__ stands on parameters of a host function, which makes no loads. The "
           "promise "
           "belongs to the parameters of the kernel, where the loop is.";
}

std::string wrong_bits(unsigned got, unsigned expected, std::size_t count) {
    constexpr unsigned kByte = 0xFF;
    if (got == ~expected) return "Every bit of the result is inverted.";
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
    // One right bit says little about the others.
    if (std::popcount(expected) < 2) return "";
    if (got == static_cast<unsigned>(std::popcount(expected))) {
        return "The result is how many calls break the promise, but it must have a bit for each "
               "that does.";
    }
    if (got == std::bit_floor(expected)) {
        return "Only the last of the calls that break the promise is in the result: the bits "
               "before are lost.";
    }
    if (got == (expected & -expected)) {
        return "Only the first of the calls that break the promise is in the result: the loop must "
               "go on after it.";
    }
    // A loop that ends early leaves such bits, too, if it ends exactly here.
    constexpr unsigned kBothSides = 3U << 7;
    if (got == (expected & kByte) && (expected & kBothSides) == kBothSides) {
        return "Only the lowest 8 bits are right: is the result kept in a char somewhere, or does "
               "the loop end after 8 calls?";
    }
    return "";
}

std::optional<std::string> unchanged(const Evidence& e, const Floats& in, long long offset) {
    // A copy that counts elements instead of bytes brings a quarter.
    const auto first_wrong =
        static_cast<std::size_t>(std::ranges::find(e.right, false) - e.right.begin());
    const bool is_quarter = first_wrong > 0 && first_wrong == e.size() / sizeof(float);
    bool some = is_quarter;
    for (std::size_t i = is_quarter ? first_wrong : 0; i < e.size(); ++i) {
        const long long at = static_cast<long long>(i) + offset;
        const bool is_inside = at >= 0 && at < static_cast<long long>(in.size());
        if (!is_inside && !e.untouched[i]) return std::nullopt;
        if (is_inside && e.got(i) != static_cast<double>(in[static_cast<std::size_t>(at)])) {
            return std::nullopt;
        }
        some = some || is_inside;
    }
    if (!some) return std::nullopt;
    if (is_quarter) {
        return "Only the first quarter of out holds differences, the rest is as it was before the "
               "call: a copy counts bytes, not elements.";
    }
    return "out is as it was before the call: the differences were stored elsewhere, or nowhere.";
}

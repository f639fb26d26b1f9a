#include "mistakes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

using namespace lab;

namespace {

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

}  // namespace

std::vector<Mistake> mistakes_of_anneal(const Parts& parts, int cycles) {
    // With fewer, some of these are the same.
    constexpr int kFewest = 2;
    if (cycles < kFewest) return {};
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
    std::vector<Mistake> all;
    for (const auto& [rules, sentence] : wrong) {
        all.push_back(
            {[&parts, cycles, rules = rules] { return wrong_anneal(parts, cycles, rules); },
             sentence});
    }
    return all;
}

Diagnoser other_cycles(const Parts& parts, std::vector<float> got, int cycles) {
    return [&parts, got = std::move(got), cycles](const Evidence&) -> std::optional<std::string> {
        const std::array<std::pair<int, const char*>, 4> others{
            {{1, "Every part went through one cycle only."},
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

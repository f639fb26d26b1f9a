#include "answers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>

using namespace lab;

namespace {

/// The sum of squares that `spread` makes of 1, in double. Of x it makes x * x times as much.
double spread_of_one() {
    constexpr std::size_t kCells = 48;
    std::array<double, kCells> cell{1};
    for (int round = 0; round < 16; ++round) {
        const std::array<double, kCells> before = cell;
        for (std::size_t k = 0; k < kCells; ++k) {
            cell[k] = 0.25 * before[(k + kCells - 1) % kCells] + 0.5 * before[k] +
                      0.25 * before[(k + 1) % kCells];
        }
    }
    double sum = 0;
    for (const double value : cell) sum += value * value;
    return sum;
}

// A cell's three roundings in each of 16 rounds, its square and 48 additions: fewer than these.
constexpr double kRoundings = 2 * (3 * 16 + 1) + 48;

using Order = std::array<unsigned, 3>;
constexpr Order kRightOrder = {kClamp, kSpread, kInvert};

template <class T>
constexpr T kLowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                           : std::numeric_limits<T>::min();
template <class T>
constexpr T kHighest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                            : std::numeric_limits<T>::max();

/// Wide enough for every step of a sum.
double wide(float x) {
    return x;
}
std::int64_t wide(int x) {
    return x;
}

/// Begins with `start` in place of the operator's identity, for all but sums.
template <class T>
T reduce_from(T start, const std::vector<T>& a, int op) {
    if (op == kSum) {
        decltype(wide(T{})) sum = 0;
        for (const T x : a) sum += wide(x);
        return static_cast<T>(sum);
    }
    for (const T x : a) {
        if (op == kMaximum) start = std::max(start, x);
        if (op == kMinimum) start = std::min(start, x);
        if (op == kMagnitude) start = std::max(start, std::abs(x));
    }
    return start;
}

/// As reduce_from for kMaximum and kMinimum, but compares floats by their bits, as ints.
float reduce_bits_from(float start, const Floats& a, int op) {
    for (const float x : a) {
        const auto bits = std::bit_cast<std::int32_t>(x), best = std::bit_cast<std::int32_t>(start);
        if (op == kMaximum ? bits > best : bits < best) start = x;
    }
    return start;
}

template <class T>
T identity_of(int op) {
    return op == kMaximum ? kLowest<T> : op == kMinimum ? kHighest<T> : T{0};
}

template <class T>
std::vector<KnownMistake<std::vector<T>>> mistakes_of(const std::vector<T>& a, int op) {
    std::vector<KnownMistake<std::vector<T>>> mistakes;
    const auto add = [&](T value, const std::string& sentence) {
        mistakes.push_back({{value}, sentence});
    };
    const bool is_ordered = op == kMaximum || op == kMinimum;
    const std::string name = operator_name(op);
    if (is_ordered) {
        add(reduce_from<T>(0, a, op),
            "The result is that of a search which begins with 0. What must " + name +
                " begin with, so that every element replaces it?");
    }
    if constexpr (std::is_floating_point_v<T>) {
        if (is_ordered && !a.empty()) {
            for (const T start : {a[0], identity_of<T>(op)})
                add(reduce_bits_from(start, a, op),
                    "The floats were compared by their bits, as ints: of two numbers below 0, that "
                    "takes the wrong one.");
        }
        using Limits = std::numeric_limits<T>;
        if (is_ordered)
            add(reduce_from<T>(op == kMaximum ? Limits::lowest() : Limits::max(), a, op),
                "FLT_MAX is not the largest float: infinity is larger. The contract says what " +
                    name + " begins with.");
        if (op == kMaximum)
            add(reduce_from<T>(Limits::min(), a, op),
                "numeric_limits<float>::min() is the smallest positive float. The negative ones "
                "are below it.");
    }
    if (op == kMagnitude && !a.empty()) {
        const T smallest = reduce_from(kHighest<T>, a, kMinimum);
        if (-smallest == reduce_from<T>(0, a, kMagnitude))
            add(smallest, "The sign is still there: the result is an absolute value.");
        add(reduce_from<T>(0, a, kMaximum),
            "The result is the largest element, or 0. Negative ones count by their absolute "
            "value.");
    }
    if (a.empty()) return mistakes;
    for (const int other : {kSum, kMaximum, kMinimum, kMagnitude}) {
        const T result = reduce_from(identity_of<T>(other), a, other);
        std::string names;
        for (const int same : {kSum, kMaximum, kMinimum, kMagnitude}) {
            if (same == op || reduce_from(identity_of<T>(same), a, same) != result) continue;
            names += (names.empty() ? "" : " or ") + std::string(operator_name(same));
        }
        if (other != op)
            add(result, "That is the result of " + names +
                            ": is the instance for another operator launched?");
    }
    return mistakes;
}

}  // namespace

static RunAnswer cpu_run_in_order(const Floats& x, unsigned flags, const Order& order) {
    static const double of_one = spread_of_one();
    RunAnswer answer;
    for (float value : x) {
        double tolerance = 0;
        for (const unsigned flag : order) {
            if ((flags & flag) == 0) continue;
            if (flag == kClamp) value = std::clamp(value, 0.0F, 1.0F);
            if (flag == kInvert) value = 1 - value;
            if (flag != kSpread) continue;
            const double spread = double{value} * value * of_one;
            tolerance = std::ldexp(spread * kRoundings + 1, -24);
            value = static_cast<float>(spread);
        }
        answer.value.push_back(value);
        answer.tolerance.push_back(tolerance);
    }
    return answer;
}

RunAnswer cpu_run(const Floats& x, unsigned flags) {
    return cpu_run_in_order(x, flags, kRightOrder);
}

std::string flags_text(unsigned flags) {
    std::string text = "flags = " + std::to_string(flags), separator = ": ";
    constexpr std::array<const char*, 3> names = {"kClamp", "kSpread", "kInvert"};
    for (unsigned bit = 0; bit < names.size(); ++bit) {
        if ((flags >> bit & 1) == 0) continue;
        text += separator + names[bit];
        separator = ", ";
    }
    return text;
}

Diagnoser other_flags(const Floats& x, unsigned flags) {
    return [&x, flags](const Evidence& e) -> std::optional<std::string> {
        std::size_t same_as_first = 0;
        for (std::size_t i = 0; i < e.size(); ++i)
            same_as_first += !e.untouched[i] && e.got(i) == e.got(0);
        if (e.size() > 4 && same_as_first == e.size())
            return "Every element of y is the same number, whatever x is.";
        const auto is = [&](const RunAnswer& answer) {
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (e.untouched[i] ||
                    !(std::abs(e.got(i) - double{answer.value[i]}) <= answer.tolerance[i]))
                    return false;
            }
            return true;
        };
        for (unsigned other = 0; other < kFlags; ++other) {
            if (other != flags && is(cpu_run(x, other)))
                return "That is the result for " + flags_text(other) +
                       ". Is the instance for other flags launched?";
        }
        Order order = kRightOrder;
        while (std::ranges::next_permutation(order).found) {
            if (is(cpu_run_in_order(x, flags, order)))
                return "The operations were done in another order. It is: clamp, spread, invert.";
        }
        return std::nullopt;
    };
}

Floats cpu_blend(const Floats& frames, int n, int count) {
    Floats medians;
    Floats pixel(static_cast<std::size_t>(count));
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < count; ++k)
            pixel[static_cast<std::size_t>(k)] =
                frames[static_cast<std::size_t>(k) * static_cast<std::size_t>(n) +
                       static_cast<std::size_t>(i)];
        const auto middle = pixel.begin() + (count - 1) / 2;
        std::ranges::nth_element(pixel, middle);
        medians.push_back(*middle);
    }
    return medians;
}

std::vector<KnownMistake<Floats>> mistakes_of_blend(const Floats& frames, int n, int count) {
    const auto each = [&](auto value_of) {
        Floats values;
        for (int i = 0; i < n; ++i) {
            Floats pixel;
            for (int k = 0; k < count; ++k)
                pixel.push_back(frames[static_cast<std::size_t>(k * n + i)]);
            values.push_back(value_of(pixel));
        }
        return values;
    };
    std::vector<KnownMistake<Floats>> mistakes;
    for (int fewer = 1; fewer < count; ++fewer) {
        const std::string first = std::to_string(fewer) + " frame" + (fewer == 1 ? "" : "s");
        mistakes.push_back({cpu_blend(frames, n, fewer), "That is the median of the first " +
                                                             first + ", and there are " +
                                                             std::to_string(count) +
                                                             ". Is the instance for another count "
                                                             "launched?"});
    }
    for (const std::size_t place :
         {std::size_t{kMostFrames / 2}, static_cast<std::size_t>(count - 1) / 2})
        if (count < kMostFrames)
            mistakes.push_back({each([&](Floats pixel) {
                                    pixel.resize(kMostFrames, 0.0F);
                                    std::ranges::sort(pixel);
                                    return pixel[place];
                                }),
                                "Frames that are not there took part, as zeros."});
    if (count % 2 == 0)
        mistakes.push_back({each([&](Floats pixel) {
                                std::ranges::sort(pixel);
                                return pixel[static_cast<std::size_t>(count / 2)];
                            }),
                            "The count is even, and of the two values in the middle the larger "
                            "one was taken."});
    Floats turned(frames.size());
    for (int i = 0; i < n * count; ++i)
        turned[static_cast<std::size_t>(i % count * n + i / count)] =
            frames[static_cast<std::size_t>(i)];
    mistakes.push_back({cpu_blend(turned, n, count),
                        "The values of a pixel were taken from neighbouring places. They are n "
                        "elements apart, as one frame follows the other."});
    mistakes.push_back({each([](const Floats& p) { return *std::ranges::min_element(p); }),
                        "That is the smallest value of each pixel, not the one in the middle."});
    mistakes.push_back({each([](const Floats& p) { return *std::ranges::max_element(p); }),
                        "That is the largest value of each pixel, not the one in the middle."});
    if (count % 2 == 0)
        mistakes.push_back({each([&](Floats pixel) {
                                std::ranges::sort(pixel);
                                const auto middle = static_cast<std::size_t>(count / 2);
                                return 0.5F * (pixel[middle - 1] + pixel[middle]);
                            }),
                            "The count is even, and the mean of the two values in the middle was "
                            "taken: the contract names one of them."});
    for (int k = 0; k < count; ++k)
        mistakes.push_back(
            {each([&](const Floats& p) { return p[static_cast<std::size_t>(k)]; }),
             "That is frame " + std::to_string(k) + ", unchanged: the values are not in order."});
    return mistakes;
}

Diagnoser not_in_order(const Floats& frames) {
    return [&frames](const Evidence& e) -> std::optional<std::string> {
        bool is_mean = true, is_one_of_them = true;
        const std::size_t frame_count = e.size() == 0 ? 0 : frames.size() / e.size();
        for (std::size_t i = 0; i < e.size(); ++i) {
            double sum = 0, largest = 0, count = 0;
            bool found = false;
            for (std::size_t k = i; k < frames.size(); k += e.size(), ++count) {
                sum += double{frames[k]};
                largest = std::max(largest, std::abs(double{frames[k]}));
                found = found || e.got(i) == double{frames[k]};
            }
            is_mean = is_mean && std::abs(e.got(i) - sum / count) < 1e-5 * (1 + largest);
            is_one_of_them = is_one_of_them && found && !e.untouched[i];
        }
        if (is_mean) return "That is the mean of each pixel's values, not their median.";
        if (!is_one_of_them) return std::nullopt;
        return "Each result is one of its pixel's values, but not always the one in the middle: up "
               "to there, they are not in order, or one is left out, or there twice." +
               std::string(frame_count % 2 == 0
                               ? " Their number is even here: is it the smaller of the two in the "
                                 "middle?"
                               : "");
    };
}

const char* operator_name(int op) {
    constexpr std::array<const char*, 4> names = {"kSum", "kMaximum", "kMinimum", "kMagnitude"};
    return names[static_cast<std::size_t>(op)];
}

float cpu_reduce(const Floats& a, int op) {
    return reduce_from(identity_of<float>(op), a, op);
}
int cpu_reduce(const Ints& a, int op) {
    return reduce_from(identity_of<int>(op), a, op);
}

double sum_tolerance(const Floats& a) {
    double squares = 0;
    for (const float x : a) squares += double{x} * x;
    const double n = static_cast<double>(a.size());
    return std::ldexp(8 * std::sqrt(n * squares) + 1, -24);
}

/// A search that begins with a number which no element replaces.
template <class T>
static std::optional<std::string> begins_elsewhere(const std::vector<T>& a, int op, double got) {
    const double right = cpu_reduce(a, op);
    if (!(op == kMinimum ? got < right : got > right)) return std::nullopt;
    return std::string("No element is as ") + (op == kMinimum ? "small" : "large") +
           " as the result. What does the search for it begin with?";
}

const char* const kThroughFloats = "The ints went through floats, which have 24 binary digits.";

/// A sum of ints that is off by what floats lose.
template <class T>
static std::optional<std::string> rounded_sum(const std::vector<T>& a, double got) {
    double absolute = 0;
    for (const T x : a) absolute += std::abs(static_cast<double>(x));
    const double off = std::abs(got - static_cast<double>(cpu_reduce(a, kSum)));
    if (std::is_same_v<T, float> || off == 0 || off > absolute * 0x1p-23) return std::nullopt;
    return kThroughFloats;
}

template <class T>
Diagnoser other_reduction(const std::vector<T>& a, int op) {
    return [&a, op](const Evidence& e) -> std::optional<std::string> {
        constexpr std::size_t kBlock = 256;
        if (a.empty() || e.untouched[0]) return std::nullopt;
        if (op == kSum) return rounded_sum(a, e.got(0));
        if constexpr (std::is_same_v<T, float>) {
            if (std::abs(e.got(0) - double{cpu_reduce(a, kSum)}) <= sum_tolerance(a))
                return "That is the result of kSum: is the instance for another operator launched?";
        }
        double sum = 0, largest = 0;
        for (std::size_t i = 0; i < a.size(); i += kBlock) {
            const auto begin = a.begin() + static_cast<std::ptrdiff_t>(i);
            const auto size = static_cast<std::ptrdiff_t>(std::min(kBlock, a.size() - i));
            const double result = cpu_reduce(std::vector<T>(begin, begin + size), op);
            sum += result;
            largest = std::max(largest, std::abs(result));
        }
        // A sum of ints may have left their range, and then begins again at the other end.
        if (std::is_same_v<T, int>) sum = static_cast<std::int32_t>(static_cast<std::int64_t>(sum));
        if (a.size() <= kBlock || !(std::abs(e.got(0) - sum) <= 1e-5 * largest))
            return begins_elsewhere(a, op, e.got(0));
        return "That is the sum of the blocks' results: which operator does the second launch "
               "have?";
    };
}
template Diagnoser other_reduction(const Floats&, int);
template Diagnoser other_reduction(const Ints&, int);

std::vector<KnownMistake<Floats>> mistakes_of_reduction(const Floats& a, int op) {
    return mistakes_of(a, op);
}

std::vector<KnownMistake<Ints>> mistakes_of_reduction(const Ints& a, int op) {
    auto mistakes = mistakes_of(a, op);
    const Floats rounded(a.begin(), a.end());
    const double value = cpu_reduce(rounded, op);
    if (std::abs(value) < 0x1p31) mistakes.push_back({{static_cast<int>(value)}, kThroughFloats});
    return mistakes;
}

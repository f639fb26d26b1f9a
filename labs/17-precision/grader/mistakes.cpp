#include "mistakes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "precision.h"

using namespace lab;

namespace {

template <class T>
constexpr const char* kTypeName = "float";
template <>
constexpr const char* kTypeName<double> = "double";
template <>
constexpr const char* kTypeName<__half> = "half";
template <>
constexpr const char* kTypeName<__nv_bfloat16> = "bfloat16";

template <class T>
constexpr bool kIsNarrow = sizeof(T) == 2;

/// The narrow number next to x towards zero.
template <class T>
T cut(float x) {
    if constexpr (std::is_same_v<T, __half>) {
        return __float2half_rz(x);
    } else {
        return __float2bfloat16_rz(x);
    }
}

template <class T, class Formula>
std::vector<T> each(const Axpy<T>& arguments, const Formula& formula) {
    using A = Arithmetic<T>;
    std::vector<T> result;
    for (std::size_t i = 0; i < arguments.x.size(); ++i) {
        result.push_back(formula(static_cast<A>(number(arguments.x[i])),
                                 static_cast<A>(number(arguments.y[i]))));
    }
    return result;
}

/// x in degrees, and the like: a formula for a sine that nobody wants.
template <class Sine>
Floats each_sine(const Floats& x, float w, const Sine& sine) {
    Floats y;
    for (const float angle : x) y.push_back(static_cast<float>(number(w) * sine(number(angle))));
    return y;
}

Pair two_sum(float x, float y) {
    const float sum = x + y, y_part = sum - x, x_part = sum - y_part;
    return {sum, (x - x_part) + (y - y_part)};
}
Pair add(Pair x, Pair y) {
    const Pair both = two_sum(x.sum, y.sum);
    return {both.sum, both.error + (x.error + y.error)};
}

constexpr std::size_t kThreads = 256;  // as in the file that is handed out

/// The tree over the threads' pairs.
template <class Add>
Pair sum_of_block(std::span<Pair> pairs, const Add& add_pairs) {
    for (std::size_t half = pairs.size() / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) pairs[i] = add_pairs(pairs[i], pairs[i + half]);
    }
    return pairs[0];
}

/// What the kernels that are handed out make of a, with another function `add`. `second` makes the
/// second launch's elements of the blocks' pairs.
template <class Add, class Second>
Pair as_handed_out(const Floats& a, std::size_t blocks, const Add& add_pairs,
                   const Second& second) {
    std::vector<Pair> threads(blocks * kThreads);
    for (std::size_t i = 0; i < a.size(); ++i) {
        Pair& mine = threads[i % threads.size()];
        mine = add_pairs(mine, Pair{a[i], 0});
    }
    std::vector<Pair> last(kThreads);
    for (std::size_t b = 0; b < blocks; ++b) {
        Pair& mine = last[b % kThreads];
        const std::span block(threads.data() + b * kThreads, kThreads);
        mine = add_pairs(mine, second(sum_of_block(block, add_pairs)));
    }
    return sum_of_block(std::span(last), add_pairs);
}

}  // namespace

template <class T>
std::vector<KnownMistake<std::vector<T>>> mistakes_of_axpy(const Axpy<T>& arguments) {
    using A = Arithmetic<T>;
    const A a = arguments.a;
    const std::string type = kTypeName<T>;
    std::vector<KnownMistake<std::vector<T>>> mistakes;
    const auto add = [&](const auto& formula, const std::string& sentence) {
        mistakes.push_back({each(arguments, formula), sentence});
    };
    if constexpr (kIsNarrow<T>) {
        const T narrow = rounded<T>(number(a));
        const double short_a = number(narrow);
        const std::string words = "a has become a " + type +
                                  " before it was multiplied, and lost the digits that 16 bits do "
                                  "not hold. In which type "
                                  "is the arithmetic?";
        add([&](A x, A y) { return rounded<T>(short_a * number(x) + number(y)); }, words);
        add([&](A x,
                A y) { return rounded<T>(number(rounded<T>(short_a * number(x))) + number(y)); },
            words);
        add([&](A x, A y) { return rounded<T>(number(rounded<T>(number(a * x))) + number(y)); },
            "The product became a " + type +
                " before y was added, so it is rounded twice. Only the result is a " + type + ".");
        add([&](A x, A y) { return cut<T>(std::fma(a, x, y)); },
            "The results were cut off after the digits that a " + type +
                " has, not rounded to the nearest.");
        add(
            [&](A x, A y) {
                const volatile A product = a * x;
                return rounded<T>(number(product + y));
            },
            "The product a * x was rounded to float before y was added. Here the two steps must be "
            "one.");
        const auto f = [](float v) { return number(v); };
        add([&](A x, A y) { return rounded<T>(f(a * x + 0.0F * y)); },
            "y was not added: this is the product alone.");
    } else {
        add(
            [&](A x, A y) {
                const volatile A product = a * x;
                return static_cast<T>(product + y);
            },
            "The product a * x was rounded before y was added, so the result is rounded twice. "
            "Here "
            "the two steps must be one.");
        add([&](A x, A) { return static_cast<T>(a * x); },
            "y was not added: this is the product alone.");
    }
    if constexpr (std::is_same_v<T, float>) {
        add([&](A x, A y) { return static_cast<T>(number(a) * number(x) + number(y)); },
            "The arithmetic was done in double, and its result rounded once more, to float. Which "
            "type is A, and is there a constant without an F at its end?");
    }
    if constexpr (std::is_same_v<T, double>) {
        const std::string words =
            "The arithmetic was done in float: of the 53 binary digits of a double, 24 are left.";
        add(
            [&](A x, A y) {
                return number(
                    std::fma(static_cast<float>(a), static_cast<float>(x), static_cast<float>(y)));
            },
            words);
        add([&](A x, A y) { return number(static_cast<float>(std::fma(a, x, y))); }, words);
        add([&](A x, A y) { return std::fma(number(static_cast<float>(a)), x, y); },
            "a has become a float before it was multiplied, and lost half of its digits. What is "
            "its type on the way to the kernel?");
    }
    add([&](A x, A y) { return rounded<T>(number(std::fma(a, y, x))); },
        "This is a * y + x: x and y are exchanged.");
    return mistakes;
}

template std::vector<KnownMistake<std::vector<float>>> mistakes_of_axpy(const Axpy<float>&);
template std::vector<KnownMistake<std::vector<double>>> mistakes_of_axpy(const Axpy<double>&);
template std::vector<KnownMistake<Halves>> mistakes_of_axpy(const Axpy<__half>&);
template std::vector<KnownMistake<std::vector<__nv_bfloat16>>> mistakes_of_axpy(
    const Axpy<__nv_bfloat16>&);

std::optional<std::string> last_has_no_partner(const Floats& a, double got) {
    const Sum sum = cpu_sum(a);
    if (a.size() % 2 == 0 || got + number(a.back()) != sum.value) return {};
    return "The last element is missing. n is odd, so it has no partner in a __half2.";
}

std::optional<std::string> last_counts_again(const Floats& a, double got) {
    const double again = a.empty() ? 0 : (got - cpu_sum(a).value) / number(a.back());
    if (a.size() % 2 == 0 || again < 1 || again != std::floor(again)) return {};
    return "The last element, which has no partner, was added " + show_float(again + 1) +
           " times. How many threads add it?";
}

std::optional<std::string> one_of_each_pair(const Floats& a, double got) {
    double first = 0, second = 0;
    for (std::size_t i = 0; i + 1 < a.size(); i += 2) {
        first += number(a[i]);
        second += number(a[i + 1]);
    }
    // n is odd: the last element may have been added or not.
    const auto is = [&](double sum) {
        return got == sum || (a.size() % 2 == 1 && got == sum + number(a.back()));
    };
    if (a.size() < 4) return {};
    if (is(first)) return "Of each pair of elements only the first was added.";
    if (is(second)) return "Of each pair of elements only the second was added.";
    if (is(2 * first)) return "The first element of each pair was added twice, the second never.";
    if (is(2 * second)) return "The second element of each pair was added twice, the first never.";
    return {};
}

std::optional<std::string> added_as_halves(const Sum& sum, double got) {
    const double missing = sum.value - got;
    // A half loses at most half of its last digit in an addition: little, here and there. It may
    // gain as much, but gains and losses of single additions nearly cancel; a sum that stands still
    // only loses.
    const double most = missing < 0 ? 4 * std::sqrt(sum.terms) : 0.2 * sum.value;
    if (sum.terms < 1000 || missing == 0 || std::abs(missing) > most) return {};
    return "Where small elements met a large sum, they were lost, or rounded. A half has 11 binary "
           "digits: 2048 + 1 is 2048 there, and 2048 + 3 is 2052. Which additions are made in "
           "halves?";
}

std::optional<std::string> not_compensated(const Floats& a, const Evidence& e) {
    const Sum sum = cpu_sum(a);
    const double got = e.got(0);
    // Of small n each thread has one element, whatever the GPU.
    const std::size_t blocks = e.launches_known && !e.launches.empty()
                                   ? static_cast<std::size_t>(e.launches[0].blocks())
                                   : (a.size() + kThreads - 1) / kThreads;
    const auto is = [&](const Pair& pair) {
        return static_cast<double>(pair.sum + pair.error) == got;
    };
    const auto second = [](Pair x) { return x; };
    const auto plain = [](Pair x, Pair y) { return Pair{x.sum + y.sum, 0}; };
    if (is(as_handed_out(a, blocks, plain, second))) {
        return "This is the plain sum of floats, in the order in which the kernels add: nothing of "
               "what "
               "the additions lose has come through. Is the error computed, is it carried along, "
               "and does the last step use it?";
    }
    const auto ordered = [](Pair x, Pair y) {
        const float both = x.sum + y.sum;
        return Pair{both, (y.sum - (both - x.sum)) + (x.error + y.error)};
    };
    const auto reversed = [](Pair x, Pair y) {
        const float both = x.sum + y.sum;
        return Pair{both, (x.sum - (both - y.sum)) + (x.error + y.error)};
    };
    if (is(as_handed_out(a, blocks, ordered, second)) ||
        is(as_handed_out(a, blocks, reversed, second))) {
        return "The error is computed with the formula that is exact only if one of the two, "
               "always "
               "the same, is the larger one. Here either may be.";
    }
    const auto subtracts = [](Pair x, Pair y) {
        const Pair both = two_sum(x.sum, y.sum);
        return Pair{both.sum, x.error + y.error - both.error};
    };
    if (is(as_handed_out(a, blocks, subtracts, second))) {
        return "The errors have the wrong sign: what was lost must be added.";
    }
    if (is(as_handed_out(a, blocks, add, [](Pair x) { return Pair{x.sum, 0}; }))) {
        return "The second launch begins with the blocks' sums, and drops their errors.";
    }
    if (!(std::abs(got - sum.value) < 1e-3 * sum.absolute)) return {};  // another mistake
    return "Of what the additions lose, a part is missing. Is each error exact, also when a small "
           "sum "
           "meets a large element, and does each get into the result: from the loop, where two "
           "pairs meet, and in the last step?";
}

std::vector<KnownMistake<Floats>> mistakes_of_sines(const Floats& x, const Floats& w) {
    using std::numbers::pi;
    constexpr double kFloatTwoPi = 6.2831854820251465;  // the float next to 2 pi
    // In float, as the kernel has them: next to a half turn, the other neighbour may be taken.
    const auto turns_of = [](double angle) {
        return number(std::rint(static_cast<float>(angle) * 0.15915494F));
    };
    const char* const kRoundedProduct =
        "The product of the turns and 2 pi was rounded to a float before it was subtracted. fmaf "
        "keeps all of its digits.";
    return {
        {each_sine(x, w[0],
                   [&](double angle) {
                       return std::sin(angle - std::rint(angle / (2 * pi)) * kFloatTwoPi);
                   }),
         "Each whole turn that was taken off is too long by 1.7e-7: that is how far the float next "
         "to 2 pi is from 2 pi. After 100,000 turns that makes 0.017."},
        {each_sine(x, w[0],
                   [&](double angle) {
                       const double turn = 2 * kFloatTwoPi - 2 * pi;
                       return std::sin(angle - std::rint(angle / (2 * pi)) * turn);
                   }),
         "Each whole turn that was taken off is too long by 3.5e-7, twice as much as the float "
         "next to 2 pi is: has the correction the wrong sign?"},
        {each_sine(x, w[0],
                   [&](double angle) {
                       const double turns = turns_of(angle);
                       const double taken = number(static_cast<float>(turns * kFloatTwoPi));
                       return std::sin(angle - taken + turns * (kFloatTwoPi - 2 * pi));
                   }),
         kRoundedProduct},
        {each_sine(x, w[0],
                   [&](double angle) {
                       return std::sin(angle -
                                       number(static_cast<float>(turns_of(angle) * 2 * pi)));
                   }),
         kRoundedProduct},
        {each_sine(x, w[0],
                   [&](double angle) {
                       const float half_turns =
                           static_cast<float>(angle) * static_cast<float>(1 / pi);
                       return std::sin(pi * number(half_turns));
                   }),
         "x / pi was rounded to a float: of 300,000 half turns few digits are left for the part "
         "that counts."},
        {each_sine(x, w[0], [](double) { return 0.0; }),
         "Every element of y is 0, the sine of 0. The first term is that of x, and the last that "
         "of terms * x."},
        {each_sine(x, w[0], [](double angle) { return std::sin(angle * pi / 180); }),
         "These are the sines of x degrees; x is in radians."},
        {each_sine(x, w[0], [](double angle) { return std::cos(angle); }), "These are cosines."},
        {each_sine(x, w[0], [](double angle) { return -std::sin(angle); }),
         "Every sine has the wrong sign."},
    };
}

std::optional<std::string> tail_unchanged(const Evidence& e) {
    if (!e.before) return {};
    // What the right result leaves as it is may stand anywhere.
    std::size_t first_wrong = 0, changed = 0;
    while (first_wrong < e.size() && e.right[first_wrong]) ++first_wrong;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.got(i) != e.before(i)) changed = i + 1;
    }
    if (changed == 0 || changed > first_wrong) return {};
    std::size_t threads = 0;
    if (e.launches.size() == 1)
        threads = e.launches[0].blocks() * e.launches[0].threads_per_block();
    const bool too_few = changed <= threads && threads <= first_wrong;
    return "Only the first " + std::to_string(too_few ? threads : changed) + " elements of " +
           e.name + " were changed, the others are as they were before the call." +
           (too_few ? " The launch has no more threads." : "");
}

std::optional<std::string> negative_angles_are_wrong(const Floats& x, const Evidence& e) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.right[i]) continue;
        ++wrong;
        if (x[i] > 0 || !(std::abs(e.got(i) + e.expected(i)) <= 2 * e.tolerance(i))) return {};
    }
    if (wrong < 4) return {};
    return "Only angles below 0 are wrong: their sines have the other sign.";
}

std::optional<std::string> signs_are_wrong(const Evidence& e) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.right[i]) continue;
        ++wrong;
        if (!(std::abs(e.got(i) + e.expected(i)) <= 2 * e.tolerance(i))) return {};
    }
    if (wrong < 2 || wrong == e.size()) return {};
    return "Of all wrong elements only the sign is wrong. Were half turns taken off? A sine "
           "repeats "
           "after a whole turn, 2 pi.";
}

std::optional<std::string> large_angles_are_wrong(const Floats& x, const Evidence& e) {
    double right_up_to = 0, worst = 0, worst_at = 0;
    double first_wrong = INFINITY;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double size = std::abs(number(x[i]));
        if (e.right[i]) {
            right_up_to = std::max(right_up_to, size);
            continue;
        }
        first_wrong = std::min(first_wrong, size);
        const double error = std::abs(e.got(i) - e.expected(i));
        if (!(error <= worst)) {
            worst = error;
            worst_at = size;
        }
    }
    // Only rounding: a wrong formula is wrong by more, and not for large angles alone.
    if (first_wrong < std::numbers::pi || !(worst < 0.15)) return {};
    return "Angles up to " + show_float(first_wrong - 1.0 / 16) + " come out right; at " +
           show_float(worst_at) + " the sine is off by " +
           show_float(std::round(worst * 1e6) / 1e6) +
           ". The larger the angle, the fewer digits are left for the part of a turn that counts. "
           "__sinf is meant for -pi to pi.";
}

#include "mistakes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

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
        const std::string words =
            "a has become a " + type +
            " before it was multiplied, and lost the digits that 16 bits do not hold. In which type "
            "is the arithmetic?";
        add([&](A x, A y) { return rounded<T>(short_a * number(x) + number(y)); }, words);
        add([&](A x, A y) {
            return rounded<T>(number(rounded<T>(short_a * number(x))) + number(y));
        }, words);
        add([&](A x, A y) { return rounded<T>(number(rounded<T>(number(a * x))) + number(y)); },
            "The product became a " + type +
                " before y was added, so it is rounded twice. Only the result is a " + type + ".");
        add([&](A x, A y) { return cut<T>(std::fma(a, x, y)); },
            "The results were cut off after the digits that a " + type +
                " has, not rounded to the nearest.");
        const auto f = [](float v) { return number(v); };
        add([&](A x, A y) { return rounded<T>(f(a * x + 0.0F * y)); },
            "This is a * x alone: y was not added.");
    } else {
        add([&](A x, A y) {
            const volatile A product = a * x;
            return static_cast<T>(product + y);
        }, "The product a * x was rounded before y was added, so the result is rounded twice. Here "
           "the two steps must be one.");
        add([&](A x, A) { return static_cast<T>(a * x); }, "This is a * x alone: y was not added.");
    }
    if constexpr (std::is_same_v<T, float>) {
        add([&](A x, A y) { return static_cast<T>(number(a) * number(x) + number(y)); },
            "The arithmetic was done in double, and its result rounded once more, to float. Which "
            "type is A, and is there a constant without an F at its end?");
    }
    if constexpr (std::is_same_v<T, double>) {
        const std::string words =
            "The arithmetic was done in float: of the 53 binary digits of a double, 24 are left.";
        add([&](A x, A y) {
            return number(std::fma(static_cast<float>(a), static_cast<float>(x),
                                   static_cast<float>(y)));
        }, words);
        add([&](A x, A y) {
            return number(static_cast<float>(std::fma(a, x, y)));
        }, words);
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

std::optional<std::string> added_as_halves(const Sum& sum, double got) {
    if (std::isinf(got)) {
        return "The sum is infinite. The largest half is 65,504: was something added up in a half?";
    }
    const double missing = sum.value - got;
    // The elements are 1 and 2048. A half loses ones, one here and one there: at most half of its
    // last digit an addition, and two elements may be missing for another reason.
    if (sum.terms < 1000 || missing == 0 || std::abs(missing) > 0.2 * sum.value) return {};
    return "Some of the ones in a were lost, or counted twice, next to a 2048. A half has 11 binary "
           "digits: 2048 + 1 is 2048 there, and 2048 + 3 is 2052. Which additions are made in "
           "halves?";
}

std::optional<std::string> not_compensated(const Sum& sum, double got) {
    const double error = std::abs(got - sum.value);
    if (!(error < 1e-3 * sum.absolute)) return {};  // another mistake
    // Plain sums were off by at least 2^-32 of `absolute`, and with this many terms.
    if (sum.terms >= 1000 && error > 0x1p-33 * sum.absolute) {
        return "That is as far off as a plain sum of floats: what the additions lose is not in the "
               "result. Where is the error dropped: in a thread's loop, where two threads meet, or "
               "in the last step?";
    }
    return "That is nearer than a plain sum of floats, and still too far off: of what the additions "
           "lose, a part is missing. Is the error of two_sum exact for every x and y, the smaller "
           "one first, too, and is each error added?";
}

std::vector<KnownMistake<Floats>> mistakes_of_sines(const Floats& x, const Floats& w) {
    using std::numbers::pi;
    constexpr double kFloatTwoPi = 6.2831854820251465;  // the float next to 2 pi
    return {
        {each_sine(x, w[0],
                   [&](double angle) {
                       return std::sin(angle - std::rint(angle / (2 * pi)) * kFloatTwoPi);
                   }),
         "Each whole turn that was taken off is too long by 1.7e-7: that is how far the float next "
         "to 2 pi is from 2 pi. After 1,000 turns, 1.7e-4 are missing."},
        {each_sine(x, w[0], [](double angle) { return std::sin(angle * pi / 180); }),
         "These are the sines of x degrees; x is in radians."},
        {each_sine(x, w[0], [](double angle) { return std::cos(angle); }), "These are cosines."},
        {each_sine(x, w[0], [](double angle) { return -std::sin(angle); }),
         "Every sine has the wrong sign."},
        {each_sine(x, w[0],
                   [](double angle) { return std::sin(angle - std::rint(angle / pi) * pi); }),
         "Half turns were taken off, and the sign is not right any more: a sine repeats after a whole "
         "turn, 2 pi."},
    };
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
    if (first_wrong < std::numbers::pi || !(worst < 0.01)) return {};
    return "Angles up to " + show_float(first_wrong - 1.0 / 64) +
           " come out right; at " + show_float(worst_at) + " the sine is off by " +
           show_float(std::round(worst * 1e6) / 1e6) +
           ". The larger the angle, the fewer digits are left for the part of a turn that counts. "
           "__sinf is meant for -pi to pi.";
}

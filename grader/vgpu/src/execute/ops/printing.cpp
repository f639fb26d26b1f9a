// vprintf, behind device printf, and __assertfail, behind a failed assert.
#include "execute/ops/builtin_call.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace vgpu {
namespace {

/// Walks through printf's packed arguments, each aligned to its size.
class Arguments {
public:
    Arguments(const Call& call, Address at) : call_(call), at_(at) {}
    template <class T>
    T take() {
        at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        const T value = call_.value<T>(at_);
        at_ += sizeof(T);
        ++count_;
        return value;
    }
    int count() const { return count_; }
    /// Notes how much text was read for "%s", however little of it is shown.
    std::string keep(std::string text) {
        text_bytes_ += text.size();
        return text;
    }
    std::size_t text_bytes() const { return text_bytes_; }

private:
    const Call& call_;
    Address at_;
    int count_ = 0;
    std::size_t text_bytes_ = 0;
};

template <class... T>
std::string formatted(const std::string& format, T... values) {
    const int size = std::snprintf(nullptr, 0, format.c_str(), values...);
    if (size < 0) return "";
    std::string text(static_cast<std::size_t>(size) + 1, '\0');
    std::snprintf(text.data(), text.size(), format.c_str(), values...);
    text.pop_back();
    return text;
}

/// A width or precision: more than a buffer holds makes no difference, and would cost its memory.
constexpr std::int64_t kMostWidth = 1 << 20;

/// Reads a number of a format.
std::string width_at(const std::string& format, std::size_t& at) {
    std::int64_t width = 0;
    for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at)
        width = std::min(kMostWidth, 10 * width + (format[at] - '0'));
    return std::to_string(width);
}

/// One conversion of a format, "%-8.3f": what stands before the conversion's letter, and that.
struct Conversion {
    std::string flags;   // without the length, which the argument's size decides
    std::string length;  // "", h, hh, l, ll, j, z, t
    char letter = 0;
};

Conversion parse(const std::string& format, std::size_t& at, Arguments& arguments) {
    Conversion conversion;
    conversion.flags = "%";
    const auto here = [&] { return at < format.size() ? format[at] : '\0'; };
    while (here() != '\0' && std::strchr("-+ #0123456789.*", here())) {
        if (here() >= '1' && here() <= '9') {
            conversion.flags += width_at(format, at);
            continue;
        }
        if (here() == '*')
            conversion.flags += std::to_string(
                std::clamp<std::int64_t>(arguments.take<std::int32_t>(), -kMostWidth, kMostWidth));
        else
            conversion.flags += here();
        ++at;
    }
    while (here() != '\0' && std::strchr("hljztL", here())) conversion.length += format[at++];
    if (at < format.size()) conversion.letter = format[at++];
    return conversion;
}

std::string convert(const Conversion& c, const Call& call, Arguments& arguments) {
    const bool is_long = !c.length.empty() && c.length[0] != 'h';
    switch (c.letter) {
        case '%':
            return "%";
        case 'd':
        case 'i': {
            long long value =
                is_long ? arguments.take<std::int64_t>() : arguments.take<std::int32_t>();
            if (c.length == "h") value = static_cast<short>(value);
            if (c.length == "hh") value = static_cast<signed char>(value);
            return formatted(c.flags + "lld", value);
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long long value =
                is_long ? arguments.take<std::uint64_t>() : arguments.take<std::uint32_t>();
            if (c.length == "h") value = static_cast<unsigned short>(value);
            if (c.length == "hh") value = static_cast<unsigned char>(value);
            return formatted(c.flags + "ll" + c.letter, value);
        }
        case 'c':
            return formatted(c.flags + "c", arguments.take<std::int32_t>());
        case 'p':
            return formatted(c.flags + "p",
                             reinterpret_cast<void*>(arguments.take<std::uint64_t>()));
        case 's': {
            const auto at = arguments.take<std::uint64_t>();
            return formatted(c.flags + "s",
                             at == 0 ? "(null)" : arguments.keep(call.text(at)).c_str());
        }
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            return formatted(c.flags + c.letter, arguments.take<double>());
        default:  // not a conversion: shown as it stands
            return c.flags + c.length + (c.letter != 0 ? std::string(1, c.letter) : "");
    }
}

}  // namespace

Flow execute_vprintf(Warp& w, const Insn& i, Mask active) {
    Execution& execution = *w.execution;
    const std::size_t limit = execution.options.printed_limit_bytes;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const Call call(w, i, static_cast<unsigned>(__builtin_ctz(rest)));
        const std::string format = call.text(call.argument<std::uint64_t>(0));
        Arguments arguments(call, call.argument<std::uint64_t>(1));
        std::string text;
        // What no longer fits is only counted, and not for ever: a format of "%s%s%s..." may ask
        // for a megabyte with every other byte, to be shown or not.
        std::size_t written = 0;
        for (std::size_t at = 0;
             at < format.size() && written + arguments.text_bytes() <= 16 * limit;) {
            if (format[at] != '%') {
                text += format[at++];
                ++written;
                continue;
            }
            ++at;
            const Conversion conversion = parse(format, at, arguments);
            const std::string part = convert(conversion, call, arguments);
            written += part.size();
            text.append(part, 0, limit - std::min(limit, text.size()));
        }
        call.result(std::int32_t{arguments.count()});
        execution.printed.append(text);
        execution.printed.lose(written - text.size());
    }
    return Flow::next;
}

Flow execute_assertfail(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const auto lane = static_cast<unsigned>(__builtin_ctz(active));
    const Call call(w, i, lane);
    Finding finding = finding_at(w, i, Check::trap, lane);
    finding.occurrences = lane_count(active);
    const std::string file = call.text(call.argument<std::uint64_t>(1));
    const auto line = call.argument<std::uint32_t>(2);
    if (finding.where.line == 0) finding.where = {file, static_cast<int>(line)};
    finding.cause = cause::Assertion{{file, static_cast<int>(line)},
                                     call.text(call.argument<std::uint64_t>(3)),
                                     call.text(call.argument<std::uint64_t>(0))};
    report(w, std::move(finding), lane);
    w.execution->outcome = Outcome::device_assert;
    return Flow::stop;
}

}  // namespace vgpu

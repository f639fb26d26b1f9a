// Names for people. See demangle.h.
#include "decode/demangle.h"

#include <cxxabi.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace vgpu {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// At most how long a name can become, as a logarithm. What a name repeats it refers to (S2_ or
/// T0_), and each reference stands for a part of what came before, further references included. r
/// of them make the longest name in steps of three to the part just finished: 3^(r/3) times the
/// length. A pattern ("Dp") is written once for each element of a pack, which has no more than the
/// name has letters; a constructor (C1, D2) repeats one identifier. Identifiers that look like any
/// of these only make the bound larger.
double longest(std::string_view name) {
    const double length = std::log2(static_cast<double>(name.size()));
    double bits = length;
    int constructors = 0;
    for (std::size_t i = 0; i + 1 < name.size(); ++i) {
        if (name[i] == 'D' && name[i + 1] == 'p') bits += length;
        if ((name[i] == 'C' || name[i] == 'D') && is_digit(name[i + 1])) ++constructors;
        if (name[i] != 'S' && name[i] != 'T') continue;
        std::size_t end = i + 1;
        while (end < name.size() &&
               (is_digit(name[end]) || std::isupper(static_cast<unsigned char>(name[end])) != 0))
            ++end;
        if (end < name.size() && name[end] == '_') bits += std::log2(3.0) / 3;
    }
    return bits + std::log2(1 + constructors);
}

/// "lab::fill<...>" of "_ZN3lab4fillIf...": the identifiers that it begins with, or nothing.
std::string beginning(std::string_view name) {
    std::size_t at = 2;
    const bool is_nested = at < name.size() && name[at] == 'N';
    if (is_nested) ++at;
    if (at < name.size() && name[at] == 'L') ++at;
    std::string text;
    while (at < name.size() && is_digit(name[at])) {
        std::size_t size = 0;
        while (at < name.size() && is_digit(name[at]) && size < name.size())
            size = 10 * size + static_cast<std::size_t>(name[at++] - '0');
        if (size == 0 || size > name.size() - at) return "";
        if (!text.empty()) text += "::";
        text += name.substr(at, size);
        at += size;
        if (!is_nested) break;  // what follows is a parameter
    }
    if (!text.empty() && at < name.size() && name[at] == 'I') text += "<...>";
    return text;
}

std::string shortened(std::string_view name) {
    if (name.size() <= kMostNameLength) return std::string(name);
    return std::string(name.substr(0, kMostNameLength)) + "...";
}

/// The name itself of what has internal linkage, which nvcc -rdc=true marks by its file:
/// "_Z4statPi" of "__nv_static_9_SCRAMBLED_Z4statPi", where SCRAMBLED has 9 letters and a '_'.
std::string_view without_file(std::string_view name) {
    constexpr std::string_view kMark = "__nv_static_";
    if (!name.starts_with(kMark)) return name;
    std::size_t at = kMark.size(), size = 0;
    while (at < name.size() && is_digit(name[at]) && size < name.size())
        size = 10 * size + static_cast<std::size_t>(name[at++] - '0');
    at += 1 + size + 1;
    return size == 0 || at >= name.size() ? name : name.substr(at);
}

/// Without the namespaces that nvcc puts around a file's own functions and variables:
/// "_INTERNAL_93f908c1_4_a_cu_main::ns::table" -> "ns::table".
std::string without_internal(std::string text) {
    constexpr std::string_view kMark = "_INTERNAL_";
    for (std::size_t begin = 0; (begin = text.find(kMark, begin)) != std::string::npos;) {
        std::size_t end = begin + kMark.size();
        while (end < text.size() &&
               (text[end] == '_' || std::isalnum(static_cast<unsigned char>(text[end])) != 0))
            ++end;
        if (text.compare(end, 2, "::") == 0)
            text.erase(begin, end + 2 - begin);
        else
            begin = end;
    }
    return text;
}

}  // namespace

std::string demangle(const std::string& symbol) {
    const std::string name(without_file(symbol));
    if (!name.starts_with("_Z")) return shortened(name);
    constexpr double kLongestBits = 20;  // chosen: 1 MiB while the name is written out
    if (longest(name) > kLongestBits) {
        const std::string text = beginning(name);
        return shortened(text.empty() ? name : without_internal(text));
    }
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return shortened(status == 0 && text ? without_internal(text.get()) : name);
}

}  // namespace vgpu

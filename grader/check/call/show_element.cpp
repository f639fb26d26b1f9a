#include "check/call/show_element.h"

#include <fmt/format.h>

#include <cstring>

namespace lab {
namespace {

template <class T>
T read(std::span<const std::byte> bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
}

}  // namespace

std::string show_float(float value) {
    return fmt::format("{}", value);
}

std::string show_float(double value) {
    return fmt::format("{}", value);
}

std::string show_tolerance(double value) {
    return fmt::format("{:.2g}", value);
}

std::string show_element(const ElementType& type, std::span<const std::byte> bytes) {
    if (type.floating) {
        return type.size_bytes == 4 ? show_float(read<float>(bytes))
                                    : show_float(read<double>(bytes));
    }
    if (type.plural == "ints") return std::to_string(read<int>(bytes));
    if (type.plural == "unsigned ints") return std::to_string(read<unsigned>(bytes));
    if (type.plural == "bytes") return std::to_string(read<unsigned char>(bytes));
    std::string text = "bytes";
    for (const std::byte byte : bytes) text += fmt::format(" {:02x}", static_cast<unsigned>(byte));
    return text;
}

}  // namespace lab

// cudaMemset, where a value was meant: it sets bytes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "check/diagnose/diagnose.h"

namespace lab {
namespace {

/// The byte that every byte of an element is; none for 0 and for -1, which come out as they were
/// meant.
std::optional<std::uint64_t> only_byte(std::uint64_t bits, std::size_t bytes) {
    const std::uint64_t byte = bits & 0xff;
    if (byte == 0 || byte == 0xff) return std::nullopt;
    for (std::size_t k = 1; k < bytes; ++k)
        if ((bits >> 8 * k & 0xff) != byte) return std::nullopt;
    return byte;
}

std::optional<std::uint64_t> byte_of(double value, const Evidence& e) {
    if (!std::isfinite(value)) return std::nullopt;
    if (!e.floating) {
        // Beyond, a double does not hold every whole number.
        if (e.element_bytes != 4 || std::abs(value) > 0x1p32) return std::nullopt;
        return only_byte(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)), 4);
    }
    return e.element_bytes == 4
               ? only_byte(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4)
               : only_byte(std::bit_cast<std::uint64_t>(value), 8);
}

/// What all wrong elements hold, or all of them have too much, if that is one byte again and again.
template <class ValueAt>
std::optional<std::uint64_t> byte_everywhere(const Evidence& e, ValueAt value_at) {
    std::optional<std::uint64_t> byte;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.right[i]) continue;
        const auto here = e.untouched[i] ? std::nullopt : byte_of(value_at(i), e);
        if (!here || (byte && *byte != *here)) return std::nullopt;
        byte = here;
    }
    return byte;
}

}  // namespace

std::optional<std::string> bytes_set(const Evidence& e) {
    if (!e.got || !e.expected || (e.element_bytes != 4 && e.element_bytes != 8))
        return std::nullopt;
    auto byte = byte_everywhere(e, e.got);
    const bool is_start = !byte && !e.floating;
    if (is_start)
        byte = byte_everywhere(e, [&](std::size_t i) { return e.got(i) - e.expected(i); });
    if (!byte) return std::nullopt;
    const std::uint64_t repeated = *byte * (~std::uint64_t{0} / 0xff);
    const std::string value =
        !e.floating ? fmt::format("{0} ({0:#010x})", static_cast<std::uint32_t>(repeated))
        : e.element_bytes == 4
            ? fmt::format("{:g}", std::bit_cast<float>(static_cast<std::uint32_t>(repeated)))
            : fmt::format("{:g}", std::bit_cast<double>(repeated));
    return fmt::format(
        "cudaMemset sets bytes, not elements: {} whose {} bytes are all {} is {}, not {}.{} To set "
        "another value than 0, write a kernel, or copy an array.",
        !e.floating            ? "an int"
        : e.element_bytes == 4 ? "a float"
                               : "a double",
        e.element_bytes, *byte, value, *byte,
        is_start ? " Every wrong number has that much too much." : "");
}

std::optional<std::string> small_byte_set(const std::vector<OperationRecord>& operations) {
    constexpr int kMost = 9;  // larger ones are more likely meant as bytes: 0x7f for a large float
    const auto set = std::ranges::find_if(operations, [](const OperationRecord& operation) {
        return operation.set_byte >= 1 && operation.set_byte <= kMost;
    });
    if (set == operations.end()) return std::nullopt;
    const auto repeated = static_cast<std::uint32_t>(set->set_byte) * 0x01010101U;
    return fmt::format(
        "cudaMemset sets bytes, not elements: with the value {0} an int becomes {1} ({1:#010x}), "
        "and a float {2:g}. To set another value than 0, write a kernel, or copy an array.",
        set->set_byte, repeated, std::bit_cast<float>(repeated));
}

}  // namespace lab

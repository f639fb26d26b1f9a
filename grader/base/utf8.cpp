#include "base/utf8.h"

#include <algorithm>
#include <array>

namespace lab {
namespace {

struct CodeRange {
    char32_t first, last;
};

bool is_in(const auto& ranges, char32_t code) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const CodeRange& range) {
        return range.first <= code && code <= range.last;
    });
}

/// Marks that combine, joiners and selectors: the blocks that text in a program's source may have
/// (Unicode 15, general categories Mn, Me and Cf).
constexpr std::array<CodeRange, 11> kNoColumn = {{{0x0300, 0x036F},
                                                  {0x0483, 0x0489},
                                                  {0x0591, 0x05BD},
                                                  {0x064B, 0x065F},
                                                  {0x1AB0, 0x1AFF},
                                                  {0x1DC0, 0x1DFF},
                                                  {0x200B, 0x200F},
                                                  {0x20D0, 0x20FF},
                                                  {0xFE00, 0xFE0F},
                                                  {0xFE20, 0xFE2F},
                                                  {0xFEFF, 0xFEFF}}};

/// East Asian Width W and F (Unicode 15, UAX 11), by blocks.
constexpr std::array<CodeRange, 12> kTwoColumns = {{{0x1100, 0x115F},
                                                    {0x2E80, 0x303E},
                                                    {0x3041, 0x4DBF},
                                                    {0x4E00, 0xA4CF},
                                                    {0xAC00, 0xD7A3},
                                                    {0xF900, 0xFAFF},
                                                    {0xFE30, 0xFE6F},
                                                    {0xFF01, 0xFF60},
                                                    {0xFFE0, 0xFFE6},
                                                    {0x1F300, 0x1F64F},
                                                    {0x1F680, 0x1FAFF},
                                                    {0x20000, 0x3FFFD}}};

/// The character at the start of `text`: its bytes (at least 1), and its columns.
struct Cell {
    std::size_t bytes, columns;
};

Cell first_cell(std::string_view text) {
    const std::size_t length = utf8_length(text);
    if (length < 2) return {1, 1};
    const char32_t code = utf8_code_point(text);
    if (is_in(kNoColumn, code)) return {length, 0};
    return {length, is_in(kTwoColumns, code) ? std::size_t{2} : std::size_t{1}};
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto in = [](unsigned value, unsigned low, unsigned high) {
        return low <= value && value <= high;
    };
    const auto tail = [&](std::size_t i) { return in(byte(i), 0x80, 0xBF); };
    const unsigned first = byte(0), second = byte(1);
    if (first < 0x80) return 1;
    if (in(first, 0xC2, 0xDF)) return tail(1) ? 2 : 0;
    if (in(first, 0xE0, 0xEF)) {
        const bool good = in(second, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
        return good && tail(2) ? 3 : 0;
    }
    if (in(first, 0xF0, 0xF4)) {
        const bool good = in(second, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
        return good && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}

char32_t utf8_code_point(std::string_view text) {
    const std::size_t length = utf8_length(text);
    constexpr std::array<unsigned, 5> kMask = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t code = static_cast<unsigned char>(text[0]) & kMask[length];
    for (std::size_t i = 1; i < length; ++i)
        code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
    return code;
}

std::size_t display_width(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const Cell cell = first_cell(text);
        columns += cell.columns;
        text.remove_prefix(cell.bytes);
    }
    return columns;
}

std::string cut_to_width(std::string_view text, std::size_t columns) {
    if (display_width(text) <= columns) return std::string(text);
    constexpr std::string_view kCut = "...";
    const std::size_t room = columns - std::min(columns, kCut.size());
    std::size_t bytes = 0, used = 0;
    while (bytes < text.size()) {
        const Cell cell = first_cell(text.substr(bytes));
        if (used + cell.columns > room) break;
        used += cell.columns;
        bytes += cell.bytes;
    }
    return std::string(text.substr(0, bytes)) + std::string(kCut.substr(0, columns - used));
}

std::string padded(std::string_view text, std::size_t columns) {
    const std::size_t width = display_width(text);
    return std::string(text) + std::string(columns - std::min(columns, width), ' ');
}

}  // namespace lab

// Parses nvcc's output: the messages of its front end (cudafe++, cicc) and of g++, which it runs
// for the host's code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct NvccMessage {
    enum class Severity { error, warning, note };
    Severity severity{};
    std::string file;                  ///< as nvcc names it; empty: no place
    int line = 0;                      ///< 0: not known
    std::string head;                  ///< the first line as it came: place, severity, text
    std::string text;                  ///< the message, in one line
    std::vector<std::string> remarks;  ///< further lines: types of operands, instantiations
    std::string code;                  ///< the line of code that is quoted; empty: none
    std::string caret;                 ///< the line with the ^ under it
};

/// The messages in their order, without lines before the first message and without nvcc's totals.
/// Bounded: cuts long lines, and reads only the first of very many messages.
std::vector<NvccMessage> parse_nvcc(std::string_view output);

/// The line, cut to a readable length (chosen: 300 bytes; nvcc quotes lines of any length).
std::string cut_line(std::string_view line);

}  // namespace lab

// Explains nvcc's commonest messages to the author of a first kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nvcc/messages.h"

namespace lab {

/// The usual cause of message `at` of `all`, in one line; empty if unknown. `source` is the text of
/// the message's file, if known. It explains the language, never the lab's task.
std::string nvcc_explanation(const std::vector<NvccMessage>& all, std::size_t at,
                             std::string_view source);

}  // namespace lab

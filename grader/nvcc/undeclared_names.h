// Names that nvcc does not know: what the author may have meant.
#pragma once

#include <string>
#include <string_view>

#include "nvcc/messages.h"

namespace lab {

/// A name that is declared nowhere before the message's line, in one sentence.
std::string explain_undeclared(const std::string& name, const NvccMessage& message,
                               std::string_view source);

/// The header of the C++ library that declares it, for what beginners use; empty: not known.
std::string header_of(const std::string& name);

/// The name of CUDA's that a word is a slip for; empty: none.
std::string nearest_cuda_name(const std::string& word);

}  // namespace lab

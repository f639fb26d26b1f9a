// Tells which library an instruction comes from, by line information or names of functions.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "state/code.h"

namespace vgpu {

/// Whether the instruction was written in a file whose path has one of these parts or, where no
/// line tells, is in a function whose mangled name has one of those.
bool is_written_in(const Image&, std::uint32_t pc, std::initializer_list<const char*> files,
                   std::initializer_list<const char*> functions);
bool from_cooperative_groups(const Image&, std::uint32_t pc);

}  // namespace vgpu

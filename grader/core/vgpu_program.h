// Tells from a program's file alone whether the virtual GPU can run it, and if not, what to change.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/elf.h"

namespace lab {

/// What stands in the way of the program in `file`, which the user knows as `shown`; nothing when
/// nothing is known to. `runtime` is the library that we stand in for: "libcudart.so.13".
std::optional<std::string> vgpu_obstacle(std::span<const std::byte> file, const std::string& shown,
                                         const std::string& runtime);

}  // namespace lab

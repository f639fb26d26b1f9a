// Finds out from a program's file alone whether the virtual GPU can run it, and if not, what to
// change.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/vgpu/elf.h"

namespace lab {

/// The reason why the program in `file`, which the user knows as `shown`, cannot run; nothing if no
/// reason is known. `runtime` is the library that ours replaces: "libcudart.so.13"; the folder
/// `stand_ins` has those that replace others.
std::optional<std::string> vgpu_obstacle(std::span<const std::byte> file, const std::string& shown,
                                         const std::string& runtime,
                                         const std::filesystem::path& stand_ins);

}  // namespace lab

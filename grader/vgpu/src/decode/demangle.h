// Names as the student wrote them.
#pragma once

#include <cstddef>
#include <string>

namespace vgpu {

/// What is longer ends in "...". (Chosen: no one reads further, and each record of a launch has its
/// kernel's name.)
inline constexpr std::size_t kMostNameLength = 4096;

/// "add(float*)" for "_Z3addPf". What is not mangled, as extern "C" names are, stays: a variable x
/// is no "long long". Of a name that refers to its own parts so often that it might fill the
/// memory, what it begins with: "cub::transform_kernel<...>". What nvcc adds to the names of a
/// file's own functions and variables is left out.
std::string demangle(const std::string& symbol);

}  // namespace vgpu

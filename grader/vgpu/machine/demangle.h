// Names as the student wrote them.
//
// Interface: demangle.
#pragma once

#include <string>

namespace vgpu {

/// "add(float*)" for "_Z3addPf". What is not mangled, as extern "C" names are, stays: a variable x
/// is no "long long".
std::string demangle(const std::string& name);

}  // namespace vgpu

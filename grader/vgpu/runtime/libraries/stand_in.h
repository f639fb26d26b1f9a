// Stands in for NVIDIA's libraries that need a real GPU, so that programs which use them start:
// what a handle needs works, all else fails and is reported as missing.
//
// Each library has all functions of NVIDIA's as weak ones that fail (stand_in.cpp), and in a file
// of its own (cublas.cpp) those that work.
#pragma once

namespace vgpu::stand_in {

/// Reports that `function` of the library is missing; what it returns then.
int missing(const char* function);

}  // namespace vgpu::stand_in

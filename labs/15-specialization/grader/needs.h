// What the kernels of a submission need, as NVIDIA's assembler reports it, and what that says about
// how they were written.
#pragma once

#include <string>
#include <vector>

#include "check/check.h"

using Kernels = std::vector<lab::CompiledKernel>;

/// The kernels whose names begin with this.
Kernels kernels_named(const std::string& beginning);
/// The kernels of these launches, each once. Empty on a GPU, where launches are not known.
Kernels kernels_of(const std::vector<lab::LaunchRecord>& launches);

/// Bytes of a thread: arrays and spilled registers.
bool uses_local(const vgpu::Needs& needs);

/// With this many registers, 2048 threads fit on a multiprocessor that has 65,536.
constexpr unsigned kLightRegisters = 32;

/// Why the kernels that a call without kSpread launched, `light`, are not light; empty if they are.
/// `heavy`: those with kSpread.
std::string why_not_light(const Kernels& light, const Kernels& heavy);
/// The same where launches are not known, of all kernels of `run`: one at least must be light.
std::string why_none_light(const Kernels& all);

/// Why one of these kernels uses local memory; empty if none does.
std::string why_local(const Kernels& kernels);

/// Whether suspect_0, suspect_1, ... of the submission uses local memory. Of one that is no longer
/// in the file: whether it did with nvcc 13.
bool suspect_uses_local(int suspect);

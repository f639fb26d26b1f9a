// Per-thread default streams (nvcc --default-stream per-thread) call variants of the same
// functions, named ..._ptds and ..._ptsz. Here all work is done at once and in order, so they are
// the same.
//
// Interface: VGPU_ALIAS.
#pragma once

#define VGPU_ALIAS(variant, function) \
    extern "C" decltype(function) variant __attribute__((alias(#function)))

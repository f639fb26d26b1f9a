// A recorded launch for tests: two warps of a block put a[t] into s[t], and warp 0 adds s[t + 32]
// with no barrier in between.
//
//   step 0  warp 0  line 3  load   a[0..31]
//        1  warp 0  line 3  store  s[0..31]
//        2  warp 0  line 4  load   s[32..63]    the mistake: warp 1 has not written them
//        3  warp 0  line 4  store  s[0..31]
//        4  warp 1  line 3  load   a[32..59]    28 lanes: a has 60 elements
//        5  warp 1  line 3  store  s[32..59]    the other side
//        6  warp 1  line 5  wait
//        7  warp 0  line 5  wait
//        8  warp 0  line 5  go_on
//        9  warp 1  line 5  go_on
//       10  warp 0  line 6  store  out[0]       lane 0
//       11  warp 0          leave
//       12  warp 1          leave
#pragma once

#include "step/stepped_run.h"

namespace lab {

inline constexpr vgpu::Address kTestA = vgpu::kWindowBegin, kTestOut = vgpu::kWindowBegin + 0x1000,
                               kTestShared = 0x1000'0000'0000;
inline constexpr const char* kTestSource =
    "__global__ void sum(const float* a, float* out) {\n"
    "    __shared__ float s[64];\n"
    "    s[t] = a[t];\n"
    "    if (t < 32) s[t] += s[t + 32];\n"
    "    __syncthreads();\n"
    "    if (t == 0) *out = s[0];\n"
    "}\n";

/// a[i] = i; what s and out get is right for the steps above.
SteppedRun test_run();

/// The finding that belongs to it: step 2 reads what step 5 writes.
vgpu::RecordedFinding test_race();

}  // namespace lab

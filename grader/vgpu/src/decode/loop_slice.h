// Finds what decides whether a loop goes on: a slice of the program backwards from its exits.
#pragma once

namespace vgpu {

struct Image;
struct Scope;

// If those registers hold the same after another round, and nobody wrote memory meanwhile, then the
// next round is the same again, and the loop never ends:
//
//     while (*flag == 0) ++looks;      flag, *flag: looks does not matter
//     while (i < n) sum += a[j++];     i, n
//
// (execute/livelock_detector.h compares them.) Where memory decides, what the loop itself stores
// belongs to the slice, too. Loops that call functions or meet other warps at a barrier have no
// slice, and long ones neither: those are at work.

/// Adds the loops of a function to Image::loops.
void find_loop_slices(Image&, const Scope&);

}  // namespace vgpu

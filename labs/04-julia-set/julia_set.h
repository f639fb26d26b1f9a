// Contract of lab 04: the two functions that julia_set.cu defines and the grader calls.
//
// An image of dim x dim pixels shows the square from -scale to scale of the complex plane, seen
// from above: row 0 is the top one, with the largest imaginary parts. The pixel in column x of row
// y stands for the point in its middle, z = re + i im. The formula, which holds for odd dim as
// well:
//
//     re = scale * (2 * x + 1 - dim) / dim          0 <= x < dim, from left to right
//     im = scale * (dim - 1 - 2 * y) / dim          0 <= y < dim, from top to bottom
//
// Both quotients are floats: no integer is divided by an integer. In memory the pixel has the index
// y * dim + x. Its count is the number of steps that the orbit of z survives:
//
//     at most julia_max_steps times:  replace z by z*z + c;
//                                     if |z|^2 > julia_bound, the step is not survived: stop
//
// So a count is 0 to julia_max_steps, and the pixel is a member if it is julia_max_steps. The sums
// may be rounded in any order and fused as the compiler likes.
#pragma once

#include "protocol/contract.h"

constexpr float julia_c_re = -0.8F, julia_c_im = 0.156F;  ///< c
constexpr float julia_bound = 1000;                       ///< of |z|^2 = re*re + im*im
constexpr int julia_max_steps = 200;

/// counts[y * dim + x] = count of the pixel in column x of row y, computed by a kernel.
///
/// counts is a device pointer to dim * dim ints. 0 <= dim <= 32768; with dim = 0 nothing happens,
/// and no CUDA error is left behind. 0 < scale <= 100. The kernel may still be running when the
/// function returns: the caller synchronizes.
LAB_FUNCTION(void, launch_julia_set, (int* counts, int dim, float scale),
             lab::device_out("counts", "dim * dim"), lab::value("dim"), lab::value("scale"))

/// The same counts in ordinary host memory, and member[i] = 1 where counts[i] is julia_max_steps, 0
/// elsewhere. Allocates device memory, computes, copies both images back, and frees all memory that
/// it allocated.
///
/// member and counts are host pointers to dim * dim elements each. 0 <= dim <= 32768, 0 < scale <=
/// 100. When the function returns, both images are complete.
LAB_FUNCTION(void, julia_set, (int* member, int* counts, int dim, float scale),
             lab::host_out("member", "dim * dim"), lab::host_out("counts", "dim * dim"),
             lab::value("dim"), lab::value("scale"))

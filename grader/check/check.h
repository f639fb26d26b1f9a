// The one header that a grader.cpp includes. A grader is a Catch2 program that reads as the lab's
// specification:
//
//   #include "check/check.h"
//   #include "vector_add.h"
//   using namespace lab;
//
//   TEST_CASE("launch_vector_add: every element is right",
//             "[correctness][task:1][points:4][id:elements]") {
//       const int n = GENERATE(1, 31, 32, 33, 255, 256, 257, 1000, 1 << 20);
//       const auto a = random_floats(n), b = random_floats(n);
//       const auto call = submission().call<launch_vector_add>(a, b, out, n);
//       CHECK_THAT(call.output(), equals(cpu_add(a, b)).or_diagnose(indexing_mistakes));
//   }
//
//   TEST_CASE("launch_vector_add: at least 0.45x the reference",
//             "[speed][task:2][points:3][needs:elements]") {
//       const auto speed = time_against_reference<launch_vector_add>(
//           {.gpu = 1 << 26, .vgpu = 1 << 20},
//           [](int n) { return std::tuple(random_floats(n), random_floats(n), out, n); },
//           [](const auto& a, const auto& b, auto...) { return equals(cpu_add(a, b)); });
//       CHECK_THAT(speed, at_least(0.45));
//   }
//
// Arguments follow the contract, one for each parameter: `in` pointers take a vector or span, `out`
// pointers take the tag `out` (their size comes from the contract), scratch memory the tag
// `scratch`, `in_out` pointers a vector (what it holds before the call), values take values.
// Pitched memory is passed and returned without its padding.
//
// A call that crashes, hangs, writes outside its memory, changes an input, leaves a CUDA error
// behind or is reported by the virtual GPU fails the test by itself, in words for the student;
// graders check only what the function is for.
//
// Cases that test nothing, and are run by ./lab picture and ./lab bench alone, fill tables that
// gnuplot draws: check/output/table.h, check/bench.h.
//
// Tags: one of [correctness] [speed] [robustness]; [task:N]; [points:N]; [id:NAME] names a test;
// [needs:NAME] gives no points unless that test passed (for all that a do-nothing function passes).
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include "check/bench.h"
#include "check/call/inputs.h"
#include "check/diagnose/diagnose.h"
#include "check/diagnose/image.h"
#include "check/matchers.h"
#include "check/output/table.h"
#include "check/ranges.h"
#include "check/session/compiled_kernels.h"
#include "check/session/device_limits.h"
#include "check/session/leaks.h"
#include "check/speed_against_reference.h"
#include "check/submission.h"
#include "check/sums/sum.h"

// A grading at a glance: one line for the whole, and one for each test.
#pragma once

#include "core/results.h"
#include "report/lines.h"
#include "report/style.h"

namespace lab {

/// "Lab 05  Matrix product with shared memory    5 / 10 points    virtual GPU"
std::string heading_line(const Grading& grading, const TextStyle& style);

/// A line a test: how it went, its name, a word more, and its points.
///
///       ok     vector_add: there and back                            2 / 2
///       FAIL   vector_add: any number of elements    same cause?     0 / 2
///       to do  vector_add: frees all its device memory    task 3     0 / 1
///
/// A test whose task is not begun is to do; "-" was not run, "ok?" is inconclusive.
Lines verdict_table(const Grading& grading, const TextStyle& style);

/// Whether two failed tests most likely have one cause: the same kind of finding in the same lines,
/// the same diagnosis, or the same words for what happened.
bool has_same_cause(const TestResult& one, const TestResult& other);

}  // namespace lab

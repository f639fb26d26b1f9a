// Shows a grading at a glance: one line for the whole, and one per test.
#pragma once

#include "core/results.h"
#include "report/lines.h"
#include "report/style.h"

namespace lab {

/// "Lab 05  Matrix product with shared memory    5 / 10 points    virtual GPU". The device is
/// "virtual GPU, without a sandbox" if the submission had none.
std::string heading_line(const Grading& grading, const TextStyle& style);

/// What a weak sandbox means for the result, in a sentence or two; empty: it was a strong one.
std::string isolation_remark(const Checked& checked);

/// One line per test: its verdict, its name, a note, and its points.
///
///       ok     vector_add: there and back                            2 / 2
///       FAIL   vector_add: any number of elements    same cause?     0 / 2
///       to do  vector_add: frees all its device memory    task 3     0 / 1
///
/// "to do": the test's task is not begun; "-": not run; "ok?": inconclusive.
Lines verdict_table(const Grading& grading, const TextStyle& style);

/// The same with one line for tests in a row that passed, or that are not begun or not run: where a
/// screen has no room for all.
///
///       ok     3 tests                               5 / 5
Lines short_verdict_table(const Grading& grading, const TextStyle& style);

/// Whether two failed tests probably have one cause: the same kind of finding in the same lines,
/// the same diagnosis, or the same message.
bool has_same_cause(const TestResult& one, const TestResult& other);

}  // namespace lab

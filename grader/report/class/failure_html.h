// One failure on a student's page: the mistake, the lines, the input, the values.
#pragma once

#include "report/class/feedback.h"
#include "report/markup/html.h"

namespace lab {

/// `grading` is that of the failure's test.
Html failure_html(const TestFailure& failure, const Grading& grading);

}  // namespace lab

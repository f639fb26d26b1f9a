// A speed test on a page: the ratio on a scale with its threshold, and what it was made of.
#pragma once

#include "core/results.h"
#include "report/markup/html.h"

namespace lab {

Html speed_html(const TestResult& test, const SpeedResult& speed);

}  // namespace lab

// What lateness costs, by the rules of the course.
#pragma once

#include <string>

#include "batch/class.h"

namespace lab {

struct Lateness {
    double hours = 0;    ///< after the due date; 0: in time
    double percent = 0;  ///< of the points earned, deducted
};

/// The student's own due date (an extension) comes before the lab's. In time: without a due date,
/// or a known time of submission.
Lateness lateness_of(const Policy& policy, const Attempt& attempt);

}  // namespace lab

// A fault that is ours or the machine's: ends the grading with exit code 5, and is never shown as
// the student's.
#pragma once

#include <stdexcept>

namespace lab {

/// what(): what happened, and what the maintainer should look at.
class GraderFault : public std::runtime_error {
    using runtime_error::runtime_error;
};

/// A process was ended from outside. Nothing is known of the submission, and another try may give a
/// verdict.
class EndedFromOutside : public GraderFault {
    using GraderFault::GraderFault;
};

}  // namespace lab

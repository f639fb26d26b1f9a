// Where and how calls are made: what explanations need to know of the grading.
#pragma once

#include <string>

namespace lab {

struct CallSetting {
    bool vgpu = true;
    double limit_s = 10;                      ///< that a call may take
    std::string display_source, real_source;  ///< the student's file
    std::string runner{};                     ///< the program that the submission is in
};

}  // namespace lab

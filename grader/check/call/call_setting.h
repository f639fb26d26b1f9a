// Where and how calls are made: what explanations need to know of the grading.
#pragma once

#include <string>

namespace lab {

struct CallSetting {
    bool vgpu = true;
    double limit_s = 10;                      ///< that a call may take
    std::string display_source, real_source;  ///< the student's file
    std::string runner{};                     ///< the program that the submission is in
    /// Where real_source is to be read, if it was compiled on another machine; else empty.
    std::string source_text{};

    const std::string& readable_source() const {
        return source_text.empty() ? real_source : source_text;
    }
};

}  // namespace lab

// A part of a grading's time, from the checker to whoever shows it.
#pragma once

#include <string>

namespace lab {

struct TimeShare {
    std::string what;
    double seconds = 0;
};

}  // namespace lab

// A line of the student's file.
#pragma once

#include <string>

namespace lab {

struct Place {
    std::string file;
    int line = 0;  ///< 0: not known
};

}  // namespace lab

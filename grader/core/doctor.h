// Checks everything that grading needs from this machine, and names the remedy for anything
// missing.
#pragma once

#include <string>
#include <vector>

#include "core/course/project.h"

namespace lab {

struct Symptom {
    enum class State { good, note, bad };  ///< bad: grading does not work
    std::string what;                      ///< "nvcc"
    State state = State::good;
    std::string found;   ///< "13.0.88, /usr/local/cuda/bin/nvcc"
    std::string remedy;  ///< empty when good
};

const char* to_string(Symptom::State state);

std::vector<Symptom> examine(const Project& project);

}  // namespace lab

// Helpers of this folder's tests.
#pragma once

#include <fmt/format.h>

#include <string>

#include "batch/class.h"

namespace lab {

inline Attempt handed_in(const std::string& student, const std::string& sha256,
                         const std::string& problem = "") {
    Attempt attempt;
    attempt.student = student;
    attempt.lab = "02-vector-add";
    attempt.sha256 = sha256;
    attempt.file = "/store/" + sha256 + "/vector_add.cu";
    attempt.problem = problem;
    return attempt;
}

/// The lines of a grading that did not build.
inline std::string lines_of_grading(const std::string& sha256) {
    return fmt::format(
        R"({{"type":"grading","lab":"02-vector-add","title":"t","file":"vector_add.cu","sha256":"{}","untouched":false,"tasks":[],"device":"vgpu","device_name":"virtual GPU","device_why":"","seed":"7","only_tests":"","toolkit":"13","time":"2026-11-20T12:00:00Z"}})"
        "\n"
        R"({{"type":"build","ok":false,"message":"no","kept":false}})"
        "\n"
        R"({{"type":"total","seconds":{{"nvcc":1,"check":1,"all":1}}}})"
        "\n",
        sha256);
}

}  // namespace lab

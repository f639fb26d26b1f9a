// What a student gets who has full marks, on a terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/style.h"
#include "review/comparison.h"
#include "review/review_notes.h"

namespace lab {

/// A call of one function.
struct ReviewedCall {
    std::string function;
    std::string call;  ///< "matmul_tiled(m = 1476, k = 64, n = 1500)"
    Comparison comparison;
    /// Medians, in milliseconds, of the latest grading on a GPU.
    std::optional<double> submission_ms, reference_ms;
};

struct Review {
    std::string title;  ///< "Lab 05  Matrix product with shared memory"
    std::string gpu;    ///< the one modelled
    std::vector<ReviewedCall> calls;
    std::string surprise;  ///< may be empty
    ReviewNotes notes;
    std::string next_title;  ///< of the next lab; empty: this is the last
    std::string page;        ///< the file with both sources, as to be typed
};

/// Short: of the questions the first; the rest is on the page (review_page.h).
std::string review_text(const Review&, const TextStyle&);

}  // namespace lab

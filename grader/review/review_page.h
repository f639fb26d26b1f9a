// The same as a page: both programs side by side, the answers, and a picture of what comes next.
#pragma once

#include <map>
#include <string>

#include "review/next_picture.h"
#include "review/review_text.h"

namespace lab {

/// A program, with what each of its lines costs.
struct ReviewedSource {
    std::string name;  ///< "yours"
    std::string text;  ///< empty: not shown; `note` says why
    std::string note;
    std::map<int, double> shares;  ///< by line: of the cost of all lines (line_shares())
};

/// The cost of each line of one file, of all that the kernels cost.
std::map<int, double> line_shares(const std::vector<KernelProfile>& kernels,
                                  const std::string& file);

std::string review_page(const Review&, const ReviewedSource& submission,
                        const ReviewedSource& reference, const NextPicture& next);

}  // namespace lab

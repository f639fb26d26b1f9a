// Words a class's similar submissions for the instructor: who to compare, not who has copied.
#pragma once

#include <vector>

#include "report/markup/html.h"
#include "report/similarity/similarity.h"

namespace lab {

/// A section of the instructor's page; empty if nothing was compared.
Html similar_pairs_html(const std::vector<LabSimilarity>& labs);

}  // namespace lab

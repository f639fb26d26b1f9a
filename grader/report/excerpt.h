// Quotes the lines of source where a failure happened, as a compiler does.
#pragma once

#include <string_view>
#include <vector>

#include "core/results.h"
#include "report/lines.h"
#include "report/style.h"

namespace lab {

/// The places in order of their lines, each line once, with a caret and a label below it:
///
///       labs/02-vector-add/vector_add.cu:35
///         35 |     c[i] = a[i] + b[i];
///            |            ^ thread 232 of block 3 reads just past the end of a
///
/// The caret is under the array's name if the line has it. `source` is the text of the file that
/// gradings call `file`; a place in another file is only named. Empty without places.
Lines source_excerpt(const std::vector<MarkedPlace>& places, const std::string& file,
                     std::string_view source, const TextStyle& style);

}  // namespace lab

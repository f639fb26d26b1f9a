// A submission's source on a page, with the lines marked where a failure happened.
#pragma once

#include <string_view>
#include <vector>

#include "core/results.h"
#include "report/markup/html.h"

namespace lab {

/// The marked lines with some around each, and the event below its line. `file` is what gradings
/// call the submission; a place in another file is only named. Empty without places.
Html excerpt_html(const std::vector<MarkedPlace>& places, const std::string& file,
                  std::string_view source);

/// All lines, the places of all failures marked. The beginning of a very long file.
Html source_html(const std::vector<MarkedPlace>& places, const std::string& file,
                 std::string_view source);

/// The places of a failure: its `places`, or else its `place`.
std::vector<MarkedPlace> places_of(const TestResult& test);

}  // namespace lab

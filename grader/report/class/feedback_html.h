// Feedback as one page that needs nothing else.
#pragma once

#include <string>

#include "report/class/feedback.h"

namespace lab {

std::string feedback_html(const Feedback& feedback);

}  // namespace lab

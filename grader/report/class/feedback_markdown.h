// Feedback as Markdown: for a comment in a learning system, an issue, or a mail.
#pragma once

#include <string>

#include "report/class/feedback.h"

namespace lab {

std::string feedback_markdown(const Feedback& feedback);

}  // namespace lab

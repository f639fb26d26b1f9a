// Steps through a page's recordings on the terminal.
#pragma once

#include "cli/session.h"
#include "step/stepper_page.h"

namespace lab::cli {

/// Whether stdin and stdout are a terminal that can be drawn on.
bool can_step_on_terminal();

/// Until the user quits. Returns the signal that ended it, or 0.
int step_on_terminal(const Session& session, const StepperPage& page);

}  // namespace lab::cli

// Signal handlers write the cause of a crash to the status page, so that the checker can name a
// crash that leaves no reply. Hints only; see protocol/messages.h.
#pragma once

#include "protocol/messages.h"

namespace lab::runner {

/// The shared status page, mapped at the first call.
StatusPage& status_page();

/// Installs the handlers on their own stack, so that a stack overflow is reported, too.
void watch_signals();

/// From here on execve, and signals to other processes, raise SIGSYS. (Starting this program needs
/// the first, so the sandbox's filter cannot refuse it.)
void refuse_new_programs();

}  // namespace lab::runner

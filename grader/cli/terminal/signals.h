// Signals of a program that has the terminal to itself: they must not end it before it has given
// the terminal back.
#pragma once

#include "base/descriptor.h"

namespace lab::cli {

/// From now on the signals that end or stop a program, and SIGWINCH, come through the descriptor, a
/// signalfd that never blocks.
Descriptor signals_as_file();

/// Stops this process as Ctrl-Z stops any program. Returns when it goes on.
void stop_here();

/// Ends this program as the signal would have: shells, and loops in them, go by that.
void die_of(int signal);

}  // namespace lab::cli

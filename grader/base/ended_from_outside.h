// Programs that an operator or the kernel ended: what they did until then proves nothing.
#pragma once

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <string>

namespace lab {

/// The signal from outside that ended a program, one that neither programs nor our limits raise; 0
/// if the exit code (128 + N for signal N) shows none.
inline int signal_from_outside(int exit_code) {
    const int signal = exit_code - 128;
    const bool is_one =
        signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
    return is_one ? signal : 0;
}

/// A sentence, after the program's name, for a program that such a signal ended.
inline std::string ended_from_outside(int signal) {
    return fmt::format(
        "was ended from outside (signal {}, {}): by an operator, or because the machine ran out of "
        "memory.",
        signal, strsignal(signal));
}

}  // namespace lab

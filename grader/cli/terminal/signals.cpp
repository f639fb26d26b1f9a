#include "cli/terminal/signals.h"

#include <signal.h>
#include <sys/signalfd.h>

#include <array>

namespace lab::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};

sigset_t set_of(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    return set;
}

}  // namespace

Descriptor signals_as_file() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : kSignals) sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    return Descriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

void stop_here() {
    const sigset_t set = set_of(SIGTSTP);
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    sigprocmask(SIG_BLOCK, &set, nullptr);
}

void die_of(int signal) {
    const sigset_t set = set_of(signal);
    ::signal(signal, SIG_DFL);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace lab::cli

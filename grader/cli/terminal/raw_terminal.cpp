// The state is global because a handler of a fatal signal needs it. The handler makes only calls
// that POSIX allows in handlers.

#include "cli/terminal/raw_terminal.h"

#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <array>

namespace lab::cli {
namespace {

constexpr std::array kFatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};

int terminal = -1;
termios as_it_was;
volatile sig_atomic_t is_raw = 0;
std::array<struct sigaction, kFatal.size()> actions_before;

/// A process in the background must not touch the terminal: the shell has it, with its own
/// settings.
void restore_terminal() {
    if (is_raw == 0) return;
    is_raw = 0;
    if (tcgetpgrp(terminal) != getpgrp()) return;
    tcsetattr(terminal, TCSADRAIN, &as_it_was);
}

void restore_and_die(int signal) {
    restore_terminal();
    for (std::size_t i = 0; i < kFatal.size(); ++i)
        if (kFatal[i] == signal) sigaction(signal, &actions_before[i], nullptr);
    raise(signal);  // takes effect when this handler returns
}

}  // namespace

RawTerminal::RawTerminal(int descriptor) {
    terminal = descriptor;
    for (std::size_t i = 0; i < kFatal.size(); ++i) {
        struct sigaction action {};
        action.sa_handler = restore_and_die;
        sigaction(kFatal[i], &action, &actions_before[i]);
    }
    take();
}

RawTerminal::~RawTerminal() {
    give_back();
    for (std::size_t i = 0; i < kFatal.size(); ++i)
        sigaction(kFatal[i], &actions_before[i], nullptr);
    terminal = -1;
}

void RawTerminal::give_back() {
    restore_terminal();
}

void RawTerminal::take() {
    if (is_raw != 0 || tcgetattr(terminal, &as_it_was) != 0) return;
    termios raw = as_it_was;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    is_raw = 1;
    tcsetattr(terminal, TCSADRAIN, &raw);
}

}  // namespace lab::cli

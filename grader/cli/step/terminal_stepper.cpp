#include "cli/step/terminal_stepper.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>

#include "cli/terminal.h"
#include "cli/terminal/raw_terminal.h"
#include "cli/terminal/signals.h"
#include "step/step_screen.h"
#include "step/stepper.h"

namespace lab::cli {
namespace {

class TerminalStepper {
public:
    TerminalStepper(const Session& session, const StepperPage& page)
        : session_(session),
          page_(page),
          stepper_(page),
          signals_(signals_as_file()),
          raw_(STDIN_FILENO) {}

    int run() {
        draw();
        while (!is_over_) {
            std::array<pollfd, 2> polled{{{signals_.get(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}}};
            if (poll(polled.data(), polled.size(), -1) < 0) continue;
            if (polled[0].revents != 0) handle_signals();
            if (polled[1].revents != 0 && !is_over_) read_keys();
        }
        session_.say_painted("\n");
        return ended_by_;
    }

private:
    void draw() {
        const TextStyle style = text_style(terminal_of_stdout(), process_environment());
        std::string screen = "\x1b[H\x1b[2J";
        Lines lines = step_screen(page_, stepper_.position(), style, stepper_.notice());
        lines.resize(style.height - 1);  // the keys are always in the last line
        for (const std::string& line : lines) screen += line + "\n";
        session_.say_painted(screen + stepper_.key_line().substr(0, style.width));
    }

    void handle_signals() {
        signalfd_siginfo info{};
        while (read(signals_.get(), &info, sizeof info) == sizeof info) {
            switch (const int signal = static_cast<int>(info.ssi_signo)) {
                case SIGTSTP:
                    raw_.give_back();
                    session_.say_painted("\n");
                    stop_here();
                    [[fallthrough]];
                case SIGCONT:
                    raw_.take();
                    [[fallthrough]];
                case SIGWINCH:
                    draw();
                    break;
                default:
                    ended_by_ = signal;
                    is_over_ = true;
                    return;
            }
        }
    }

    void read_keys() {
        std::array<char, 256> bytes{};
        const ssize_t got = read(STDIN_FILENO, bytes.data(), bytes.size());
        if (got <= 0) {  // the terminal is gone
            is_over_ = true;
            return;
        }
        for (const StepKey key : keys_in({bytes.data(), static_cast<std::size_t>(got)})) {
            if (key == StepKey::quit) is_over_ = true;
            stepper_.press(key);
        }
        if (!is_over_) draw();
    }

    const Session& session_;
    const StepperPage& page_;
    Stepper stepper_;
    const Descriptor signals_;
    RawTerminal raw_;
    bool is_over_ = false;
    int ended_by_ = 0;
};

}  // namespace

bool can_step_on_terminal() {
    return isatty(STDIN_FILENO) != 0 && terminal_of_stdout().is_terminal &&
           !is_dumb(process_environment());
}

int step_on_terminal(const Session& session, const StepperPage& page) {
    return TerminalStepper(session, page).run();
}

}  // namespace lab::cli

// All text is made beforehand, because a signal handler may not allocate. The handler does not
// search for children: the kernel kills those that were started to die with us, and their children
// (base/process.h, sandbox/sandbox.h).

#include "cli/interruption.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>

namespace lab::cli {
namespace {

struct Watched {
    int signal;
    std::string json{};  ///< empty: text only
    struct sigaction before {};
};
std::array<Watched, 3> watched{{{SIGINT}, {SIGTERM}, {SIGHUP}}};
std::string note_line;

void say_and_end(int signal) {
    [[maybe_unused]] ssize_t ignored = write(STDERR_FILENO, note_line.data(), note_line.size());
    for (const Watched& one : watched)
        if (one.signal == signal && !one.json.empty())
            ignored = write(STDOUT_FILENO, one.json.data(), one.json.size());
    // Not exit(): Ctrl-C ends a shell's loop only if the program died of it, too.
    ::signal(signal, SIG_DFL);
    raise(signal);  // takes effect when this handler returns
}

}  // namespace

InterruptionNotice::InterruptionNotice(const Session& session, std::string_view note) {
    note_line = fmt::format("interrupted: {}\n", note);
    for (Watched& one : watched) {
        if (session.json())
            one.json = Json{{"type", "error"},
                            {"schema", kResultsSchema},
                            {"exit_code", 128 + one.signal},
                            {"message", fmt::format("interrupted: {}", note)}}
                           .dump() +
                       "\n";
        struct sigaction action {};
        action.sa_handler = say_and_end;
        sigaction(one.signal, nullptr, &one.before);
        if (one.before.sa_handler != SIG_IGN) sigaction(one.signal, &action, nullptr);
    }
}

InterruptionNotice::~InterruptionNotice() {
    for (const Watched& one : watched) sigaction(one.signal, &one.before, nullptr);
}

}  // namespace lab::cli

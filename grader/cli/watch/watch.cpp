// lab watch: grades a lab's file each time it is saved.

#include <signal.h>

#include <memory>

#include "cli/session.h"
#include "cli/terminal/signals.h"
#include "cli/watch/loop.h"
#include "core/device.h"

namespace lab::cli {
namespace {

void watch(Session& session, const WatchOptions& options) {
    parse_device(options.device);  // rejects a mistyped one at once
    int signal = 0;
    {
        WatchLoop loop(session, options);
        signal = loop.run();
    }
    if (signal != 0) die_of(signal);
}

}  // namespace

void add_watch(CLI::App& app, Session& session) {
    CLI::App* command =
        app.add_subcommand("watch", "Grade on every save; keys for hint, picture, reset and more");
    const auto options = std::make_shared<WatchOptions>();
    command->add_option("LAB", options->lab, "Which lab; none: the one last worked on");
    command->add_option("--file", options->file, "Watch this file instead of the lab's own")
        ->type_name("FILE");
    command->add_option("--device", options->device, "Where to run it, as in grade")
        ->type_name(kDeviceWords);
    command->footer(
        "Each save is graded; a grading that still runs is stopped. Keys: h the next hint,\n"
        "s step by step, p a picture, a every failure in full, v after full marks the\n"
        "reference beside yours, r start afresh (asks first), u undo that,\n"
        "n the next lab, q quit, Enter grade now. Where the screen cannot be cleared\n"
        "(TERM=dumb, a pipe), verdicts follow each other; end each key with Enter.");
    session.add_json(*command);
    command->callback([&app, &session, options] {
        for (const CLI::App* one : app.get_subcommands(nullptr))
            options->commands.push_back(one->get_name());
        watch(session, *options);
    });
}

}  // namespace lab::cli

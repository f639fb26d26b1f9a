// lab-class: the commands of instructors, `./lab batch` and others. A program of its own, which
// students never build.

#include "cli/app.h"

namespace lab::cli {
namespace {

void add_commands(CLI::App& app, Session& session) {
    add_batch(app, session);
    add_chunk(app, session);
    add_mark(app, session);
    add_report(app, session);
}

}  // namespace
}  // namespace lab::cli

int main(int argc, char** argv) {
    return lab::cli::run_app(argc, argv, lab::cli::add_commands);
}

// lab-dev: the commands of authors, `./lab dev ...`. A program of its own, which students never
// build.

#include "cli/app.h"

namespace lab::cli {
namespace {

void add_commands(CLI::App& app, Session& session) {
    CLI::App* dev = app.add_subcommand("dev", "For authors of labs");
    dev->require_subcommand(1);
    add_dev_new(*dev, session);
    add_dev_skeleton(*dev, session);
    add_dev_check(*dev, session);
    add_dev_mistake(*dev, session);
    add_dev_mutate(*dev, session);
    add_dev_calibrate(*dev, session);
    add_dev_bench(*dev, session);
    add_dev_compare(*dev, session);
    add_dev_compare_races(*dev, session);
    add_dev_package(*dev, session);
}

}  // namespace
}  // namespace lab::cli

int main(int argc, char** argv) {
    return lab::cli::run_app(argc, argv, lab::cli::add_commands);
}

// lab book: makes the site of the book, the handouts and the guides. The launcher calls
// docs/site/build before anything is built; this hands over to the same script, for whoever starts
// the program itself.

#include "base/process.h"
#include "cli/session.h"

namespace lab::cli {

void add_book(CLI::App& app, Session& session) {
    struct Options {
        bool open = false;
        std::string out;
    };
    const auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("book", "Book, handouts and guides as one site");
    command->add_flag("--open", options->open, "show it in the browser");
    command->add_option("--out", options->out, "put it there instead of into build/book")
        ->type_name("FOLDER");
    command->callback([&session, options] {
        Command script;
        script.argv = {(session.project().root / "docs/site/build").string()};
        if (options->open) script.argv.emplace_back("--open");
        if (!options->out.empty()) script.argv.insert(script.argv.end(), {"--out", options->out});
        session.exit = static_cast<Exit>(run_attached(script));
    });
}

}  // namespace lab::cli

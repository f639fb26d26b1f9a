// lab dev package: a release for students, without solutions.

#include <fmt/format.h>

#include <memory>

#include "author/package.h"
#include "cli/session.h"

namespace lab::cli {
namespace {

struct PackageOptions {
    std::string out;
    std::vector<std::string> labs;
};

void package(Session& session, const PackageOptions& options) {
    const Project& project = session.project();
    std::vector<Lab> labs;
    for (const std::string& word : options.labs) labs.push_back(session.lab(word));
    if (labs.empty())
        for (const std::string& name : list_labs(project)) labs.push_back(read_lab(project, name));
    const Packaged packaged = [&] {
        const WaitLine wait(session, "Packaging ...");
        return package_release(project, labs, options.out);
    }();
    const double size_mb = 1e-6 * static_cast<double>(packaged.size_bytes);
    session.say(
        fmt::format("{}: {} {}, {} files, {:.1f} MB, no solutions. Students unpack it and run\n"
                    "    ./lab grade {}\n",
                    packaged.file.string(), labs.size(), labs.size() == 1 ? "lab" : "labs",
                    packaged.files, size_mb, labs.front().number()));
    Json names = Json::array();
    for (const Lab& lab : labs) names.push_back(lab.name);
    session.line({{"type", "package"},
                  {"schema", kResultsSchema},
                  {"file", packaged.file.string()},
                  {"labs", names},
                  {"files", packaged.files},
                  {"size_bytes", packaged.size_bytes}});
}

}  // namespace

void add_dev_package(CLI::App& dev, Session& session) {
    CLI::App* command =
        dev.add_subcommand("package", "A release for students: no solutions, no mistakes");
    const auto options = std::make_shared<PackageOptions>();
    command
        ->add_option("OUT", options->out, "A new folder, or a new archive: NAME.tar.gz, NAME.zip")
        ->required();
    command->add_option("--lab", options->labs, "Only this lab; may be given several times");
    session.add_json(*command);
    command->callback([&session, options] { package(session, *options); });
}

}  // namespace lab::cli

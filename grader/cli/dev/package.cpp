// lab dev package: a release for students, without solutions.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "author/package.h"
#include "base/failure.h"
#include "cli/session.h"

namespace lab::cli {
namespace {

struct PackageOptions {
    std::string out, whom = "students";
    std::vector<std::string> labs;
    bool prebuilt = false, as_built = false;
};

struct Whom {
    const char* name;
    PackageFor whom;
    const char* next;  ///< what to do with it; {} is a lab's number
};
constexpr std::array<Whom, 3> kWhom = {
    {{"students", PackageFor::students, "Students unpack it and run\n    ./lab grade {}\n"},
     {"gradescope", PackageFor::gradescope,
      "Upload it under \"Configure Autograder\" (docs/instructor-guide.md).\n"},
     {"github-classroom", PackageFor::github_classroom,
      "Make it the assignment's template repository (docs/instructor-guide.md).\n"}}};

const Whom& whom_of(const std::string& name) {
    const auto found = std::ranges::find(kWhom, name, &Whom::name);
    if (found != kWhom.end()) return *found;
    throw usage_failure(fmt::format(
        "There is no --for {}. There are: students, gradescope, github-classroom.", name));
}

/// Nothing: the package is built where it is used.
std::optional<ProgramsFor> programs_for(const PackageOptions& options) {
    if (!options.prebuilt) return std::nullopt;
    return options.as_built ? ProgramsFor::as_built : ProgramsFor::all_processors;
}

fs::path out_of(const PackageOptions& options) {
    if (!options.out.empty()) return options.out;
    if (options.prebuilt) return fmt::format("cuda-labs-{}.tar.gz", machine());
    throw usage_failure("Name a new folder or archive: ./lab dev package cuda-labs.tar.gz");
}

void package(Session& session, const PackageOptions& options) {
    const Project& project = session.project();
    const Whom& whom = whom_of(options.whom);
    const fs::path out = out_of(options);
    if (options.prebuilt && whom.whom != PackageFor::students)
        throw usage_failure(fmt::format(
            "--prebuilt is for students' own machines. With --for {} the grader is built there.",
            whom.name));
    std::vector<Lab> labs;
    for (const std::string& word : options.labs) labs.push_back(session.lab(word));
    if (labs.empty())
        for (const std::string& name : list_labs(project)) labs.push_back(read_lab(project, name));
    const Packaged packaged = [&] {
        const WaitLine wait(session, "Packaging ...");
        return package_release(project, labs, out, whom.whom, programs_for(options));
    }();
    const double size_mb = 1e-6 * static_cast<double>(packaged.size_bytes);
    session.say(fmt::format("{}: {} {}, {} files, {:.1f} MB, no solutions{}. ",
                            packaged.file.string(), labs.size(), labs.size() == 1 ? "lab" : "labs",
                            packaged.files, size_mb,
                            options.prebuilt ? ", nothing left to build" : "") +
                fmt::format(fmt::runtime(whom.next), labs.front().number()));
    Json names = Json::array();
    for (const Lab& lab : labs) names.push_back(lab.name);
    session.line({{"type", "package"},
                  {"schema", kResultsSchema},
                  {"file", packaged.file.string()},
                  {"labs", names},
                  {"prebuilt", options.prebuilt},
                  {"files", packaged.files},
                  {"size_bytes", packaged.size_bytes}});
}

}  // namespace

void add_dev_package(CLI::App& dev, Session& session) {
    CLI::App* command =
        dev.add_subcommand("package", "A release for students: no solutions, no mistakes");
    const auto options = std::make_shared<PackageOptions>();
    command->add_option("OUT", options->out,
                        "A new folder, or a new archive: NAME.tar.gz, NAME.zip; with --prebuilt, "
                        "cuda-labs-MACHINE.tar.gz unless given");
    command->add_option("--lab", options->labs, "Only this lab; may be given several times")
        ->type_name("LAB");
    command->add_option("--for", options->whom,
                        "Who starts the grader: students, gradescope or github-classroom");
    CLI::Option* prebuilt = command->add_flag(
        "--prebuilt", options->prebuilt,
        "With all programs, for machines of this architecture without build tools");
    command
        ->add_flag("--as-built", options->as_built,
                   "Only for processors like this one: take the programs as they are built")
        ->needs(prebuilt);
    session.add_json(*command);
    command->callback([&session, options] { package(session, *options); });
}

}  // namespace lab::cli

#include "author/autograder.h"

#include <fmt/format.h>

#include "author/replaced.h"
#include "base/files.h"

namespace lab {
namespace {

void write_filled(const Project& project, const fs::path& name, const fs::path& to,
                  const Replacements& replacements) {
    const fs::path from = project.root / "grader/author/templates" / name;
    write_atomically(to, replaced(read_file(from), replacements));
    fs::permissions(to, fs::status(from).permissions());
}

}  // namespace

void add_gradescope(const Project& project, const Lab& lab, const fs::path& folder) {
    const Replacements replacements = {{"LAB_NAME", lab.name},
                                       {"LAB_FILE", lab.file().generic_string()}};
    for (const char* file : {"setup.sh", "run_autograder"})
        write_filled(project, fs::path("gradescope") / file, folder / file, replacements);
}

void add_github_classroom(const Project& project, const std::vector<Lab>& labs,
                          const fs::path& folder) {
    std::string options, steps, results, runners;
    for (const Lab& lab : labs) {
        const std::string id = "lab" + lab.number();
        options += " --lab " + lab.name;
        steps += fmt::format(
            "      - name: {}\n"
            "        id: {}\n"
            "        run: cat \"$RUNNER_TEMP/results/report/exports/github-classroom/student/{}/"
            "github_output.txt\" >>\"$GITHUB_OUTPUT\"\n",
            lab.name, id, lab.name);
        // The reporter reads the variable of each runner: its name in capitals.
        results += fmt::format("          LAB{}_RESULTS: ${{{{ steps.{}.outputs.result }}}}\n",
                               lab.number(), id);
        runners += (runners.empty() ? "" : ",") + id;
    }
    write_filled(project, "github-classroom/classroom.yml",
                 folder / ".github/workflows/classroom.yml",
                 {{" LAB_OPTIONS", options},
                  {"LAB_STEPS\n", steps},
                  {"LAB_RESULTS\n", results},
                  {"LAB_RUNNERS", runners}});
}

}  // namespace lab

// ./lab: the commands of students and instructors.

#include "cli/app.h"
#include "cli/hand_over.h"
#include "cli/overview.h"

namespace lab::cli {
namespace {

void add_commands(CLI::App& app, Session& session) {
    add_list(app, session);
    add_show(app, session);
    add_next(app, session);
    add_grade(app, session);
    add_watch(app, session);
    add_picture(app, session);
    add_bench(app, session);
    add_hint(app, session);
    add_reset(app, session);
    add_step(app, session);
    add_profile(app, session);
    add_review(app, session);
    add_verify(app, session);
    add_doctor(app, session);
    add_vgpu(app, session);
    add_nvcc(app, session);
    add_book(app, session);
    add_handed_over(app, session, "batch", "lab-class", "Grade a class");
    add_handed_over(app, session, "chunk", "lab-class", "Grade one chunk of a batch");
    add_handed_over(app, session, "mark", "lab-class", "Points and comments by hand");
    add_handed_over(app, session, "report", "lab-class", "Gradebook and feedback of a class");
    add_handed_over(app, session, "dev", "lab-dev", "For authors of labs");
    add_completion(app, session);
    add_test(app, session);
    give_overview(app);
}

}  // namespace
}  // namespace lab::cli

int main(int argc, char** argv) {
    return lab::cli::run_app(argc, argv, lab::cli::add_commands, lab::cli::home);
}

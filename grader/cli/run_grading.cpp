#include "cli/run_grading.h"

#include <fmt/format.h>

#include "base/files.h"
#include "cli/interruption.h"

namespace lab::cli {

fs::path file_to_grade(const Project& project, const Lab& lab, const std::string& typed) {
    return typed.empty() ? near_path(project.root / lab.file()) : fs::path(typed);
}

fs::path output_folder(const Project& project, std::string_view word) {
    const bool usual = project.build.parent_path() == project.root / "build";
    return (usual ? project.build.parent_path() : project.build) / word;
}

Grading run_grading(Session& session, const Lab& lab, const Device& device,
                    const GradeRequest& request, std::string_view doing,
                    std::string_view if_interrupted) {
    const InterruptionNotice notice(session, if_interrupted);
    const WaitLine wait(session, fmt::format("{} on: {} ...", doing, device.name));
    return lab::grade(session.project(), lab, device, request);
}

}  // namespace lab::cli

#include "cli/profile/profiled_grading.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/files.h"
#include "cli/run_grading.h"
#include "core/grade.h"

namespace lab::cli {

namespace {

/// Lines of the submission by the file's own name: it was compiled as TOPIC.cu.
void name_lines(std::vector<ProfiledCall>& calls, const Grading& grading) {
    const fs::path compiled_as = grading.lab.file().filename();
    for (ProfiledCall& call : calls)
        for (KernelProfile& kernel : call.submission)
            for (vgpu::LineCounts& line : kernel.all.lines)
                if (fs::path(line.where.file).filename() == compiled_as)
                    line.where.file = grading.submission.shown;
}

}  // namespace

Profiled profiled_grading(Session& session, const Lab& lab, const std::string& typed) {
    const Project& project = session.project();
    GradeRequest request;
    request.file = file_to_grade(project, lab, typed);
    request.with_baseline = false;
    read_submission(request.file);  // rejects a bad file before anything starts
    // Its own, as several may run at once.
    request.profile =
        output_folder(project, "profiles") / fmt::format("{}-{}.json", lab.name, getpid());
    make_folder(request.profile.parent_path());
    const Device device = choose_device(project, DeviceChoice::vgpu);
    Profiled profiled{
        run_grading(session, lab, device, request, fmt::format("Profiling lab {}", lab.number()),
                    "nothing was profiled"),
        {}};
    if (!profiled.grading.built) return profiled;
    const auto record = nlohmann::json::parse(read_file(request.profile), nullptr, false);
    fs::remove(request.profile);
    profiled.calls = lab_profiles(record, vgpu::model::h200());
    name_lines(profiled.calls, profiled.grading);
    return profiled;
}

}  // namespace lab::cli

#include "core/grader_version.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "sandbox/sandbox.h"

namespace lab {

std::vector<fs::path> grading_files(const Project& project, const Lab& lab, const Device& device,
                                    const Builder& builder) {
    std::vector<fs::path> files = builder.link_inputs();
    // A prebuilt package has core only as a part of the program.
    const fs::path core = project.is_prebuilt()
                              ? project.binary("lab")
                              : project.build / "grader" / "core" / "liblab_core.a";
    files.insert(files.end(), {project.binary("grader-" + lab.name), project.binary("sandbox-init"),
                               core, project.root / lab.solution(), project.root / lab.baseline()});
    if (device.kind == DeviceKind::vgpu) files.push_back(project.binary("vgpu-device"));
    for (const auto& entry : fs::directory_iterator(project.root / lab.folder()))
        if (entry.is_regular_file() && entry.path().extension() != ".md" &&
            entry.path().filename() != lab.file().filename())
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::string grader_version(const Project& project, const Lab& lab, const Device& device,
                           const Builder& builder) {
    std::string all = fmt::format("grader 1\n{}\n{} {}\n{}\n", builder.nvcc_version(), device.name,
                                  device.architecture, isolation().name());
    for (const std::string& argument : builder.nvcc_arguments())
        if (!argument.starts_with('/')) all += argument + "\n";  // wherever the checkout lies
    for (const fs::path& file : grading_files(project, lab, device, builder))
        all +=
            file.filename().string() + " " + sha256(read_file_if_there(file).value_or("")) + "\n";
    return sha256(all);
}

std::string grader_source_hash(const Project& project, const Lab& lab) {
    std::vector<fs::path> files;
    const auto add_sources_in = [&](const fs::path& folder) {
        for (auto at = fs::recursive_directory_iterator(project.root / folder);
             at != fs::recursive_directory_iterator(); ++at) {
            const std::string name = at->path().filename().string();
            if (at->is_directory() && (name == "tests" || name == "examples" || name == "bench"))
                at.disable_recursion_pending();
            const std::string kind = at->path().extension().string();
            const bool is_test = at->path().stem().string().ends_with("_test");
            if ((kind == ".h" || kind == ".cpp" || kind == ".inc" || kind == ".def") && !is_test)
                files.push_back(at->path());
        }
    };
    for (const char* folder : {"check", "protocol", "runner", "sandbox", "vgpu"})
        add_sources_in(fs::path("grader") / folder);
    add_sources_in(lab.folder() / "grader");
    files.push_back(project.root / lab.contract());
    files.push_back(project.root / lab.folder() / "lab.toml");
    std::ranges::sort(files);
    std::string all = "grader's sources 1\n";
    for (const fs::path& file : files)
        all += fs::relative(file, project.root).string() + " " + sha256(read_file(file)) + "\n";
    return sha256(all);
}

}  // namespace lab

#include "core/grader_version.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "sandbox/sandbox.h"

namespace lab {

std::vector<fs::path> grading_files(const Project& project, const Lab& lab, const Device& device,
                                    const Builder& builder) {
    std::vector<fs::path> files = builder.link_inputs();
    files.insert(files.end(), {project.binary("grader-" + lab.name), project.binary("sandbox-init"),
                               project.build / "grader" / "core" / "liblab_core.a",
                               project.root / lab.solution(), project.root / lab.baseline()});
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

}  // namespace lab

// Part of Builder, for labs that ask what kernels need of a GPU: ptxas reads the PTX that nvcc
// made, and the object carries the answer.
//
// The answer is ptxas' own: nvcc's output is not read for it, since a submission can make nvcc
// print anything.
#include <fmt/format.h>

#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/build/build.h"
#include "core/build/object_tools.h"
#include "vgpu/kernel_needs.h"

namespace lab {
namespace {

/// The GPU that the virtual one stands for.
constexpr const char* kVgpuArchitecture = "sm_90";

/// sm_80 for compute_80.
std::string real_architecture(const std::string& name) {
    return "sm_" + name.substr(name.find('_') + 1);
}

}  // namespace

void Builder::add_needs(const Submission& submission, const fs::path& ptx,
                        const fs::path& object) const {
    const fs::path folder = object.parent_path(), table = folder / "needs";
    BoxedTool assembler;
    const std::string architecture =
        kind_ == DeviceKind::vgpu ? kVgpuArchitecture : real_architecture(architecture_);
    assembler.argv = {(fs::weakly_canonical(project_.tools.nvcc).parent_path() / "ptxas").string(),
                      "-arch=" + architecture,
                      "-v",
                      ptx.string(),
                      "-o",
                      (folder / "cubin").string()};
    assembler.writable = {folder};
    const ConfinedResult result = run_boxed(assembler);
    if (!result.timed_out && result.exit_code != 0 &&
        result.output.find("ptxas error") != std::string::npos)
        throw build_failure(fmt::format("{}: no GPU can run what nvcc made of it.\n{}",
                                        submission.shown, last_lines(result.output, 8)));
    if (result.timed_out || result.exit_code != 0)
        throw_tool_failure(assembler, result, submission.shown, project_);
    write_atomically(table, vgpu::to_table(vgpu::read_ptxas_output(result.output)));

    BoxedTool objcopy;
    const std::string section = kNeedsSection;
    objcopy.argv = {project_.tools.objcopy, "--remove-section=" + section,
                    "--add-section=" + section + "=" + table.string(), object.string()};
    objcopy.writable = {folder};
    require_tool(objcopy, submission.shown, project_);
    fs::remove(table);
    fs::remove(folder / "cubin");
}

}  // namespace lab

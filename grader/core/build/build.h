// Builds a runner from a submission: runs nvcc in a sandbox, checks the contract's functions, makes
// everything else local, and links the object with the runner's code for a device.
#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.h"
#include "core/build/cache.h"
#include "core/course/lab.h"
#include "core/course/project.h"
#include "core/course/submission.h"
#include "core/device.h"
#include "nvcc/symbols.h"

namespace lab {

/// Where an object has the table of what its kernels need (vgpu/kernel_needs.h).
inline constexpr const char* kNeedsSection = ".lab_needs";

/// The functions that the lab's grader calls. Needs the grader built.
std::vector<ContractFunction> contract_of(const Project& project, const Lab& lab);

/// A compiled submission.
struct Object {
    fs::path folder;       ///< its cache entry
    fs::path source;       ///< what was compiled, and what the object's lines name: our copy
    std::string warnings;  ///< nvcc's, with the student's path
    bool was_there = false;
    double nvcc_seconds = 0;  ///< 0 if it was cached
};

class Builder {
public:
    Builder(const Project& project, const Lab& lab, const Device& device);

    /// Throws Failure: build with nvcc's own messages, or our fault.
    Object compile(const Submission& submission) const;

    /// The runner's program. Throws Failure: build when the object breaks the contract, or calls a
    /// function that does not exist.
    fs::path link(const Submission& submission, const Object& object,
                  const std::vector<ContractFunction>& contract) const;

    /// The CMake targets whose results link() and the grading need.
    std::vector<std::string> targets() const;

    /// The command of compile(): nvcc and its arguments, without the file and "-o OBJECT".
    std::vector<std::string> nvcc_arguments() const;

    const std::string& nvcc_version() const { return nvcc_version_.get(); }

    /// The libraries that link() adds to the submission.
    std::vector<fs::path> link_inputs() const;

private:
    /// The lab's contract and our headers that it may include: all that a submission sees besides
    /// CUDA's.
    std::vector<fs::path> contract_headers() const;
    /// The submission under a name and a path of ours: what it is called, and what that name leads
    /// to by the time that a tool opens it, is its author's.
    fs::path source_of(const Submission& submission) const;
    void run_nvcc(const Submission& submission, const fs::path& source,
                  const fs::path& folder) const;
    /// Puts what ptxas finds out about the kernels into the object. Throws Failure.
    void add_needs(const Submission& submission, const fs::path& ptx, const fs::path& object) const;
    void make_runner(const Submission& submission, const Object& object,
                     const std::vector<ContractFunction>& contract, const fs::path& folder) const;

    const Project& project_;
    const Lab& lab_;
    DeviceKind kind_;
    std::string architecture_;
    std::shared_future<std::string> nvcc_version_;  ///< link() works without nvcc
    Cache cache_;
};

/// The files that the compiler read, from the output of -MMD: "object.o : file file ...".
std::vector<fs::path> files_read(std::string_view make_rule);

/// A message about the symbols that the linker did not find; nothing if it complains about
/// something else.
std::optional<Failure> missing_at_link(std::string_view linker_output, DeviceKind kind,
                                       const std::string& shown);

}  // namespace lab

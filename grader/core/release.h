// A student release is a checkout without solutions/. Its folder prebuilt/ has what grading and the
// other commands need of them (author/package.h writes it):
//
//     prebuilt/NN-topic/skeleton.cu         what the student's file was at first
//     prebuilt/NN-topic/VERSION/object.o    solutions/NN-topic/VERSION.cu, compiled by nvcc for the
//                                           virtual GPU: host code and PTX, which GPUs run, too
#pragma once

#include "core/lab.h"
#include "core/project.h"

namespace lab {

/// `root` is that of a release, or of a checkout that becomes one.
fs::path prebuilt_skeleton(const fs::path& root, const Lab& lab);
/// The folder of object.o. `file` is a path from the root: solutions/NN-topic/VERSION.cu.
fs::path prebuilt_object(const fs::path& root, const fs::path& file);

/// Whether a program of ours is there, as source or compiled.
bool has_program(const Project& project, const fs::path& file);

}  // namespace lab

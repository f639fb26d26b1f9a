// A student release is a checkout without solutions/. Its folder prebuilt/ has what grading and the
// other commands need of them (author/package.h writes it):
//
//     prebuilt/NN-topic/skeleton.cu         what the student's file was at first
//     prebuilt/NN-topic/VERSION/object.o    solutions/NN-topic/VERSION.cu, compiled by nvcc for the
//                                           virtual GPU: host code and PTX, which GPUs run, too
//
// A prebuilt package also has what a build makes, so that nothing is built where it is unpacked
// (author/prebuilt.h writes it):
//
//     prebuilt/programs/bin/, lib/          as in a build folder
//     prebuilt/programs/lib/bundled/        shared libraries that they need, but those of C and C++
//     prebuilt/programs/made-for            machine, C library and CUDA version, for ./lab
//     prebuilt/programs/editors.json        flags for clangd, with the places left open
//     prebuilt/programs/notices/            licences of the libraries
#pragma once

#include "core/course/lab.h"
#include "core/course/project.h"

namespace lab {

/// `root` is that of a release, or of a checkout that becomes one.
fs::path prebuilt_skeleton(const fs::path& root, const Lab& lab);
/// The folder of object.o. `file` is a path from the root: solutions/NN-topic/VERSION.cu.
fs::path prebuilt_object(const fs::path& root, const fs::path& file);

/// The folder with bin/ and lib/ of a prebuilt package.
fs::path prebuilt_programs(const fs::path& root);

/// Whether a program of ours is there, as source or compiled.
bool has_program(const Project& project, const fs::path& file);

}  // namespace lab

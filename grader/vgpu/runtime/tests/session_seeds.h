// Seeds of the session's fuzzer, by subject: together every operation of the protocol, most of them
// successful. vgpu-fuzz-seeds writes them as files; corpus/session holds them and the fuzzer's own
// findings.
#pragma once

#include <string>
#include <vector>

#include "runtime/tests/session_script.h"

namespace vgpu::test {

struct Seed {
    std::string name;
    Script script;
    /// What the steps that fail are answered with, by their number: the others succeed.
    std::map<std::size_t, cudaError_t> failures{};
};

/// Their module is busy_module.h's.
std::vector<Seed> session_seeds();

}  // namespace vgpu::test

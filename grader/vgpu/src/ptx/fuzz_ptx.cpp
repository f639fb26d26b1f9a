// Any text either parses or throws vgpu::Error, within memory and time that its length explains.
// Built with LAB_FUZZ; see grader/vgpu/cmake/Fuzz.cmake.
#include <cstdlib>
#include <string_view>

#include "ptx/module.h"
#include "vgpu/device.h"

namespace {

/// What the machine relies on for every module it is given.
void require(bool promise) {
    if (!promise) std::abort();
}

void check(const vgpu::ptx::Module& module) {
    for (const auto& function : module.functions) {
        for (const auto& instruction : function.body) {
            require(instruction.source < module.sources.size());
        }
        for (const auto& label : function.labels) require(label.at <= function.body.size());
    }
    for (const auto& variable : module.variables) {
        require(variable.initial.size() <= variable.size_bytes());
        for (const auto& reference : variable.references) {
            require(reference.at_byte + 8 <= variable.initial.size());
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    try {
        check(vgpu::ptx::parse({reinterpret_cast<const char*>(data), size}));
    } catch (const vgpu::Error&) {
        // The right answer to most inputs.
    }
    return 0;
}

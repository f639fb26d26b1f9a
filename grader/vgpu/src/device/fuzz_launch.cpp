// Any module either loads or throws vgpu::Error, and each of its kernels runs to an end: a
// submission decides what PTX the device process is given. Built with LAB_FUZZ; see
// grader/vgpu/cmake/Fuzz.cmake.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "ptx/module.h"
#include "vgpu/device.h"

namespace {

using namespace vgpu;

/// Small enough for many launches a second, and large enough for several warps and blocks.
constexpr std::uint64_t kArrayBytes = 4096;
constexpr std::size_t kMostKernels = 8;

/// Parameters that are pointers to an array, one after the other, as far as they are 8 bytes.
Launch launch_of(const KernelInfo& kernel, ModuleId module, Address array) {
    Launch launch;
    launch.module = module;
    launch.kernel = kernel.name;
    launch.grid = {2, 1, 1};
    launch.block = {40, 1, 1};
    launch.dynamic_shared_bytes = 256;
    launch.want_lines = launch.want_footprint = true;
    launch.parameters.resize(kernel.parameter_bytes);
    for (const KernelParameter& p : kernel.parameters) {
        const std::uint64_t value = p.size_bytes == 8 ? array : 5;
        if (p.offset_bytes + p.size_bytes <= launch.parameters.size())
            std::memcpy(&launch.parameters[p.offset_bytes], &value,
                        std::min<std::size_t>(p.size_bytes, sizeof value));
    }
    return launch;
}

void run(std::string_view text) {
    Device device({.memory_bytes = 16 << 20,
                   .warp_instruction_limit = 2000,
                   .printed_limit_bytes = 4096,
                   .heap_bytes = 1 << 16,
                   .workers = 1});
    const Address array = *device.allocate(kArrayBytes, "array");
    device.fill(array, std::byte{1}, kArrayBytes / 2);
    const ModuleId module = device.load_module(text);
    std::size_t kernels = 0;
    for (const auto& function : ptx::parse(text.substr(0, text.find('\0'))).functions) {
        if (!function.is_entry || function.is_declaration || ++kernels > kMostKernels) continue;
        const KernelInfo& kernel = device.kernel(module, function.name);
        for (const Finding& finding : device.launch(launch_of(kernel, module, array)).findings)
            (void)describe(finding);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    try {
        run({reinterpret_cast<const char*>(data), size});
    } catch (const Error&) {
        // The right answer to most inputs.
    }
    return 0;
}

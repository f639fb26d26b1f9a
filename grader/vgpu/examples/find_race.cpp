// Finds a race in shared memory: one kernel lacks the barrier between its stores and its loads.
//
//     find_race reverse.ptx        compiled with -lineinfo, so that findings name lines

#include <cstdio>
#include <string>
#include <vector>

#include "read_text.h"
#include "vgpu/arguments.h"
#include "vgpu/describe.h"
#include "vgpu/device.h"

int main(int, char** argv) {
    const std::vector<int> values(1024, 1);

    vgpu::Device device;
    const vgpu::ModuleId module = device.load_module(read_text(argv[1]));
    const auto data = std::as_bytes(std::span(values));
    const vgpu::Address at = device.allocate(data.size(), "values").value();
    device.write(at, data);

    for (const char* kernel : {"reverse_at_once", "reverse_in_turn"}) {
        vgpu::Launch launch;
        launch.module = module;
        launch.kernel = kernel;
        launch.grid = {4, 1, 1};
        launch.block = {256, 1, 1};
        launch.parameters = vgpu::arguments(at);
        const vgpu::LaunchResult result = device.launch(launch);

        std::printf("%s: findings: %zu\n", kernel, result.findings.size());
        for (const vgpu::Finding& finding : result.findings)
            std::printf("  %s\n", vgpu::describe(finding).c_str());
    }
}

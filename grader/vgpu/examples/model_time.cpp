// Models how long two layouts take on an H200, from counts: no time of this machine is in it.
//
//     model_time layouts.ptx

#include <cstdint>
#include <cstdio>
#include <vector>

#include "read_text.h"
#include "vgpu/arguments.h"
#include "vgpu/cost.h"
#include "vgpu/device.h"
#include "vgpu/gpu.h"
#include "vgpu/occupancy.h"

int main(int, char** argv) {
    constexpr std::uint32_t threads = 256, blocks = 4096;
    const std::vector<float> ones(4 * threads * blocks, 1.0f);
    const vgpu::model::Gpu& gpu = vgpu::model::h200();

    vgpu::Device device;
    const vgpu::ModuleId module = device.load_module(read_text(argv[1]));
    const auto data = std::as_bytes(std::span(ones));
    const vgpu::Address particles = device.allocate(data.size(), "particles").value();
    device.write(particles, data);

    for (const char* kernel : {"structures", "arrays"}) {
        vgpu::Launch launch;
        launch.module = module;
        launch.kernel = kernel;
        launch.grid = {blocks, 1, 1};
        launch.block = {threads, 1, 1};
        launch.parameters = vgpu::arguments(particles);
        const vgpu::LaunchResult result = device.launch(launch);

        vgpu::model::KernelResources resources;
        resources.registers = device.kernel(module, kernel).registers_estimate;
        const std::uint32_t resident =
            vgpu::model::blocks_per_multiprocessor(gpu, resources, threads, 0);
        const vgpu::model::KernelCost cost = vgpu::model::cost_of(
            gpu, vgpu::model::work_of(result, blocks, resident * gpu.multiprocessors));
        std::printf("%-10s  %4.1f us modelled for an %s, of which memory %4.1f\n", kernel,
                    (gpu.launch_s + cost.seconds()) * 1e6, gpu.key, cost.memory_s * 1e6);
    }
}

// Counts the sectors of 32 bytes that two layouts move. A request of 32 floats that lie side by
// side needs 4.
//
//     count_sectors layouts.ptx

#include <cstdint>
#include <cstdio>
#include <vector>

#include "read_text.h"
#include "vgpu/arguments.h"
#include "vgpu/device.h"

int main(int, char** argv) {
    constexpr std::uint32_t threads = 256, blocks = 64;
    const std::vector<float> ones(4 * threads * blocks, 1.0f);

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
        const vgpu::Counts counts = device.launch(launch).counts;
        std::printf("%-10s  load %4.1f sectors a request, store %4.1f\n", kernel,
                    static_cast<double>(counts.global_load_sectors) /
                        static_cast<double>(counts.global_load_requests),
                    static_cast<double>(counts.global_store_sectors) /
                        static_cast<double>(counts.global_store_requests));
    }
}

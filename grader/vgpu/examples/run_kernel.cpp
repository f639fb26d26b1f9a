// Runs a kernel from PTX text: memory is allocated and filled, a grid launched, the result read.
//
//     run_kernel

#include <cstdio>
#include <vector>

#include "vgpu/arguments.h"
#include "vgpu/device.h"

// y[i] += x[i], by one block. nvcc -ptx writes such text.
constexpr const char* kPtx = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 x, .param .u64 y) {
    .reg .f32 %f<4>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<6>;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd1, %r1, 4;
    ld.param.u64 %rd2, [x];
    add.s64 %rd3, %rd2, %rd1;
    ld.param.u64 %rd4, [y];
    add.s64 %rd5, %rd4, %rd1;
    ld.global.f32 %f1, [%rd3];
    ld.global.f32 %f2, [%rd5];
    add.f32 %f3, %f1, %f2;
    st.global.f32 [%rd5], %f3;
    ret;
})";

int main() {
    std::vector<float> x = {1, 2, 3, 4}, y = {10, 20, 30, 40};
    const std::size_t bytes = x.size() * sizeof(float);

    vgpu::Device device;
    const vgpu::Address device_x = device.allocate(bytes, "x").value();
    const vgpu::Address device_y = device.allocate(bytes, "y").value();
    device.write(device_x, std::as_bytes(std::span(x)));
    device.write(device_y, std::as_bytes(std::span(y)));

    vgpu::Launch launch;
    launch.module = device.load_module(kPtx);
    launch.kernel = "add";
    launch.block = {4, 1, 1};
    launch.parameters = vgpu::arguments(device_x, device_y);
    const vgpu::LaunchResult result = device.launch(launch);

    device.read(std::as_writable_bytes(std::span(y)), device_y);
    for (const float value : y) std::printf("%g ", value);
    std::printf("\nfindings: %zu, warp instructions: %llu\n", result.findings.size(),
                static_cast<unsigned long long>(result.counts.warp_instructions));
}

#include "core/device.h"

#include <sys/resource.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"
#include "base/files.h"
#include "vgpu/address_space.h"

using namespace lab;
using Catch::Matchers::Message;

TEST_CASE("device: words for it") {
    CHECK(parse_device("auto") == DeviceChoice::automatic);
    CHECK(parse_device("gpu") == DeviceChoice::gpu);
    CHECK(parse_device("vgpu") == DeviceChoice::vgpu);
    CHECK_THROWS_MATCHES(parse_device("vpgu"), Failure,
                         Message("There is no device \"vpgu\". Did you mean \"vgpu\"? The devices: "
                                 "auto, gpu, vgpu."));
}

TEST_CASE("device: what the test kernel's program says") {
    const Probed good = parse_probe("ok sm_90 NVIDIA H200 NVL\n", 0, false);
    CHECK(good.usable);
    CHECK(good.architecture == "sm_90");
    CHECK(good.name == "NVIDIA H200 NVL");

    CHECK(parse_probe("no out of memory\n", 0, false).why_not ==
          "a test kernel does not run here: out of memory");
    CHECK(parse_probe("", 139, false).why_not ==
          "the program that looks for a GPU ended with code 139");
    CHECK(parse_probe("ok sm_90 X\n", 137, true).why_not ==
          "a test kernel did not finish on this machine's GPU within 30 s");
    CHECK_FALSE(parse_probe("ok sm_90 X\n", 1, false).usable);
}

TEST_CASE("device: nvcc compiles for the GPU, or for the newest before it that it knows") {
    const char* known = "sm_75\nsm_80\nsm_90\nsm_90a\nsm_100\n";
    CHECK(architecture_for("sm_90", known) == "sm_90");
    CHECK(architecture_for("sm_75", known) == "sm_75");
    CHECK(architecture_for("sm_86", known) == "compute_80");
    CHECK(architecture_for("sm_121", known) == "compute_100");
    CHECK(architecture_for("sm_70", known).empty());
    CHECK(architecture_for("sm_90", "").empty());
}

TEST_CASE("device: without a driver auto is the virtual GPU, and gpu is exit code 4") {
    if (fs::exists("/dev/nvidiactl") || fs::exists("/dev/dxg")) SKIP("this machine has a driver");
    const Project project;  // nothing of it is needed
    const Device device = choose_device(project, DeviceChoice::automatic);
    CHECK(device.kind == DeviceKind::vgpu);
    CHECK(device.why == "this machine has no NVIDIA driver");
    CHECK(choose_device(project, DeviceChoice::vgpu).why == "asked for");
    CHECK_THROWS_MATCHES(choose_device(project, DeviceChoice::gpu), Failure,
                         Message("There is no GPU to grade on: this machine has no NVIDIA driver.\n"
                                 "The virtual GPU needs none:  --device vgpu"));
}

TEST_CASE("device: a kernel with too few bits of addresses is exit code 4, with the remedy") {
    CHECK_NOTHROW(require_addresses());
    const int bits = vgpu::address_bits();
    CHECK(bits >= vgpu::kNeededAddressBits);
    // This kernel has too few for a window higher up.
    try {
        require_addresses(vgpu::Address{1} << 60);
        FAIL("no kernel has addresses of 60 bits");
    } catch (const Failure& failure) {
        CHECK(failure.exit() == Exit::no_device);
        CHECK(failure.what() ==
              "The virtual GPU needs addresses of 46 bits: it maps its memory into programs at "
              "0x200000000000. This kernel gives programs " +
                  std::to_string(bits) +
                  " bits.\nUse a kernel with 47 bits or more. On Arm that is "
                  "CONFIG_ARM64_VA_BITS=48, as in Debian and Ubuntu.");
    }
}

TEST_CASE("device: a limit on the address space is not taken for too few bits") {
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    const rlimit none{1 << 20, before.rlim_max};
    setrlimit(RLIMIT_AS, &none);
    const auto bits = vgpu::too_few_address_bits(), above = vgpu::too_few_address_bits(1ull << 60);
    setrlimit(RLIMIT_AS, &before);
    CHECK_FALSE(bits);
    CHECK_FALSE(above);
}

TEST_CASE("device: nvcc's version, and what to do when it cannot be started") {
    const TemporaryFolder folder;
    const fs::path nvcc = folder.path() / "nvcc";
    write_atomically(nvcc, "#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n");
    fs::permissions(nvcc, fs::perms::owner_all);
    Project project;
    project.tools.nvcc = nvcc.string();
    CHECK(nvcc_version(project) == "13.0.88");
    project.tools.nvcc = "/nowhere/nvcc";
    CHECK_THROWS_MATCHES(nvcc_version(project), Failure,
                         Message("Cannot start NVIDIA's compiler, /nowhere/nvcc.\nRun ./lab "
                                 "doctor: it says how to get one."));
}

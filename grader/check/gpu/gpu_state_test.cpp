// The observed state of a GPU, with a stand-in for NVIDIA's management library that answers as the
// test wants.
#include "check/gpu/gpu_state.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "check/tests/fake_nvml.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kBusId = "0000:1B:00.0";
/// Somebody else's for sure: we descend from it, not it from us.
constexpr unsigned kStranger = 1;
constexpr int kNoPermission = 4;  // NVML_ERROR_NO_PERMISSION

/// Who takes turns with us.
bool nobody(unsigned) {
    return false;
}

/// The stand-in, as if just loaded.
FakeNvml& fake() {
    static void* const library = dlopen(LAB_TEST_FAKE_NVML, RTLD_NOW);
    REQUIRE(library != nullptr);
    auto* const it = static_cast<FakeNvml*>(dlsym(library, "fake_nvml"));
    REQUIRE(it != nullptr);
    return *it;
}

struct Machine {
    FakeNvml& nvml = fake();

    Machine() { nvml = {}; }

    void add_process(unsigned pid) { nvml.processes[nvml.process_count++].pid = pid; }
    /// Of the time since the watch began; a negative age is later than now.
    void add_sample(unsigned pid, unsigned percent, std::chrono::seconds age) {
        const auto when = std::chrono::system_clock::now() - age;
        NvmlProcessSample& sample = nvml.samples[nvml.sample_count++];
        sample.pid = pid;
        sample.sm_percent = percent;
        sample.time_us = static_cast<unsigned long long>(
            std::chrono::duration_cast<std::chrono::microseconds>(when.time_since_epoch()).count());
    }
    GpuSeen one_look() const {
        GpuWatch watch(kBusId, nobody, LAB_TEST_FAKE_NVML);
        watch.look();
        return watch.seen();
    }
};

constexpr std::chrono::seconds kLater{-1}, kBefore{10};

}  // namespace

TEST_CASE("gpu state: clocks and heat are read, and a quiet GPU disturbs nobody") {
    Machine machine;
    machine.add_process(static_cast<unsigned>(getpid()));
    machine.nvml.reasons = 0x1 | 0x2;  // idle between calls; clocks fixed by the administrator
    GpuWatch watch(kBusId, nobody, LAB_TEST_FAKE_NVML);
    watch.look();
    machine.nvml.sm_mhz = 1500;
    machine.nvml.temperature_c = 61;
    watch.look();
    machine.nvml.sm_mhz = 1700;
    machine.nvml.temperature_c = 50;
    watch.look();
    const GpuSeen seen = watch.seen();
    CHECK(seen.why_not.empty());
    CHECK(seen.lowest_sm_mhz == 1500);
    CHECK(seen.highest_sm_mhz == 1980);
    CHECK(seen.max_sm_mhz == 1980);
    CHECK(seen.highest_c == 61);
    CHECK(seen.slowed_by.empty());
    CHECK(seen.others_known);
    CHECK(seen.others.empty());
    CHECK(seen.disturbances.empty());
}

TEST_CASE("gpu state: a power cap is noted and spoils nothing") {
    Machine machine;
    machine.nvml.reasons = kNvmlSwPowerCap;
    const GpuSeen seen = machine.one_look();
    CHECK(seen.slowed_by == std::vector<std::string>{"power cap"});
    CHECK(seen.disturbances.empty());
}

TEST_CASE("gpu state: heat and power brakes spoil, each named once") {
    const auto disturbances = [](unsigned long long reasons) {
        Machine machine;
        machine.nvml.reasons = reasons;
        machine.nvml.temperature_c = 91;
        return machine.one_look().disturbances;
    };
    const auto software = disturbances(kNvmlSwThermalSlowdown);
    REQUIRE(software.size() == 1);
    CHECK(software[0] == "The GPU was hot, and its driver slowed it down, at 91 degrees Celsius");
    const auto hardware = disturbances(kNvmlHwSlowdown | kNvmlHwThermalSlowdown);
    REQUIRE(hardware.size() == 1);
    CHECK_THAT(hardware[0], ContainsSubstring("too hot"));
    const auto brake = disturbances(kNvmlHwSlowdown | kNvmlHwPowerBrake);
    REQUIRE(brake.size() == 1);
    CHECK_THAT(brake[0], ContainsSubstring("power supply"));
    CHECK(disturbances(kNvmlHwSlowdown).size() == 1);
    CHECK(disturbances(kNvmlSwPowerCap | kNvmlSwThermalSlowdown).size() == 1);
}

TEST_CASE("gpu state: anything seen once counts until the next measurement") {
    Machine machine;
    GpuWatch watch(kBusId, nobody, LAB_TEST_FAKE_NVML);
    machine.nvml.reasons = kNvmlSwThermalSlowdown;
    watch.look();
    machine.nvml.reasons = 0;
    watch.look();
    CHECK(watch.seen().disturbances.size() == 1);
    watch.restart();
    watch.look();
    CHECK(watch.seen().disturbances.empty());
}

TEST_CASE("gpu state: another process that keeps the GPU busy is named") {
    Machine machine;
    machine.add_process(static_cast<unsigned>(getpid()));
    machine.add_process(kStranger);
    machine.add_sample(static_cast<unsigned>(getpid()), 99, kLater);
    machine.add_sample(kStranger, 30, kLater);
    machine.add_sample(kStranger, 72, kLater);
    const GpuSeen seen = machine.one_look();
    REQUIRE(seen.others.size() == 1);
    CHECK(seen.others[0].pid == kStranger);
    CHECK_FALSE(seen.others[0].name.empty());
    CHECK(seen.others[0].busy_percent == 72);
    REQUIRE(seen.disturbances.size() == 1);
    CHECK(seen.disturbances[0] == "Another process used the GPU: pid 1 (" + seen.others[0].name +
                                      "), up to 72 % of the time");
}

TEST_CASE(
    "gpu state: a process that shares our lock disturbs nobody, nor do those that it started") {
    Machine machine;
    machine.add_process(static_cast<unsigned>(getpid()));
    machine.add_process(static_cast<unsigned>(getppid()));
    machine.add_sample(static_cast<unsigned>(getppid()), 90, kLater);
    const auto disturbances = [](const GpuWatch::TakesTurns& takes_turns) {
        GpuWatch watch(kBusId, takes_turns, LAB_TEST_FAKE_NVML);
        watch.look();
        return watch.seen().disturbances.size();
    };
    CHECK(disturbances(nobody) == 1);
    CHECK(disturbances([](unsigned pid) { return pid == static_cast<unsigned>(getppid()); }) == 0);
    CHECK(disturbances([](unsigned pid) { return pid == kStranger; }) == 0);
}

TEST_CASE("gpu state: samples lag behind, and are waited for") {
    Machine machine;
    machine.add_process(static_cast<unsigned>(getpid()));
    machine.add_process(kStranger);
    GpuWatch watch(kBusId, nobody, LAB_TEST_FAKE_NVML);
    watch.look();
    CHECK(watch.seen().disturbances.empty());
    machine.add_sample(kStranger, 50, kLater);
    const auto begin = std::chrono::steady_clock::now();
    watch.restart();
    watch.settle();
    CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(700));
    CHECK(watch.seen().disturbances.size() == 1);
}

TEST_CASE("gpu state: a context that does nothing, or did long ago, disturbs nobody") {
    Machine machine;
    machine.add_process(static_cast<unsigned>(getpid()));
    machine.add_process(kStranger);
    GpuSeen seen = machine.one_look();
    REQUIRE(seen.others.size() == 1);
    CHECK(seen.others[0].busy_percent == 0);
    CHECK(seen.disturbances.empty());
    machine.add_sample(kStranger, 100, kBefore);
    machine.add_sample(kStranger, 4, kLater);     // noise
    machine.add_sample(kStranger, 5000, kLater);  // nonsense
    seen = machine.one_look();
    CHECK(seen.others[0].busy_percent == 4);
    CHECK(seen.disturbances.empty());
}

TEST_CASE("gpu state: nobody is accused where the driver does not say who was busy") {
    Machine machine;
    machine.add_process(static_cast<unsigned>(getpid()));
    machine.add_process(kStranger);
    machine.add_sample(kStranger, 100, kLater);
    machine.nvml.samples_code = kNoPermission;
    GpuSeen seen = machine.one_look();
    REQUIRE(seen.others.size() == 1);
    CHECK(seen.others[0].busy_percent == -1);
    CHECK(seen.disturbances.empty());
    // Process ids of another namespace: ours are not among them.
    machine.nvml = {};
    machine.add_process(kStranger);
    machine.add_sample(kStranger, 100, kLater);
    seen = machine.one_look();
    CHECK_FALSE(seen.others_known);
    CHECK(seen.others.empty());
    CHECK(seen.disturbances.empty());
    // No list at all.
    machine.nvml.processes_code = kNoPermission;
    CHECK_FALSE(machine.one_look().others_known);
}

TEST_CASE("gpu state: a process that has ended disturbs nobody, though the driver still lists it") {
    // How many are blamed by another program, which `process`, busy on the GPU, does not descend
    // from.
    const auto blamed = [](pid_t process) {
        const pid_t watcher = fork();
        if (watcher == 0) {
            Machine machine;
            machine.add_process(static_cast<unsigned>(getpid()));
            machine.add_process(static_cast<unsigned>(process));
            machine.add_sample(static_cast<unsigned>(process), 90, kLater);
            _exit(static_cast<int>(machine.one_look().disturbances.size()));
        }
        int status = -1;
        waitpid(watcher, &status, 0);
        return WEXITSTATUS(status);
    };
    const pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    CHECK(blamed(child) == 1);
    kill(child, SIGKILL);
    siginfo_t info;
    REQUIRE(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
    CHECK(blamed(child) == 0);
    waitpid(child, nullptr, 0);
    CHECK(blamed(child) == 0);
}

TEST_CASE("gpu state: our own processes include those that they started") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const pid_t grandchild = fork();
        if (grandchild == 0) {
            pause();
            _exit(0);
        }
        [[maybe_unused]] const auto written = write(ends[1], &grandchild, sizeof(grandchild));
        pause();
        _exit(0);
    }
    pid_t grandchild = 0;
    REQUIRE(read(ends[0], &grandchild, sizeof(grandchild)) == sizeof(grandchild));
    CHECK(is_ours(static_cast<unsigned>(getpid())));
    CHECK(is_ours(static_cast<unsigned>(child)));
    CHECK(is_ours(static_cast<unsigned>(grandchild)));
    CHECK_FALSE(is_ours(static_cast<unsigned>(getppid())));
    CHECK_FALSE(is_ours(kStranger));
    CHECK_FALSE(is_ours(0));
    kill(grandchild, SIGKILL);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("gpu state: a process is known by the files that it holds open") {
    const auto self = static_cast<unsigned>(getpid());
    const int file = open("/dev/full", O_WRONLY | O_CLOEXEC);
    REQUIRE(file >= 0);
    CHECK(has_open(self, "/dev/full"));
    CHECK(has_open(self, "/dev/ful"));
    CHECK_FALSE(has_open(self, "/dev/nvidia"));
    close(file);
    CHECK_FALSE(has_open(self, "/dev/full"));
    CHECK_FALSE(has_open(0, "/dev"));
}

TEST_CASE("gpu state: without the library, or without the GPU in it, it says why") {
    Machine machine;
    GpuWatch absent(kBusId, nobody, "libnot-there.so.1");
    absent.look();
    CHECK(absent.seen().why_not == "NVIDIA's management library (libnot-there.so.1) is not there");
    CHECK(absent.seen().disturbances.empty());

    GpuWatch elsewhere("0000:2C:00.0", nobody, LAB_TEST_FAKE_NVML);
    CHECK(elsewhere.seen().why_not ==
          "NVIDIA's management library does not know the GPU at 0000:2C:00.0");
    CHECK(machine.nvml.users == 0);

    machine.nvml.init_code = 9;  // NVML_ERROR_DRIVER_NOT_LOADED
    const GpuSeen seen = machine.one_look();
    CHECK(seen.why_not == "NVIDIA's management library does not start (error 9)");
    CHECK_FALSE(seen.others_known);
    CHECK(machine.nvml.users == 0);
}

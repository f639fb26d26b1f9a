// Stands in for libnvidia-ml.so.1 in tests: the functions that check/gpu/nvml.cpp looks for.
#include "fake_nvml.h"

#include <algorithm>
#include <cstring>

extern "C" {

FakeNvml fake_nvml;

int nvmlInit_v2() {
    if (fake_nvml.init_code == lab::kNvmlSuccess) ++fake_nvml.users;
    return fake_nvml.init_code;
}

int nvmlShutdown() {
    --fake_nvml.users;
    return lab::kNvmlSuccess;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
    if (std::strcmp(bus_id, fake_nvml.bus_id) != 0) return lab::kNvmlNotFound;
    *device = &fake_nvml;
    return lab::kNvmlSuccess;
}

int nvmlDeviceGetClockInfo(void*, int, unsigned* mhz) {
    *mhz = fake_nvml.sm_mhz;
    return lab::kNvmlSuccess;
}

int nvmlDeviceGetMaxClockInfo(void*, int, unsigned* mhz) {
    *mhz = fake_nvml.max_sm_mhz;
    return lab::kNvmlSuccess;
}

int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) {
    *celsius = fake_nvml.temperature_c;
    return lab::kNvmlSuccess;
}

// By its name before driver 535, which later drivers have, too.
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
    *reasons = fake_nvml.reasons;
    return lab::kNvmlSuccess;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, lab::NvmlProcess* processes) {
    if (*count < fake_nvml.process_count) return lab::kNvmlInsufficientSize;
    *count = fake_nvml.process_count;
    std::copy_n(fake_nvml.processes, *count, processes);
    return fake_nvml.processes_code;
}

int nvmlDeviceGetProcessUtilization(void*, lab::NvmlProcessSample* samples, unsigned* count,
                                    unsigned long long) {
    if (fake_nvml.sample_count == 0) return lab::kNvmlNotFound;
    if (*count < fake_nvml.sample_count) return lab::kNvmlInsufficientSize;
    *count = fake_nvml.sample_count;
    std::copy_n(fake_nvml.samples, *count, samples);
    return fake_nvml.samples_code;
}
}

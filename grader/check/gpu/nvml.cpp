#include "check/gpu/nvml.h"

#include <dlfcn.h>

namespace lab {
namespace {

template <class Function>
void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

std::unique_ptr<Nvml> Nvml::open(const std::string& library, std::string& why_not) {
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) {
        why_not = "NVIDIA's management library (" + library + ") is not there";
        return nullptr;
    }
    std::unique_ptr<Nvml> nvml(new Nvml(loaded));
    int (*start)() = nullptr;
    find(loaded, "nvmlInit_v2", start);
    const int code = start == nullptr ? -1 : start();
    if (code != kNvmlSuccess) {
        why_not = "NVIDIA's management library does not start (error " + std::to_string(code) + ")";
        return nullptr;
    }
    find(loaded, "nvmlShutdown", nvml->shut_down_);
    find(loaded, "nvmlDeviceGetHandleByPciBusId_v2", nvml->device_by_bus_id);
    find(loaded, "nvmlDeviceGetClockInfo", nvml->clock_mhz);
    find(loaded, "nvmlDeviceGetMaxClockInfo", nvml->max_clock_mhz);
    find(loaded, "nvmlDeviceGetTemperature", nvml->temperature_c);
    find(loaded, "nvmlDeviceGetCurrentClocksEventReasons", nvml->clock_reasons);
    // Its name before driver 535.
    if (nvml->clock_reasons == nullptr)
        find(loaded, "nvmlDeviceGetCurrentClocksThrottleReasons", nvml->clock_reasons);
    find(loaded, "nvmlDeviceGetComputeRunningProcesses_v3", nvml->processes);
    find(loaded, "nvmlDeviceGetProcessUtilization", nvml->process_samples);
    return nvml;
}

Nvml::~Nvml() {
    if (shut_down_ != nullptr) shut_down_();
    dlclose(library_);
}

}  // namespace lab

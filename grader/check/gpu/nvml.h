// NVIDIA's management library, as far as a speed test needs it. It is loaded at run time, so that
// the checker runs without a driver.
#pragma once

#include <memory>
#include <string>

// Functions, constants and layouts are those of the public NVML API reference
// (docs.nvidia.com/deploy/nvml-api). Only some packages of the toolkit have its header, and the few
// lines below have not changed since driver 510.

namespace lab {

using NvmlDevice = void*;

// nvmlReturn_t
inline constexpr int kNvmlSuccess = 0, kNvmlNotFound = 6, kNvmlInsufficientSize = 7;
// nvmlClockType_t, nvmlTemperatureSensors_t
inline constexpr int kNvmlClockSm = 1, kNvmlTemperatureGpu = 0;
// nvmlClocksEventReason...
inline constexpr unsigned long long kNvmlSwPowerCap = 0x4, kNvmlHwSlowdown = 0x8,
                                    kNvmlSyncBoost = 0x10, kNvmlSwThermalSlowdown = 0x20,
                                    kNvmlHwThermalSlowdown = 0x40, kNvmlHwPowerBrake = 0x80;

/// nvmlProcessInfo_t, version 3
struct NvmlProcess {
    unsigned pid;
    unsigned long long used_memory;
    unsigned gpu_instance, compute_instance;
};
/// nvmlProcessUtilizationSample_t
struct NvmlProcessSample {
    unsigned pid;
    unsigned long long time_us;  ///< since 1970
    unsigned sm_percent, memory_percent, encoder_percent, decoder_percent;
};

/// The library, loaded and initialised. A function that this driver does not have is null.
class Nvml {
public:
    /// Loads and initialises; when that fails, nothing, and `why_not` is a clause that says why.
    static std::unique_ptr<Nvml> open(const std::string& library, std::string& why_not);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    int (*device_by_bus_id)(const char*, NvmlDevice*) = nullptr;
    int (*clock_mhz)(NvmlDevice, int type, unsigned*) = nullptr;
    int (*max_clock_mhz)(NvmlDevice, int type, unsigned*) = nullptr;
    int (*temperature_c)(NvmlDevice, int sensor, unsigned*) = nullptr;
    int (*clock_reasons)(NvmlDevice, unsigned long long*) = nullptr;
    int (*processes)(NvmlDevice, unsigned* count, NvmlProcess*) = nullptr;
    int (*process_samples)(NvmlDevice, NvmlProcessSample*, unsigned* count,
                           unsigned long long since_us) = nullptr;

private:
    explicit Nvml(void* library) : library_(library) {}

    void* library_;
    int (*shut_down_)() = nullptr;
};

}  // namespace lab

// The answers of the stand-in for NVIDIA's management library. Its tests load it, find `fake_nvml`
// in it by name, and fill it in.
#pragma once

#include "check/gpu/nvml.h"

struct FakeNvml {
    int init_code = lab::kNvmlSuccess;
    const char* bus_id = "0000:1B:00.0";  ///< the only device there is
    unsigned sm_mhz = 1980, max_sm_mhz = 1980, temperature_c = 40;
    unsigned long long reasons = 0;
    int processes_code = lab::kNvmlSuccess, samples_code = lab::kNvmlSuccess;
    lab::NvmlProcess processes[8] = {};
    unsigned process_count = 0;
    lab::NvmlProcessSample samples[8] = {};  ///< all are given, however old
    unsigned sample_count = 0;
    int users = 0;  ///< initialised and not shut down
};

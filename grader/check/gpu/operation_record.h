// One kernel, copy or memset of a call, on the modelled clock of the virtual GPU: its beginning and
// end on a GPU. On a GPU there are none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/messages.h"

namespace lab {

struct OperationRecord {
    std::string what;       ///< "kernel scale(float*, int)", "cudaMemcpyAsync to the device"
    int stream = 0;         ///< 0: the default stream; others are numbered as they first appear
    int device_stream = 0;  ///< the virtual GPU's own number, which its messages use
    std::string engine;     ///< "kernels", "copy_to_device", "copy_to_host", "on_device"
    double begin_us = 0, end_us = 0;
    std::uint64_t host_bytes = 0;  ///< of a kernel: what it reads and writes of the host's memory
    bool is_pageable = false;      ///< of a copy: the host's memory is not page-locked
    int set_byte = 0;              ///< of cudaMemset of several bytes: its value

    double duration_us() const { return end_us - begin_us; }
    bool is_kernel() const { return engine == "kernels"; }
};

/// From the first beginning to the last end; 0 without operations.
double elapsed_us(const std::vector<OperationRecord>& operations);

/// Of all that happened during a request, what the function did: without the runner's own copies of
/// device memory before and after it.
std::vector<OperationRecord> operations_of(const Request& request,
                                           std::vector<OperationRecord> all);

}  // namespace lab

// What the virtual GPU's process tells the checker: launches, findings, calls that failed. One JSON
// object a line; the process is ours, but a hostile runner may confuse it, so lines that do not
// parse are counted and dropped, never trusted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "check/gpu/allocation_record.h"
#include "check/gpu/launch_record.h"
#include "check/gpu/operation_record.h"
#include "vgpu/finding.h"
#include "vgpu/recording.h"

namespace lab {

/// A function of the CUDA runtime that the virtual GPU does not have.
struct AbsentFunction {
    std::string function, add_in;  ///< where it would be added
};

/// A launch as it went, in one order of warps and blocks.
struct RecordedLaunch {
    std::uint64_t launch = 0;  ///< of all since the process began
    vgpu::Recording recording;
};

struct DeviceRecords {
    std::vector<LaunchRecord> launches;
    std::vector<OperationRecord> operations;
    double allocating_us = 0;  ///< of the function: allocations, releases, first touches
    std::vector<vgpu::Finding> findings;
    std::vector<AllocationRecord> allocations;
    std::vector<vgpu::FailedCall> failed_calls;
    std::vector<AbsentFunction> absent;
    std::vector<RecordedLaunch> recordings;
    std::vector<std::string> lines;  ///< launches and operations, as they came

    /// Adds one line; false when it is not a record.
    bool add(const std::string& line);
    std::uint64_t last_mark = 0;
    std::uint64_t memory_bytes =
        0;  ///< allocated at the last mark, also by the runner for the call
};

/// The checker's end of the channel.
class DeviceChannel {
public:
    DeviceChannel() = default;
    explicit DeviceChannel(Descriptor socket) : socket_(std::move(socket)) {}

    int descriptor() const { return socket_.get(); }
    bool open() const { return static_cast<bool>(socket_); }
    /// Reads what is there, without waiting.
    void read_available();
    /// Waits until all that belongs to what was done so far has arrived; false when the process is
    /// gone or silent.
    bool settle();
    /// From now on blocks and warps run in the order of this seed; 0: one after the other. Does not
    /// return before that is so, or the process gone or silent.
    void order(std::uint64_t seed);
    /// Whether from now on launches say which thread wrote what. As order().
    void record_writers(bool wanted);
    /// Whether from now on host and kernels see different data (vgpu/decoys.h). As order().
    void show_decoys(bool wanted);
    /// Whether from now on launches are recorded step by step. As order().
    void record_steps(bool wanted);
    /// The records since the last take().
    DeviceRecords take();

private:
    bool tell(const std::string& line);

    Descriptor socket_;
    std::string unread_;
    DeviceRecords records_;
    std::uint64_t marks_ = 0, seed_ = 0;
    bool records_writers_ = false;
};

}  // namespace lab

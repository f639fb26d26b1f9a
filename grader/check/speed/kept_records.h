// Caches the reference's records of a speed test on the virtual GPU from one grading to the next:
// on the same data it does the same work. The data's seed lies in the same folder, which no
// submission can read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "check/call/call.h"
#include "check/gpu/device_records.h"

namespace lab {

class KeptRecords {
public:
    explicit KeptRecords(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The seed of the data: drawn at random when the folder has none. Nothing where it cannot be
    /// kept.
    std::optional<std::uint64_t> seed() const;
    /// Nothing if they were not kept, or the file is damaged.
    std::optional<DeviceRecords> find(const std::string& key) const;
    /// Keeps launches and operations. Does nothing in a folder that cannot be written.
    void keep(const std::string& key, const DeviceRecords& records) const;

private:
    std::filesystem::path folder_;
};

/// In the folder of the reference's runner, which is a new one after any change in it.
KeptRecords kept_reference();

/// All that the records of a call depend on except the reference, in one line. `device`: the
/// virtual GPU's program, identified by its size and time.
std::string key_of(const CallPlan& plan, const std::filesystem::path& device);

}  // namespace lab

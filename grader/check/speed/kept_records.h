// Keeps the reference's records of a speed test on the virtual GPU from one grading to the next:
// with the same data it does the same. The data come from a number that lies in the folder, too,
// and that no submission can know.
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

    /// The number that the data are drawn from: chosen by chance when the folder has none. Nothing
    /// where it cannot be kept.
    std::optional<std::uint64_t> seed() const;
    /// Nothing if they were not kept, or what is there is damaged.
    std::optional<DeviceRecords> find(const std::string& key) const;
    /// Launches and operations. Does nothing where nothing can be written.
    void keep(const std::string& key, const DeviceRecords& records) const;

private:
    std::filesystem::path folder_;
};

/// Beside the reference's runner, which is another one when anything changes in it.
KeptRecords kept_reference();

/// One line: all that the records of a call depend on, but for the program. `device`: the virtual
/// GPU's program, known by its size and time.
std::string key_of(const CallPlan& plan, const std::filesystem::path& device);

}  // namespace lab

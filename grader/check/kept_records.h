// What the reference did in a race on the virtual GPU. With the same data it does the same every
// time, so its records are kept in a folder from one grading to the next, and the data are the same
// in all of them: drawn from a number that lies in the folder, too, and that no submission can
// know.
//
// Interface: KeptRecords, kept_reference, key_of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "check/call.h"
#include "check/device_records.h"

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

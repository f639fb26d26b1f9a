// Findings and recordings as JSON: records that the device process sends and others read back; of
// findings also the documented form with sentences and the reader's names (docs/results.md).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "vgpu/describe.h"
#include "vgpu/finding.h"
#include "vgpu/recording.h"

namespace vgpu {

/// All fields, no sentence.
nlohmann::json record_of(const Finding&);
/// The finding of a record; nothing where a field is missing or of another type.
std::optional<Finding> finding_of(const nlohmann::json& record);

/// As docs/recording.md says.
nlohmann::ordered_json record_of(const Recording&);
/// Nothing where a field is missing, of another type, or leads nowhere.
std::optional<Recording> recording_of(const nlohmann::json& record);

nlohmann::ordered_json record_of(const FailedCall&);
std::optional<FailedCall> failed_call_of(const nlohmann::json& record);

/// The documented form: the fields that the record has, `message` and `detail`, and names as the
/// reader knows them.
nlohmann::ordered_json json_of(const Finding&, const Names& = Names());
nlohmann::ordered_json json_of(const FailedCall&, const Names& = Names());

/// "out_of_bounds"
std::string_view name_of(Check);

}  // namespace vgpu

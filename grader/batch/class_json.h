// A class as JSON, as the store keeps it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "batch/class.h"

namespace lab {

/// UTC, "2026-01-31T12:00:00Z".
std::string to_text(Time time);
/// Throws Failure (our fault) for anything else.
Time parse_time(const std::string& text);
/// Now, as such a text.
std::string time_now();

nlohmann::ordered_json to_json(const Student& student);
nlohmann::ordered_json to_json(const Attempt& attempt);
nlohmann::ordered_json to_json(const Policy& policy);

/// The reverse; throw nlohmann's exceptions for anything that the functions above did not write.
Student student_from(const nlohmann::ordered_json& json);
Attempt attempt_from(const nlohmann::ordered_json& json);
Policy policy_from(const nlohmann::ordered_json& json);

}  // namespace lab

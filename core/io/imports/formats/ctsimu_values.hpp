#pragma once

#include "core/io/files/json_fields.hpp"

#include <string>
#include <string_view>

namespace gantry {

// Values in the JSON files of CTSimU: objects {"value": 1.3, "unit": "mm"}. All functions throw
// InputError, which names the field.

/// Reads such a file, which must be a JSON object with a "file_type" of CTSimU.
nlohmann::json read_ctsimu_json(const std::string& path);

/// Returns a number without a unit.
double ctsimu_number(const JsonFields& object, const std::string& key);
/// Returns a whole number from `low` to `high`.
int ctsimu_whole(const JsonFields& object, const std::string& key, int low, int high);
/// Returns a length in mm, also for other units of length.
double ctsimu_length_mm(const JsonFields& object, const std::string& key);
/// Returns an angle in radians.
double ctsimu_angle_rad(const JsonFields& object, const std::string& key);

/// Judges a file by its first bytes, for FileFormat::magic.
bool begins_ctsimu_json(std::string_view start);

}  // namespace gantry

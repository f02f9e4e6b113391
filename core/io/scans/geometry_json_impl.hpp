#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/io/files/json_fields.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gantry {

/// Conversions for files that contain a geometry; for the format see geometry_json.hpp.
nlohmann::ordered_json to_json(const ScanSpec& spec);

/// Reads a geometry from its JSON object, as parse_geometry does. Throws InputError.
ScanSpec scan_spec_from_json(const JsonFields& geometry, std::vector<std::string>* notes = nullptr);

/// Returns the paths of the fields that scan_spec_from_json does not use.
std::vector<std::string> unknown_geometry_fields(const JsonFields& geometry);

}  // namespace gantry

#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/io/files/json_fields.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gantry {

/// For files that embed a geometry; see geometry_json.hpp.
nlohmann::ordered_json to_json(const ScanSpec& spec);

/// Throws InputError.
ScanSpec scan_spec_from_json(const JsonFields& geometry, std::vector<std::string>* notes = nullptr);

/// Paths of the fields that scan_spec_from_json leaves out.
std::vector<std::string> unknown_geometry_fields(const JsonFields& geometry);

}  // namespace gantry

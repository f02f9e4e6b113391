#pragma once

#include "core/io/files/json_fields.hpp"
#include "core/io/imports/import_settings.hpp"

namespace gantry {

/// Read and write what a user says of a scan of another program, as an object of an experiment file
/// in `folder`:
///   {"data": "/entry/data", "flat_data": PATH, "dark_data": PATH, "angles_data": PATH,
///    "flats": [FILE, ...], "darks": [FILE, ...], "angles": FILE, "arc_deg": 180,
///    "arc_is_open": false, "assumes_half_turn": false, "geometry": FILE, "translations":
///    "as_stated" | "nexus" | "esrf", "only_turns": false, "pixel_mm": 0.1,
///    "source_to_axis_mm": 300, "source_to_detector_mm": 400, "centre_column": 85.9,
///    "average": "median" | "mean", "air_columns": 0, "white_level": 47000,
///    "are_line_integrals": false,
///    "leaves_out_damaged": false}
/// All fields may be left out. Throws InputError naming the field and what to do.
ImportSettings import_from_json(const JsonFields& fields, const std::string& folder);
nlohmann::ordered_json to_json(const ImportSettings& settings, const std::string& folder);

}  // namespace gantry

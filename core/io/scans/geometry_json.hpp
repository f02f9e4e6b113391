#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Reads a geometry from JSON text: the object "geometry" of a scan file, or an object that holds
/// one under that key, such as a whole scan file. Angles are in degrees: a list, or {"first",
/// "step", "count"}. central_column and central_row default to the middle, trajectory to circular.
/// The detector shape and the distances may be omitted for a parallel beam, detector_rows and
/// row_pitch_mm for a single row. The trajectory "poses" has a list "poses" of {"source_mm",
/// "detector_mm", "u_mm", "v_mm"} instead of distances, pitches and angles. The result is valid for
/// ScanGeometry. If `notes` is given, unknown fields are added to it. Throws InputError: `where` (a
/// file), the field, what is wrong and what to do.
ScanSpec parse_geometry(const std::string& json_text, const std::string& where,
                        std::vector<std::string>* notes = nullptr);

/// Returns a geometry as such a text, one field per line. Angles that were given in degrees read
/// back as the same numbers.
std::string format_geometry(const ScanSpec& spec);

}  // namespace gantry

#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Reads a geometry from JSON text: the object "geometry" of a scan file, or an object that holds
/// one under that key, such as a whole scan file. Angles are in degrees there:
/// a list, or {"first", "step", "count"}. central_column and central_row default to the middle,
/// trajectory to circular; the detector shape and distances may be left out for a parallel beam,
/// detector_rows and row_pitch_mm for a single row. The trajectory "poses" has a list "poses" of
/// {"source_mm", "detector_mm", "u_mm", "v_mm"} instead of distances, pitches and angles. The
/// result is valid for ScanGeometry. Unknown fields are named in `notes`, where given. Throws
/// InputError: `where` (a file), the field, what is wrong and what to do.
ScanSpec parse_geometry(const std::string& json_text, const std::string& where,
                        std::vector<std::string>* notes = nullptr);

/// The same as text, one field a line. Angles that came from degrees read back as the same numbers.
std::string format_geometry(const ScanSpec& spec);

}  // namespace gantry

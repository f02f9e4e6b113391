#pragma once

#include "core/io/files/file_format.hpp"
#include "core/io/geometries/stated_geometry.hpp"

#include <functional>
#include <string>

namespace gantry {

/// A format of geometries of other programs, without projections.
struct GeometryFormat : FileFormat {
  /// Reads a geometry; what the file does not state of the detector comes from `known`. Throws
  /// InputError.
  std::function<StatedGeometry(const std::string& path, const KnownDetector& known)> read = {};
  bool is_any_table = false;  ///< its extensions are also those of tables of something else
};

/// Returns every format of geometries, in the order in which help texts list them.
const FormatRegistry<GeometryFormat>& geometry_formats();

/// Completes the detector of a geometry whose poses are given: columns and rows are those of
/// `known`, the poses point to the middle of the detector. Throws InputError, naming `where`, if
/// their number is not known; `remedy` says how the file itself can state it.
ScanSpec poses_on_detector(const KnownDetector& known, const std::string& where,
                           const std::string& remedy);

/// Notes views of a point source in which the origin, about which volumes lie, is not between
/// source and detector.
void note_object_outside(StatedGeometry& stated);

/// Returns the beam of a point source onto a detector: a fan for a single row.
Beam beam_onto_rows(int rows);

/// Makes a circle of free poses that are one (circle_of_poses()), since many methods work on
/// circles alone. Where the first row of the files is the uppermost one, the circle counts rows
/// from the lowest one (StatedGeometry::has_rows_of_files becomes false). The beam of a circle onto
/// a single row at the height of the source becomes a fan. Leaves other poses as they are.
void make_circle(StatedGeometry& stated);

}  // namespace gantry

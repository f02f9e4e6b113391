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
};

/// Returns every format of geometries, in the order in which help texts list them.
const FormatRegistry<GeometryFormat>& geometry_formats();

/// Completes the detector of a geometry whose poses are given: columns and rows are those of
/// `known`, the poses point to the middle of the detector. Throws InputError, naming `where`, if
/// their number is not known; `remedy` says how the file itself can state it.
ScanSpec poses_on_detector(const KnownDetector& known, const std::string& where,
                           const std::string& remedy);

}  // namespace gantry

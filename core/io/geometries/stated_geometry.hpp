#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Something that a reader took for granted because the files do not state it.
struct Assumption {
  std::string what;   ///< "angles"
  std::string value;  ///< "0 to 180 degrees, both ends measured"
  std::string why;    ///< "its numbers fit the projections"

  friend bool operator==(const Assumption&, const Assumption&) = default;
};

/// A place on a detector, in fractions of cells.
struct CellPlace {
  double column = 0, row = 0;

  friend bool operator==(const CellPlace&, const CellPlace&) = default;
};

/// What is known of a detector besides a file of its poses, as from the projections; 0: not known.
struct KnownDetector {
  int columns = 0, rows = 0;
  double pixel_mm = 0;      ///< distance of cells, mm
  double row_pixel_mm = 0;  ///< that of rows, mm; 0: as `pixel_mm`
  /// Where the point (0, 0) of its coordinates lies, which images of ITK state; empty: not known.
  std::optional<CellPlace> zero = {};
  /// A size of a cell that nobody states may be assumed where no ray depends on it.
  bool may_assume_pixel = false;

  double row_pitch_mm() const { return row_pixel_mm > 0 ? row_pixel_mm : pixel_mm; }
};

/// A geometry as the files of another program state it.
struct StatedGeometry {
  ScanSpec spec;
  /// Row 0 is the first row of an image file, as in other programs; else the lowest one.
  bool has_rows_of_files = false;
  std::vector<Assumption> assumptions;
  std::vector<std::string> notes;  ///< contradictions and what was left out, one line each
};

}  // namespace gantry

#pragma once

#include "core/base/interrupt.hpp"
#include "core/io/imports/line_integrals.hpp"
#include "core/io/imports/raw_scan.hpp"
#include "core/io/scans/projection_format.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// What a user says of a scan of another program. Everything that is left open is concluded from
/// the files, or taken for granted with a word (RawScan::assumptions).
struct ImportRequest {
  std::string path;                ///< folder or file with the projections
  std::vector<std::string> flats;  ///< files; empty: those found by their names
  std::vector<std::string> darks;  ///< likewise
  std::string angles;              ///< file with one angle per line; empty: a text file beside
  std::optional<double> arc_deg;   ///< angle from the first to the last projection
  bool arc_is_open = false;        ///< the last projection lies a step before the end of the arc
  std::string geometry;            ///< scan file or JSON with the geometry; empty: see below
  double pixel_mm = 0;             ///< distance of detector cells, mm; 0: not known
  double source_to_axis_mm = 0, source_to_detector_mm = 0;  ///< mm; 0: a parallel beam
  std::optional<double> centre;  ///< column of the axis of rotation, from 0; empty: found from
                                 ///< views half a turn apart, else the middle
  NormaliseOptions normalise;
};

/// A format of projections as other programs store them: images or containers of intensities.
struct ImportFormat : FileFormat {
  /// Opens a folder or file without reading the frames. Throws InputError.
  std::function<RawScan(const ImportRequest&)> read = {};
};

/// Returns every format that can be imported, in the order in which help texts list them.
const FormatRegistry<ImportFormat>& import_formats();

/// A scan that was imported.
struct ImportedScan {
  LoadedScan scan;
  std::vector<Assumption> assumptions;
};

/// Imports a scan. Throws InputError: an unknown format, a damaged file, angles that are not known
/// or do not fit, a geometry of another size. May throw Interrupted.
ImportedScan import_scan(const ImportRequest& request,
                         const std::function<void(double)>& progress = {},
                         const Interrupt* interrupt = nullptr);

}  // namespace gantry

#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// A scan of a Bruker SkyScan machine: its log (skyscan_log.hpp), beside it TIFF projections, the
/// prefix of the log with a number: Scan0000.tif. The machine has normalised them by its flats.
/// Connected scans of a long object are imported part by part.
ImportFormat skyscan_scan_format();

}  // namespace gantry

#pragma once

#include "core/io/files/raw_numbers.hpp"
#include "core/io/scans/projection_format.hpp"

#include <string>

namespace gantry {

/// Returns the format of Gantry's scan files: NAME.scan.json with the geometry, and the raw data
/// file NAME.f32 that it names.
ProjectionFormat gantry_scan_format();

/// Reads NAME.scan.json and the raw data file that it names by a path relative to its own folder,
/// in this folder or below. Counts are converted to line integrals by photons_per_ray. Throws
/// InputError naming the file, the field and what to do: for fields that are missing, of the wrong
/// type or out of range, for an unknown format or version, and for a data file that lies elsewhere
/// (unless allows_data_outside()), whose size does not fit the geometry, whose checksum is not the
/// stated one, or whose values are not finite. If a header without a checksum is older than its
/// data, the notes say so.
LoadedScan read_gantry_scan(const std::string& path);

/// A scan file without its data, and how these lie in their file, [view][row][column].
struct GantryScanHeader {
  LoadedScan scan;  ///< without line integrals
  std::string data_file;
  NumberFormat numbers;  ///< of line integrals, or of counts where the scan has photons per ray
};
/// Reads NAME.scan.json and checks the data file, but holds no data. Throws like read_gantry_scan,
/// but for values that are not finite or in the other byte order.
GantryScanHeader read_gantry_header(const std::string& path);

/// Writes the values as float32 to NAME.f32, and NAME.scan.json (or NAME.json), which names this
/// file, its length and its CRC-32; a reader finds both old files or both new ones. Throws
/// OutputError, UsageError for any other name, ShapeError unless the number of values is that of
/// the geometry's rays.
void write_gantry_scan(const std::string& path, const ScanToWrite& scan);

}  // namespace gantry

#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/scans/simulation_record.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// How a detector counted: mean number of photons of an unattenuated ray (0: not known, or no
/// counts), and standard deviation of the electronic noise, in photons.
struct PhotonCounting {
  double photons_per_ray = 0, electronic_sigma = 0;
};

/// A scan as read from a file.
struct LoadedScan {
  std::shared_ptr<const ScanGeometry> geometry;
  std::vector<float> line_integrals;           ///< no unit, [view][row][column]
  std::string source;                          ///< path of the JSON file
  PhotonCounting counting;                     ///< for a file of counts; else 0
  std::optional<SimulationRecord> simulation;  ///< how simulated data were made, if stated
  std::string description, license;            ///< from the file, may be empty
  std::vector<std::string> notes;              ///< what a user should know, one line each
};

/// Reads NAME.scan.json and the raw data file that it names by a path relative to its own folder,
/// in this folder or below. Counts are converted to line integrals by photons_per_ray. Throws
/// InputError naming the file, the field and what to do: for fields that are missing, of the wrong
/// type or out of range, for an unknown format or version, and for a data file that lies elsewhere
/// (unless allows_data_outside()), whose size does not fit the geometry, whose checksum is not the
/// stated one, or whose values are not finite. If a header without a checksum is older than its
/// data, the notes say so.
LoadedScan read_scan(const std::string& path);

/// Returns the geometry of a scan file, without reading its data, or of a file that holds nothing
/// else. Throws InputError.
ScanSpec read_geometry(const std::string& path);

/// Returns NAME.f32 for NAME.scan.json or NAME.json. Throws UsageError for any other name.
std::string data_path_of_scan(const std::string& path);

/// Returns the path of the data file that a scan file names; empty if `path` is no scan file or
/// cannot be read.
std::string data_path_in_scan(const std::string& path);

/// Throws, as write_scan would, if the scan could not be written; changes nothing.
void require_writable_scan(const std::string& path);

/// Writes line integrals [view][row][column] as float32 to NAME.f32, and NAME.scan.json, which
/// names this file, its length and its CRC-32; a reader finds both old files or both new ones.
/// `path` is NAME.scan.json or NAME.json. If `counting` has photons per ray, the file holds counts,
/// I = I0 exp(-p), instead of line integrals. `simulation` says how simulated data were made.
/// `access` applies to new files. Throws OutputError, UsageError for any other name, ShapeError
/// unless the number of values is that of the geometry's rays.
void write_scan(const std::string& path, const ScanGeometry& geometry,
                std::span<const float> line_integrals, const std::string& description,
                const PhotonCounting& counting = {},
                const std::optional<SimulationRecord>& simulation = {},
                FileAccess access = FileAccess::usual);

}  // namespace gantry

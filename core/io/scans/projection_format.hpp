#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/files/file_format.hpp"
#include "core/io/scans/simulation_record.hpp"

#include <functional>
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
  std::vector<float> line_integrals;  ///< no unit, [view][row][column]
  std::string source;                 ///< path of the file
  PhotonCounting counting;            ///< for a file of counts; else 0
  double mu_water = 0;  ///< attenuation of water that the files state, 1/mm; 0: not stated
  std::optional<SimulationRecord> simulation;  ///< how simulated data were made, if stated
  std::string description, license;            ///< from the file, may be empty
  std::vector<std::string> notes;              ///< what a user should know, one line each
  bool lengths_are_known = true;  ///< false: the size of a cell is unknown and taken as 1 mm
  bool lacks_flat = false;        ///< no flat was applied: gain and beam may differ between cells
  /// Columns were added at the ends of rows that do not end in air, which the rows then hide.
  bool hides_cut_rows = false;
};

/// A scan to write, with its description.
struct ScanToWrite {
  const ScanGeometry& geometry;
  std::span<const float> line_integrals;  ///< no unit, [view][row][column]
  std::string description = {};
  PhotonCounting counting = {};  ///< with photons per ray: write counts, I = I0 exp(-p)
  std::optional<SimulationRecord> simulation = {};  ///< how simulated data were made
  FileAccess access = FileAccess::usual;            ///< of new files
  double mu_water = 0;            ///< attenuation of water, 1/mm; 0 or the default: not stated
  bool lengths_are_known = true;  ///< false: see LoadedScan
  bool lacks_flat = false;        ///< see LoadedScan
  bool hides_cut_rows = false;    ///< see LoadedScan
};

/// A file format of measured or simulated projections. The functions take paths that the format
/// recognises, and parameters that are completed by FileFormat::options; each may be empty.
struct ProjectionFormat : FileFormat {
  /// Reads a scan. Throws InputError. Empty: the format cannot be read.
  std::function<LoadedScan(const std::string& path, const Params&)> read = {};
  /// Reads the geometry without the data. Throws InputError. Not empty if `read` is not.
  std::function<ScanSpec(const std::string& path, const Params&)> read_geometry = {};
  /// Returns the path of the data that a scan names. Throws InputError. Empty: `path` itself.
  std::function<std::string(const std::string& path)> data_path = {};
  /// Writes a scan, completely or not at all. Throws OutputError, UsageError for a name that the
  /// format cannot hold, ShapeError unless the number of values is that of the geometry's rays.
  /// Empty: the format cannot be written.
  std::function<void(const std::string& path, const ScanToWrite&, const Params&)> write = {};
  /// Returns the files that `write` makes, `path` first. Throws UsageError. Empty: `path` alone.
  std::function<std::vector<std::string>(const std::string& path)> files = {};
  /// Throws, as `write` would, if the scan could not be written; changes nothing. Empty: `files`
  /// are one file, which is probed.
  std::function<void(const std::string& path)> require_writable = {};
};

}  // namespace gantry

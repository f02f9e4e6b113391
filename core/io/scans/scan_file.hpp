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

/// How a detector counted: photons of an unattenuated ray (0: not known, or no counts), and
/// standard deviation of its electronic noise, in photons.
struct PhotonCounting {
  double photons_per_ray = 0, electronic_sigma = 0;
};

/// A scan as read from a file.
struct LoadedScan {
  std::shared_ptr<const ScanGeometry> geometry;
  std::vector<float> line_integrals;           ///< no unit, [view][row][column]
  std::string source;                          ///< path of the JSON file
  PhotonCounting counting;                     ///< of a file of counts; else not known
  std::optional<SimulationRecord> simulation;  ///< how simulated data were made, where it says
  std::string description, license;            ///< as in the file, may be empty
  std::vector<std::string> notes;              ///< what a user should know, one line each
};

/// Reads NAME.scan.json and the raw data file that it names, relative to itself and in its folder
/// or below. Counts are turned into line integrals by photons_per_ray. Throws InputError naming the
/// file, the field and what to do: for anything missing, of the wrong type or out of range, an
/// unknown format or version, a data file elsewhere (see allowances.hpp), of another size than the
/// geometry's or with another checksum than the file says, and data that are not finite. A header
/// without a checksum that is older than its data is a note.
LoadedScan read_scan(const std::string& path);

/// The geometry alone, of a scan file (without its data) or of a file that holds nothing else.
/// Throws InputError.
ScanSpec read_geometry(const std::string& path);

/// NAME.f32 of NAME.scan.json or NAME.json. Throws UsageError for another name.
std::string data_path_of_scan(const std::string& path);

/// The data file that a scan file names; empty where `path` is none that can be read.
std::string data_path_in_scan(const std::string& path);

/// Throws, as write_scan would, where it could not write; changes nothing.
void require_writable_scan(const std::string& path);

/// Writes line integrals [view][row][column] as float32 to NAME.f32 and NAME.scan.json that names
/// it, with length and CRC-32 of the data; both are the old ones or both the new. `path` is
/// NAME.scan.json or NAME.json. Throws OutputError, UsageError for another name, ShapeError for
/// data that are not the geometry's size. With photons per ray the file holds counts, I = I0
/// exp(-p), instead of line integrals. Of simulated data it says how they were made. `access` is
/// that of new files.
void write_scan(const std::string& path, const ScanGeometry& geometry,
                std::span<const float> line_integrals, const std::string& description,
                const PhotonCounting& counting = {},
                const std::optional<SimulationRecord>& simulation = {},
                FileAccess access = FileAccess::usual);

}  // namespace gantry

#pragma once

#include "core/io/geometries/stated_geometry.hpp"
#include "core/io/scans/projection_format.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

// Reading and writing of scans in any of projection_formats().

/// Reads a scan. Throws InputError naming the file, the field and what to do, also for a file of no
/// known format; UsageError for a format that this build cannot read.
LoadedScan read_scan(const std::string& path, const Params& params = {});

/// Returns the geometry of a scan file, without reading its data, or of a file that holds nothing
/// else, in any of geometry_formats() too. Throws like read_scan.
ScanSpec read_geometry(const std::string& path, const Params& params = {});
/// Does the same, and says what was assumed. What such a file does not state of the detector comes
/// from `known`. Free poses of another program that make a circle become one.
StatedGeometry read_stated_geometry(const std::string& path, const KnownDetector& known,
                                    const Params& params = {});

/// Returns the path of the data file that a scan file names; empty if `path` is no scan file, holds
/// the data itself, or cannot be read.
std::string data_path_in_scan(const std::string& path);

/// Returns the files that write_scan would write, `path` first. Throws UsageError like write_scan.
std::vector<std::string> files_of_scan(const std::string& path);

/// Return what a file to read, and a new file, may be called: "NAME.scan.json".
std::string scan_names_to_read();
std::string scan_names_to_write();

/// Throws, as write_scan would, if the scan could not be written; changes nothing.
void require_writable_scan(const std::string& path);

/// Writes a scan, completely or not at all, in the format that the extension of the path (in upper
/// or lower case) stands for. If its counting has photons per ray, the file holds counts, I = I0
/// exp(-p), instead of line integrals. Throws OutputError, UsageError for any other name,
/// ShapeError unless the number of values is that of the geometry's rays.
void write_scan(const std::string& path, const ScanToWrite& scan, const Params& params = {});
/// Does the same with the parts of a scan that does not state the attenuation of water.
void write_scan(const std::string& path, const ScanGeometry& geometry,
                std::span<const float> line_integrals, const std::string& description,
                const PhotonCounting& counting = {},
                const std::optional<SimulationRecord>& simulation = {},
                FileAccess access = FileAccess::usual, const Params& params = {});

}  // namespace gantry

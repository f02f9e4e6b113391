#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/import_scan.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

// Flats and darks that tomoscan and nabu (ESRF) have averaged. Beside scan.nx lie scan_flats.hdf5
// and scan_darks.hdf5, with data sets of one image each: /entry0000/flats/0, /entry0000/flats/1500.
// Each is called by the place of its first frame among all frames of the scan, flats and darks
// included.

/// Returns the place that the path of such a data set states; nothing for other paths.
std::optional<int> place_of_reduced(const std::string& path);

/// Returns the data sets of such images in a group, "/entry0000/flats", by rising place; none where
/// it holds others.
std::vector<const Hdf5Dataset*> reduced_in(const Hdf5File& file, const std::string& group);
/// Returns those in the only group of a file that is called `word`, "flats", of several in that of
/// the `entry` "/entry0000/"; none where this does not tell them.
std::vector<const Hdf5Dataset*> reduced_frames(const Hdf5File& file, const std::string& word,
                                               const std::string& entry);

/// Returns when flats were taken, as RawScan::flat_views has it, by the places of their first
/// frames.
std::vector<double> views_of_places(std::span<const int> places, const FrameSource& projections);

/// Returns the request with the files of reduced flats and darks that lie beside the file of the
/// projections, in the same `entry`, where it gives none and the scan has none; says which they
/// are.
ImportRequest with_reduced_beside(const ImportRequest& request, const std::string& entry,
                                  RawScan& scan);

/// Returns the files of HDF5 in a folder beside which their reduced flats or darks lie.
std::vector<std::string> scans_with_reduced(const std::string& folder);
/// Returns the only one of these, or a path that is no folder. Throws InputError where there are
/// several.
std::string file_of_scan(const std::string& path);

}  // namespace gantry

#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// The geometry of an imported scan.
struct ImportGeometry {
  StatedGeometry stated;
  bool is_centre_open = false;  ///< the column of the axis is to be found from the data
};

/// Why angles are assumed that neither the files nor the projections tell.
inline constexpr const char* nothing_tells = "nothing tells them";

/// Says that lengths are in cells.
inline const Assumption unknown_pixel = {"size of a cell",
                                         "unknown: lengths are in cells, a cell is 1 mm in files",
                                         "neither the files nor the user state it"};

/// Returns the geometry in the file that the request names; else the one that the files of the scan
/// state, in which numbers of the request take their place, with a note; else a circle with what
/// the request says and assumptions for the rest. Throws InputError: angles that are not known, a
/// geometry of another size; UsageError for a number that cannot change free poses.
ImportGeometry geometry_of_import(const ImportRequest& request, const RawScan& raw);

/// Empties RawScan::off_circle, with a note that says why, where it does not count: the request
/// asks for a plain turn or gives a geometry, nobody states the size of a cell, or the moves or
/// shifts displace the shadow of the object by less than a tenth of a cell.
void leave_out_unless_it_counts(RawScan& raw, const ImportRequest& request, const ScanSpec& circle,
                                bool lengths_are_known);

/// Returns the moves of the object that displace its images at the axis as its own moves or the
/// shifts of the detector do, as still_views() takes them; empty: none.
std::vector<Vec3> moves_of_images(const ScanSpec& circle, const OffCircle& off_circle);

/// Returns a scan on a circle as the files say that it was not one.
ScanSpec left_circle(const ScanSpec& circle, const OffCircle& off_circle);

}  // namespace gantry

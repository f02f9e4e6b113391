#pragma once

#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/arrays/named_angles.hpp"
#include "core/io/imports/import_scan.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// The arrays of a file, of which some may be the flats and darks of its projections.
struct FramesOfFile {
  ArraysOfFile file;
  FrameAxes axes;  ///< of the projections
  /// The group, "/scan_1/", in which no other array may be the projections of a second scan, to
  /// which flats could belong; "" where the whole file has none, nothing where there is no such.
  std::optional<std::string> group_of_scan = "";
  /// Opens the frames in an array beside the projections.
  std::function<std::shared_ptr<const FrameSource>(const ListedArray&)> open;
  bool seeks_flats = true, seeks_darks = true;  ///< the user does not give them
  bool are_line_integrals = false;              ///< which have no flats
  std::string takes;  ///< how the user takes others: "--flat-data and --dark-data take"
};

/// Returns what may be the projections, of arrays that are neither named as flats or darks plainly
/// (names_of_flats) nor `given` as such: those whose name, or that of whose group, does not call
/// them so either, unless nothing would remain; then those whose group says more than that, as
/// "dark_chocolate" beside "darks".
std::vector<const ListedArray*> without_flats_and_darks(
    const std::vector<const ListedArray*>& arrays, const std::vector<const ListedArray*>& given);

/// Returns the outermost group of an array in which none of the `others` lies, ""  where there are
/// none; nothing where one lies in the innermost group.
std::optional<std::string> group_without(const std::vector<const ListedArray*>& others,
                                         const ListedArray& array);

/// Takes as flats and as darks the array beside the frames of a plain name; else the only one in
/// the file that is called so (role_of_array()), or the only series, as of before and after, if
/// they have the cells of the projections and lie in the group of the scan, or, where this has
/// none, beside the groups of several scans. Flats of a doubtful
/// name, as "background", are taken where there are no others; those that are far darker than the
/// projections are the darks, where there are no others. What was taken is said, and others that
/// are named so are noted. Returns all of these.
std::vector<const ListedArray*> take_named_frames(const FramesOfFile& frames, RawScan& scan);

/// Whether the images of an array, of up to three axes, have the columns of the projections, and,
/// unless `columns_alone`, the rows.
bool has_cells_of(const FrameSource& projections, const ListedArray& array,
                  const FrameAxes& of_projections, bool columns_alone);

}  // namespace gantry

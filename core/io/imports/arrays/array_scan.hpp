#pragma once

#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/imports/arrays/array_axes.hpp"
#include "core/io/imports/import_scan.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// Opens a file of arrays.
using OpenArrays = std::function<ArrayFile(const std::string& path)>;

/// Judges by its first bytes whether a file is of a format.
using JudgeStart = std::function<Certainty(std::string_view start)>;

/// What the arrays of a format mean where their names do not say it.
struct ArrayCustom {
  UsualViews views;
  OpenArrays open = {};    ///< opens files of this format
  JudgeStart is_own = {};  ///< whether flats and darks are such a file
};

/// Makes a scan of arrays that are known by their names, as take_named_frames() and named_angles()
/// say. The projections are three-dimensional, or a sinogram of two dimensions, with
/// axes_of_projections().
/// Flats and darks that are given may be of any format that holds frames alone. What was concluded
/// is said (RawScan::assumptions). Throws InputError: no array may be the projections, or one does
/// not fit them.
RawScan scan_of_arrays(const ArrayFile& file, const ImportRequest& request,
                       const ArrayCustom& custom);

}  // namespace gantry

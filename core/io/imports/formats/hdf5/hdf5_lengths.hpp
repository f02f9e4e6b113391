#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <string_view>

namespace gantry {

/// Returns how many mm a unit is, as attributes name it ("um"); 0: no unit of length.
double mm_in(std::string_view unit);

/// Takes what a file states, with a unit, of lengths: the size of a cell, and, as NXsource and
/// NXdetector do, how far source and detector are from the object (source/distance, negative
/// upstream, and detector/distance). The size of a cell is that of x_pixel_size and y_pixel_size,
/// or pixel_size_x, or pixel_size for both, unless objective/resolution states it at the object.
/// Of several, the one whose path has most in common with that of the frames counts. Fields that
/// contradict each other, and one without a unit, are noted unless the user gives the size
/// (`has_given_cell`).
void take_lengths(const Hdf5File& file, const Hdf5Dataset& frames, bool has_given_cell,
                  RawScan& scan);

}  // namespace gantry

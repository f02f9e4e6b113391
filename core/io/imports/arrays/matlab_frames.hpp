#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// MAT-files as projections: arrays known by their names, and the scans of the Helsinki Tomography
/// Challenge 2022 and other open data of the University of Helsinki, whose parameters state the
/// geometry of the fan beam.
ImportFormat matlab_frames_format();

}  // namespace gantry

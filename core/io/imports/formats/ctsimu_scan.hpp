#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// A scan in the form of CTSimU: metadata (JSON) that name the files of projections, flats and
/// darks, stacks without a header or images, and the scenario with the geometry
/// (ctsimu_scenario.hpp). Either of the two files may be given; the metadata of a scenario are
/// looked for beside it and in the folders directly below.
ImportFormat ctsimu_scan_format();

}  // namespace gantry

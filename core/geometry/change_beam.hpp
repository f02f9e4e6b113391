#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

namespace gantry {

/// Returns the scan with another beam, over the same views and columns. If a cone beam becomes a
/// parallel or fan beam, the trajectory becomes circular and each detector row measures one slice
/// of the grid. If a parallel or fan beam becomes a cone beam, rows get the pitch of the columns
/// and cover the slices of the grid within its inscribed cylinder (a grid of one slice gets one
/// row). A scan without a source gets one: SID is four detector widths and SDD 1.5 SID. A parallel
/// beam gets a flat detector.
ScanSpec with_beam(ScanSpec spec, Beam beam, const VolumeGrid& grid);

}  // namespace gantry

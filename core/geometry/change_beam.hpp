#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

namespace gantry {

/// The scan with another beam, over the same views and columns. Of a parallel or fan beam each row
/// sees one slice of the grid; rows of a cone are as high as columns are wide and cover the grid's
/// slices as far as its inscribed cylinder reaches. A beam other than a cone goes round a circle;
/// one without a source before gets it at four detector widths.
ScanSpec with_beam(ScanSpec spec, Beam beam, const VolumeGrid& grid);

}  // namespace gantry

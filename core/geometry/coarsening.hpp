#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <span>
#include <vector>

namespace gantry {

/// How many neighbouring detector cells a coarser scan joins into one.
struct CellBinning {
  int columns = 1, rows = 1;

  int cells() const { return columns * rows; }
  friend bool operator==(const CellBinning&, const CellBinning&) = default;
};

/// Returns the binning for voxels of twice the size: two columns, and in a cone beam two rows.
/// Along a direction with an odd number of cells, the cells remain as they are.
CellBinning binning_for_double_voxels(const ScanSpec& scan);

/// Returns the scan whose cells are these groups of cells. The numbers of columns and rows must be
/// multiples of the binning.
ScanSpec with_binned_cells(ScanSpec scan, CellBinning binning);

/// Returns the mean of each group of cells of line integrals [view][row][column] of the scan.
std::vector<float> bin_cells(std::span<const float> line_integrals, const ScanSpec& scan,
                             CellBinning binning);

/// Returns a grid of voxels of twice the size that has the same lower corner and contains the grid.
/// `along_z` says whether the slices are doubled as well.
VolumeGrid with_double_voxels(const VolumeGrid& grid, bool along_z);

}  // namespace gantry

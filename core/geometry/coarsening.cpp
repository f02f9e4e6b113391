#include "core/geometry/coarsening.hpp"

#include <cstddef>

namespace gantry {

namespace {

int factor_for(int cells) { return cells > 1 && cells % 2 == 0 ? 2 : 1; }

/// Doubles the size of the voxels along one axis; `origin` is the centre of the first.
void double_voxels(int& count, double& spacing, double& origin) {
  count = (count + 1) / 2;
  origin += 0.5 * spacing;
  spacing *= 2;
}

}  // namespace

CellBinning binning_for_double_voxels(const ScanSpec& scan) {
  return {factor_for(scan.detector_columns),
          scan.beam == Beam::cone ? factor_for(scan.detector_rows) : 1};
}

ScanSpec with_binned_cells(ScanSpec scan, CellBinning binning) {
  const auto centre_of_group = [](double index, int cells) { return (index + 0.5) / cells - 0.5; };
  scan.detector_columns /= binning.columns;
  scan.detector_rows /= binning.rows;
  scan.column_pitch_mm *= binning.columns;
  scan.row_pitch_mm *= binning.rows;
  scan.central_column = centre_of_group(scan.central_column, binning.columns);
  scan.central_row = centre_of_group(scan.central_row, binning.rows);
  for (View& pose : scan.poses) {
    pose.u_mm = static_cast<double>(binning.columns) * pose.u_mm;
    pose.v_mm = static_cast<double>(binning.rows) * pose.v_mm;
  }
  return scan;
}

std::vector<float> bin_cells(std::span<const float> line_integrals, const ScanSpec& scan,
                             CellBinning binning) {
  const auto columns = static_cast<std::size_t>(scan.detector_columns);
  const auto width = static_cast<std::size_t>(binning.columns),
             height = static_cast<std::size_t>(binning.rows);
  const std::size_t binned_columns = columns / width;
  // No group extends over two views, since the rows of a view are a multiple of `height`.
  const std::size_t binned_rows = line_integrals.size() / columns / height;
  const float share = 1.0F / static_cast<float>(binning.cells());
  std::vector<float> means(binned_rows * binned_columns);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t row = 0; row < static_cast<std::ptrdiff_t>(binned_rows); ++row)
    for (std::size_t column = 0; column < binned_columns; ++column) {
      float sum = 0;
      for (std::size_t j = 0; j < height; ++j)
        for (std::size_t i = 0; i < width; ++i)
          sum += line_integrals[(static_cast<std::size_t>(row) * height + j) * columns +
                                column * width + i];
      means[static_cast<std::size_t>(row) * binned_columns + column] = share * sum;
    }
  return means;
}

VolumeGrid with_double_voxels(const VolumeGrid& grid, bool along_z) {
  VolumeGrid doubled = grid;
  double_voxels(doubled.nx, doubled.spacing_mm.x, doubled.origin_mm.x);
  double_voxels(doubled.ny, doubled.spacing_mm.y, doubled.origin_mm.y);
  if (along_z && grid.nz > 1) double_voxels(doubled.nz, doubled.spacing_mm.z, doubled.origin_mm.z);
  return doubled;
}

}  // namespace gantry

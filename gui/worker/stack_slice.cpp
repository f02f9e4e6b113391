#include "gui/worker/stack_slice.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace gantry {

namespace {

/// Pixels times views that a backprojection on two cores takes about half a second for.
constexpr double most_updates = 1.2e9;
/// Stacks of fewer line integrals are reconstructed as a whole in about the same time.
constexpr std::size_t few_rays = std::size_t{4} << 20;

/// Returns the row of a stack's detector at the height of a slice, if it has one.
int row_of_slice(const ScanSpec& scan, const VolumeGrid& grid, int slice) {
  const double row = scan.central_row + grid.voxel_center_mm(0, 0, slice).z / scan.row_pitch_mm;
  return std::clamp(static_cast<int>(std::lround(row)), 0, scan.detector_rows - 1);
}

/// Returns the scan, the grid and the line integrals of one slice.
std::shared_ptr<ExperimentData> data_of_slice(ScanSpec scan, VolumeGrid grid,
                                              const ExperimentData& data, int slice) {
  auto one = std::make_shared<ExperimentData>();
  const auto rows = static_cast<std::size_t>(scan.detector_rows),
             row = static_cast<std::size_t>(row_of_slice(scan, grid, slice));
  const auto columns = static_cast<std::ptrdiff_t>(scan.detector_columns);
  for (std::size_t view = 0; view < scan.view_angles_rad.size(); ++view) {
    const auto first =
        data.line_integrals.begin() + static_cast<std::ptrdiff_t>(view * rows + row) * columns;
    one->line_integrals.insert(one->line_integrals.end(), first, first + columns);
  }
  grid.origin_mm.z = grid.voxel_center_mm(0, 0, slice).z;
  grid.nz = 1;
  scan.central_row -= static_cast<double>(row);
  scan.detector_rows = 1;
  one->geometry = std::make_shared<const ScanGeometry>(std::move(scan));
  one->grid = grid;
  one->mu_water = data.mu_water;
  one->counting = data.counting;
  return one;
}

}  // namespace

bool is_stack(const ScanSpec& scan, const VolumeGrid& grid) {
  return scan.beam != Beam::cone && scan.trajectory == Trajectory::circular &&
         grid.nz == scan.detector_rows &&
         std::abs(grid.spacing_mm.z / scan.row_pitch_mm - 1) < 1e-6;
}

std::shared_ptr<const ReducedImage> reconstruct_slice(const Experiment& tried,
                                                      const ExperimentData& data, int slice,
                                                      const Catalog& catalog,
                                                      const BackendList& backends,
                                                      const Interrupt& interrupt) {
  const bool keeps_scan = tried.source.rebin_to_fans || !tried.geometry;
  const ScanSpec& scan = keeps_scan ? data.geometry->spec() : *tried.geometry;
  const VolumeGrid grid = tried.grid.value_or(data.grid);
  const bool has_same_slices = grid.nz == data.grid.nz &&
                               grid.origin_mm.z == data.grid.origin_mm.z &&
                               grid.spacing_mm.z == data.grid.spacing_mm.z;
  if (data.reference != nullptr || !is_stack(scan, grid) || !has_same_slices || slice >= grid.nz ||
      data.line_integrals.size() <= few_rays ||
      ScanGeometry(scan).rays() != data.line_integrals.size())
    return nullptr;
  int across = std::max(grid.nx, grid.ny);
  while (static_cast<double>(across) * across * static_cast<double>(scan.view_angles_rad.size()) >
         most_updates)
    across = (across + 1) / 2;
  return std::make_shared<const ReducedImage>(reconstruct_quickly(
      data_of_slice(scan, grid, data, slice), catalog, backends, interrupt, Reduction::to(across)));
}

}  // namespace gantry

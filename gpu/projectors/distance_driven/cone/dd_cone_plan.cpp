#include "gpu/projectors/distance_driven/cone/dd_cone_plan.hpp"

#include "gpu/base/launch.hpp"
#include "gpu/projectors/common/image_layouts.hpp"
#include "gpu/projectors/distance_driven/cone/dd_cone.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone_tables.hpp"
#include "gpu/projectors/distance_driven/cone/tuning.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr std::size_t fewest_portion_bytes = std::size_t{8} << 20U;

}  // namespace

DdConePlan::DdConePlan(const ScanGeometry& geometry, const VolumeGrid& grid)
    : views_(geometry.views()),
      columns_(geometry.columns()),
      rows_(geometry.rows()),
      voxels_(grid.voxels()),
      rays_(geometry.rays()),
      view_floats_(static_cast<std::size_t>(columns_) *
                   static_cast<std::size_t>(rows_ + 2 * device::line_padding)),
      column_bytes_(voxel_lines_size(grid, device::line_padding) * sizeof(float)),
      table_bytes_(DdTables::bytes(geometry)),
      tiles_x_(blocks(grid.nx, dd_cone::tile_width)),
      tiles_y_(static_cast<unsigned>(std::min(grid.ny, most_along_grid))),
      tiles_z_(blocks(grid.nz, dd_cone::tile_width)) {}

/// Returns the number of views of a portion: as many as fit into `bytes`, which is raised to
/// fewest_portion_bytes and limited to most_view_bytes. Portions have about the same size, because
/// each costs a pass over the volume, and a multiple of eight views, the most that a block of any
/// kernel processes.
int DdConePlan::views_in(std::size_t bytes, std::size_t bytes_of_view) const {
  const std::size_t budget = std::clamp(bytes, fewest_portion_bytes, most_view_bytes),
                    most = std::max<std::size_t>(budget / bytes_of_view / 8, 1) * 8;
  const int parts = static_cast<int>((static_cast<std::size_t>(views_) + most - 1) / most),
            each = (views_ + parts - 1) / parts;
  return std::min(views_, (each + 7) / 8 * 8);
}

int DdConePlan::portion() const {
  const std::size_t volume = voxels_ * sizeof(float), data = rays_ * sizeof(float),
                    beside = rays_ * sizeof(std::uint16_t) + column_bytes_ - volume + table_bytes_ +
                             (tiles() + norms()) * sizeof(double);
  return views_in(
      data - std::min(data, beside),
      view_floats_ * sizeof(float) + static_cast<std::size_t>(view_squares()) * sizeof(double));
}

/// The rays of a portion and the tables take at most two volumes, which is what a step of SIRT may
/// take beside one volume and the data.
int DdConePlan::views_at_once() const {
  const std::size_t volumes = 2 * voxels_ * sizeof(float);
  return views_in(volumes - std::min(volumes, table_bytes_), view_floats_ * sizeof(float));
}

int DdConePlan::view_squares() const {
  return static_cast<int>(
      (blocks(columns_, dd_cone::fewest_cells) + dd_cone::most_warp_columns - 1) *
      blocks(rows_, dd_cone::fewest_rows));
}

std::size_t DdConePlan::partial_sums() const {
  return std::max(static_cast<std::size_t>(portion()) * static_cast<std::size_t>(view_squares()),
                  tiles());
}

std::size_t DdConePlan::norms() const {
  return 2 + std::max(static_cast<std::size_t>(views_), static_cast<std::size_t>(tiles_y_));
}

std::size_t DdConePlan::scratch_bytes() const {
  return std::max(column_bytes_,
                  static_cast<std::size_t>(views_at_once()) * view_floats_ * sizeof(float));
}

StepWorkspace DdConePlan::step_workspace() const {
  return {.images = 0,
          .ray_vectors = 0,
          .bytes = table_bytes_ + column_bytes_ + portion_floats() * sizeof(float) +
                   (partial_sums() + norms()) * sizeof(double),
          .row_scaling_bytes = rays_ * sizeof(std::uint16_t)};
}

}  // namespace gantry

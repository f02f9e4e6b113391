// A projector gives the matrix rows of A but not the matrix columns: in every view the rows of the
// cells behind the voxel are searched for the voxel. A point x is projected to the cell (u, v)
// whose ray passes through x: there the component of x - origin at right angles to the ray is zero.
// Newton's method finds (u, v) in any geometry.
#include "core/matrix/inspect/voxel_column.hpp"

#include "core/operator/row_norms.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gantry {

namespace {

struct Cell {
  double column, row;
};

/// Returns the vector from the ray of a cell to a point, at right angles to the ray, mm.
Vec3 offset_mm(const ViewRays& rays, Cell cell, Vec3 point) {
  const Ray ray = rays.ray(cell.column, cell.row);
  const Vec3 away = point - ray.origin_mm;
  return away - dot(away, ray.direction) * ray.direction;
}

/// Returns the fractional cell index to which a point is projected, starting from `at`; none if the
/// index is farther than 1e7 cells away or the iteration does not converge.
std::optional<Cell> landing(const ViewRays& rays, Vec3 point, Cell at) {
  constexpr int most_steps = 30;
  constexpr double close_enough = 1e-3, too_far = 1e7;  // cells
  for (int i = 0; i < most_steps; ++i) {
    const Vec3 e = offset_mm(rays, at, point);
    // Central differences are exact where the offset is linear.
    const Vec3 du = offset_mm(rays, {at.column + 0.5, at.row}, point) -
                    offset_mm(rays, {at.column - 0.5, at.row}, point);
    const Vec3 dv = offset_mm(rays, {at.column, at.row + 0.5}, point) -
                    offset_mm(rays, {at.column, at.row - 0.5}, point);
    const double uu = dot(du, du), uv = dot(du, dv), vv = dot(dv, dv);
    const double det = uu * vv - uv * uv, ue = dot(du, e), ve = dot(dv, e);
    const Cell step{(uv * ve - vv * ue) / det, (uv * ue - uu * ve) / det};
    at = {at.column + step.column, at.row + step.row};
    const double moved = std::max(std::abs(step.column), std::abs(step.row));
    if (!(std::abs(at.column) < too_far && std::abs(at.row) < too_far)) return std::nullopt;
    if (moved < close_enough) return at;
  }
  return std::nullopt;
}

/// A rectangle of detector cells, first to last inclusive.
struct CellRange {
  int first_column, last_column, first_row, last_row;
};

/// Returns the cells behind a voxel and its neighbours, since a projector may give a voxel weights
/// in rays that only pass through its neighbours.
CellRange cells_behind(const Projector& weights, int view, VoxelIndex voxel) {
  const ScanGeometry& scan = weights.geometry();
  const CellRange all{0, scan.columns() - 1, 0, scan.rows() - 1};
  const ViewRays rays(scan, view);
  Cell at{scan.spec().central_column, scan.spec().central_row}, low{1e9, 1e9}, high{-1e9, -1e9};
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [&](int axis) { return (corner >> axis & 1) != 0 ? 1.5 : -1.5; };
    const auto cell = landing(
        rays,
        weights.grid().voxel_center_mm(voxel.x + side(0), voxel.y + side(1), voxel.z + side(2)),
        at);
    if (!cell) return all;
    at = *cell;
    low = {std::min(low.column, at.column), std::min(low.row, at.row)};
    high = {std::max(high.column, at.column), std::max(high.row, at.row)};
  }
  constexpr double margin = 1;  // cells; a cell extends half a cell from its centre
  CellRange range{std::max(all.first_column, static_cast<int>(std::floor(low.column - margin))),
                  std::min(all.last_column, static_cast<int>(std::ceil(high.column + margin))),
                  std::max(all.first_row, static_cast<int>(std::floor(low.row - margin))),
                  std::min(all.last_row, static_cast<int>(std::ceil(high.row + margin)))};
  // In a planar scan the height of the voxel has no influence.
  if (is_planar(scan, weights.grid())) range.first_row = range.last_row = 0;
  return range;
}

}  // namespace

std::vector<RayWeight> voxel_column(const Projector& weights, VoxelIndex voxel,
                                    const Interrupt* interrupt) {
  const std::size_t j = weights.grid().index(voxel.x, voxel.y, voxel.z);
  std::vector<RayWeight> column;
  RowWeights row;
  for (int view = 0; view < weights.views(); ++view) {
    const CellRange cells = cells_behind(weights, view, voxel);
    const auto rows = require_row_source(weights).view_rows(view);
    for (int v = cells.first_row; v <= cells.last_row; ++v)
      for (int u = cells.first_column; u <= cells.last_column; ++u) {
        if (interrupt != nullptr) interrupt->check();
        rows->weights(u, v, row);
        const auto found = std::ranges::find(row.voxel, j);
        if (found != row.voxel.end())
          column.push_back(
              {{view, u, v}, row.weight[static_cast<std::size_t>(found - row.voxel.begin())]});
      }
  }
  return column;
}

}  // namespace gantry

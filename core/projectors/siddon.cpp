// Siddon's ray tracing. Along o + a d (d of unit length, a in mm) the ray leaves its present voxel
// at the nearest of the next planes x, y, z; the way from crossing to crossing is the length in
// that voxel. All in float64.
#include "core/projectors/siddon.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

constexpr int row_block = 16;  // image rows (iy) that one task owns in the transpose

/// Rows iy first .. last - 1 of the grid, as the box that a task traces.
struct RowRange {
  int first, last;
};

/// One axis of the walk through the voxels.
struct Walk {
  int index, step;
  double next, advance;  ///< path length at the next plane, and from plane to plane
};

Walk start_walk(double origin, double direction, double lower, double spacing, int first, int last,
                double entry) {
  const double place = (origin + entry * direction - lower) / spacing;
  Walk walk{std::clamp(static_cast<int>(std::floor(place)), first, last - 1),
            direction < 0 ? -1 : 1, std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::infinity()};
  if (direction != 0) {
    const double plane = lower + (walk.index + (walk.step > 0 ? 1 : 0)) * spacing;
    walk.next = (plane - origin) / direction;
    walk.advance = spacing / std::abs(direction);
  }
  return walk;
}

/// Narrows [entry, exit] to the part of the ray with low <= coordinate <= high.
void clip(double origin, double direction, double low, double high, double& entry, double& exit) {
  if (direction == 0) {
    if (origin < low || origin >= high) exit = -std::numeric_limits<double>::infinity();
    return;
  }
  const double a = (low - origin) / direction, b = (high - origin) / direction;
  entry = std::max(entry, std::min(a, b));
  exit = std::min(exit, std::max(a, b));
}

/// Calls visit(voxel, length_mm) for every voxel of the rows that the ray crosses, in order.
template <class Visit>
void trace(const VolumeGrid& grid, RowRange rows, const Ray& ray, const Visit& visit) {
  const Vec3 lower = grid.lower_corner_mm(), upper = grid.upper_corner_mm();
  const Vec3 o = ray.origin_mm, d = ray.direction;
  double entry = -std::numeric_limits<double>::infinity(),
         exit = std::numeric_limits<double>::infinity();
  clip(o.y, d.y, lower.y + rows.first * grid.spacing_mm.y, lower.y + rows.last * grid.spacing_mm.y,
       entry, exit);
  clip(o.x, d.x, lower.x, upper.x, entry, exit);
  clip(o.z, d.z, lower.z, upper.z, entry, exit);
  if (!(entry < exit)) return;
  std::array<Walk, 3> walks = {
      start_walk(o.x, d.x, lower.x, grid.spacing_mm.x, 0, grid.nx, entry),
      start_walk(o.y, d.y, lower.y, grid.spacing_mm.y, rows.first, rows.last, entry),
      start_walk(o.z, d.z, lower.z, grid.spacing_mm.z, 0, grid.nz, entry)};
  const std::array<int, 3> first = {0, rows.first, 0}, last = {grid.nx, rows.last, grid.nz};
  double at = entry;
  while (at < exit) {
    const std::size_t nearest = walks[0].next < walks[1].next
                                    ? (walks[0].next < walks[2].next ? 0 : 2)
                                    : (walks[1].next < walks[2].next ? 1 : 2);
    Walk& walk = walks[nearest];
    const double leave = std::min(walk.next, exit);
    if (leave > at) {
      visit(grid.index(walks[0].index, walks[1].index, walks[2].index), leave - at);
      at = leave;
    }
    walk.index += walk.step;
    if (walk.index < first[nearest] || walk.index >= last[nearest]) return;
    walk.next += walk.advance;
  }
}

/// A single slice seen by one row of a parallel or fan beam is a 2D problem: rays run in its plane
/// whatever the heights.
Ray ray_in_grid(const Projector& projector, const ViewRays& rays, int column, int row) {
  Ray r = rays.ray(column, row);
  const ScanGeometry& geometry = projector.geometry();
  if (projector.grid().nz == 1 && geometry.rows() == 1 && geometry.beam() != Beam::cone)
    r.origin_mm.z = projector.grid().origin_mm.z;
  return r;
}

class SiddonRows final : public ViewRows {
 public:
  SiddonRows(const Projector& projector, int view)
      : projector_(projector), rays_(projector.geometry(), view) {}

  void weights(int column, int row, RowWeights& out) const override {
    out.clear();
    const VolumeGrid& grid = projector_.grid();
    trace(grid, {0, grid.ny}, ray_in_grid(projector_, rays_, column, row),
          [&](std::size_t voxel, double length) { out.add(voxel, length); });
  }

 private:
  const Projector& projector_;
  ViewRays rays_;
};

class Siddon final : public Projector, private RowSource {
 public:
  Siddon(Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid)
      : Projector(backend, std::move(geometry), grid) {}

  const RowSource* row_source() const override { return this; }

 private:
  std::unique_ptr<ViewRows> view_rows(int view) const override {
    return std::make_unique<SiddonRows>(*this, view);
  }

  Ray ray(const ViewRays& rays, int column, int row) const {
    return ray_in_grid(*this, rays, column, row);
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const int columns = geometry().columns(), rows = geometry().rows();
    const float* volume = x.data();
    float* rays = y.data();
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (int i = 0; i < subset.count; ++i)
      for (int row = 0; row < rows; ++row) {
        if (interrupted()) continue;
        const int view = subset.view(i);
        const ViewRays view_rays(geometry(), view);
        float* out = rays + static_cast<std::size_t>(view) * cells_per_view() +
                     static_cast<std::size_t>(row) * static_cast<std::size_t>(columns);
        for (int column = 0; column < columns; ++column) {
          double sum = 0;
          trace(grid(), {0, grid().ny}, ray(view_rays, column, row),
                [&](std::size_t voxel, double length) { sum += length * volume[voxel]; });
          out[column] = static_cast<float>(sum);
        }
      }
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    const int blocks = (grid().ny + row_block - 1) / row_block;
    const int columns = geometry().columns(), rows = geometry().rows();
    const float* rays = y.data();
    float* volume = x.data();
#pragma omp parallel for schedule(dynamic)
    for (int block = 0; block < blocks; ++block) {
      const RowRange range{block * row_block, std::min(grid().ny, (block + 1) * row_block)};
      for (int i = 0; i < subset.count && !interrupted(); ++i) {
        const int view = subset.view(i);
        const ViewRays view_rays(geometry(), view);
        const float* data = rays + static_cast<std::size_t>(view) * cells_per_view();
        for (int row = 0; row < rows; ++row)
          for (int column = 0; column < columns; ++column, ++data)
            trace(grid(), range, ray(view_rays, column, row),
                  [&, value = *data](std::size_t voxel, double length) {
                    volume[voxel] += static_cast<float>(length * value);
                  });
      }
    }
  }
};

}  // namespace

std::unique_ptr<Projector> make_siddon(Backend& backend,
                                       std::shared_ptr<const ScanGeometry> geometry,
                                       const VolumeGrid& grid, const Params&) {
  return std::make_unique<Siddon>(backend, std::move(geometry), grid);
}

}  // namespace gantry

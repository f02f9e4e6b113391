#pragma once

#include "core/base/parallel_errors.hpp"
#include "core/geometry/cell_shadow.hpp"
#include "core/operator/projector.hpp"
#include "core/operator/scan_rows.hpp"
#include "core/projectors/siddon_joseph/axis_ray.hpp"
#include "core/projectors/siddon_joseph/siddon_trace.hpp"

#include <algorithm>
#include <memory>

namespace gantry {

/// Returns the ray to a cell; in a 2D problem (is_planar) the ray is moved to the height of the
/// slice.
inline Ray ray_in_grid(const ScanGeometry& geometry, const VolumeGrid& grid, const ViewRays& rays,
                       int column, int row) {
  Ray ray = rays.ray(column, row);
  if (is_planar(geometry, grid)) ray.origin_mm.z = grid.origin_mm.z;
  return along_its_axis(ray, grid);
}

/// Computes the weights of any ray of a view by Trace::trace(grid, rows, ray, visit), and those of
/// any voxel by Trace::weight(grid, ray, ix, iy, iz).
template <class Trace>
class TracedViewRows final : public ViewRows {
 public:
  static constexpr std::string_view name = Trace::name;

  TracedViewRows(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
      : geometry_(geometry),
        grid_(grid),
        rays_(geometry, view),
        shadow_(geometry, view, is_planar(geometry, grid)) {}

  void weights(int column, int row, RowWeights& out) const override {
    out.clear();
    Trace::trace(grid_, {0, grid_.ny}, ray_in_grid(geometry_, grid_, rays_, column, row),
                 [&](std::size_t voxel, double weight) { out.add(voxel, weight); });
  }

  void voxel_weights(int ix, int iy, int iz, CellWeights& out) const override {
    out.clear();
    const CellRange cells =
        shadow_.of(grid_.voxel_center_mm(ix, iy, iz), Trace::reach * grid_.spacing_mm);
    for (int row = cells.first_row; row <= cells.last_row; ++row)
      for (int column = cells.first_column; column <= cells.last_column; ++column) {
        const Ray ray = ray_in_grid(geometry_, grid_, rays_, column, row);
        if (const double weight = Trace::weight(grid_, ray, ix, iy, iz); weight > 0)
          out.add(cell_index(geometry_, column, row), weight);
      }
  }

 private:
  const ScanGeometry& geometry_;
  const VolumeGrid& grid_;
  ViewRays rays_;
  CellShadow shadow_;
};

template <class Trace>
using TracedRows = ScanRows<TracedViewRows<Trace>, Trace::definition>;

/// A projector that computes its products ray by ray, for any scan. It has the same matrix as the
/// vectorised projectors of siddon_joseph.hpp and is slower.
template <class Trace>
class TracedProjector final : public Projector {
 public:
  TracedProjector(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                  const VolumeGrid& grid)
      : Projector(backend, geometry, grid), rows_(geometry, grid) {}

  const RowSource* row_source() const override { return &rows_; }

 private:
  static constexpr int row_block = 16;  // lines iy that one task owns in the transpose

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const int columns = geometry().columns(), rows = geometry().rows();
    const float* volume = x.data();
    float* rays = y.data();
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (int i = 0; i < subset.count; ++i)
      for (int row = 0; row < rows; ++row)
        errors.run([&] {
          if (interrupted()) return;
          const int view = subset.view(i);
          const ViewRays view_rays(geometry(), view);
          float* out = rays + static_cast<std::size_t>(view) * cells_per_view() +
                       static_cast<std::size_t>(row) * static_cast<std::size_t>(columns);
          for (int column = 0; column < columns; ++column) {
            double sum = 0;
            Trace::trace(grid(), {0, grid().ny},
                         ray_in_grid(geometry(), grid(), view_rays, column, row),
                         [&](std::size_t voxel, double length) { sum += length * volume[voxel]; });
            out[column] = static_cast<float>(sum);
          }
        });
    errors.rethrow();
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    const int blocks = (grid().ny + row_block - 1) / row_block;
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int block = 0; block < blocks; ++block)
      errors.run([&] {
        const RowRange range{block * row_block, std::min(grid().ny, (block + 1) * row_block)};
        for (int i = 0; i < subset.count && !interrupted(); ++i)
          spread_view(y.data(), subset.view(i), range, x.data());
      });
    errors.rethrow();
  }

  void spread_view(const float* rays, int view, RowRange range, float* volume) const {
    const ViewRays view_rays(geometry(), view);
    const float* data = rays + static_cast<std::size_t>(view) * cells_per_view();
    for (int row = 0; row < geometry().rows(); ++row)
      for (int column = 0; column < geometry().columns(); ++column, ++data)
        Trace::trace(grid(), range, ray_in_grid(geometry(), grid(), view_rays, column, row),
                     [&, value = *data](std::size_t voxel, double length) {
                       volume[voxel] += static_cast<float>(length * value);
                     });
  }

  TracedRows<Trace> rows_;
};

}  // namespace gantry

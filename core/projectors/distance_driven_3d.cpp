// Distance-driven projection in 3D. The footprint of cell (c, q) on slice k is a rectangle: [U_c, U_c+1] in the
// slice as in 2D, and [Z_q, Z_q+1] along the axis, which is affine in the row q for a given column. Hence
//   p_cq = l_cq / (edge_c+1 - edge_c) * sum_k 1/scale_k * sum_z overlap([Z_q, Z_q+1], z) / (Z_q+1 - Z_q)
//                                      * sum_i overlap([U_c, U_c+1], i) f_kiz
// with l_cq = w_spacing sqrt(1 + slope_c^2 + slope_z^2). The inner sum makes one line along z from a few voxel
// columns; the sum over z resamples that line onto the rows. The transpose runs the same two steps backwards,
// slice by slice, so that a task owns the slices it writes.
#include "core/projectors/distance_driven_3d.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/backend/cpu_backend.hpp"
#include "core/projectors/dd_kernels.hpp"
#include "core/projectors/dd_view.hpp"

namespace gantry {

namespace {

constexpr int view_batch = 8;  // views that share one pass over the slices

/// A view's table and its data with rows running along memory: [table cell][row].
struct View3d {
  DdView table;
  std::vector<float> columns;

  View3d(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
      : table(geometry, grid, view), columns(geometry.cells(), 0.0F) {}
  float* column(int cell, int rows) { return columns.data() + static_cast<std::size_t>(cell) * static_cast<std::size_t>(rows); }
};

/// Rows of one detector column on one slice, in voxels along z: row q spans origin + q pitch to origin + (q + 1) pitch.
struct AxialMap {
  float origin, pitch;
};

class DistanceDriven3d final : public Projector {
 public:
  DistanceDriven3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid)
      : Projector(backend, std::move(geometry), grid) {
    for (int v = 0; v < views(); ++v) DdView(this->geometry(), grid, v);  // throws where a view does not suit
  }

  std::size_t workspace_bytes() const override {
    const std::size_t planes = static_cast<std::size_t>(std::max(grid().nx, grid().ny)) * static_cast<std::size_t>(grid().nz);
    return sizeof(float) * (view_batch * cells_per_view() + static_cast<std::size_t>(cpu_threads()) * planes);
  }

 private:
  AxialMap axial_map(const DdView& table, int cell, int slice) const {
    const ScanSpec& spec = geometry().spec();
    const double first_edge_mm = (-0.5 - spec.central_row) * spec.row_pitch_mm;
    const double scale_mm = (table.scale_first + slice * table.scale_step) * table.slices.u_spacing_mm;
    const float inverse_depth = table.inverse_depth[static_cast<std::size_t>(cell)];
    const double zoom = inverse_depth == 0 ? 1.0 : scale_mm * inverse_depth;
    const double lower_mm = grid().lower_corner_mm().z, per_voxel = 1 / grid().spacing_mm.z;
    return {static_cast<float>((table.source_z_mm + first_edge_mm * zoom - lower_mm) * per_voxel),
            static_cast<float>(spec.row_pitch_mm * zoom * per_voxel)};
  }

  /// Weight of cell (c, q) that does not depend on the slice: path length per slice / footprint width.
  float cell_weight(const DdView& table, std::size_t cell, int row) const {
    const ScanSpec& spec = geometry().spec();
    const double slope_z = (row - spec.central_row) * spec.row_pitch_mm * table.inverse_depth[cell];
    const double in_plane = table.length_mm[cell], rise = slope_z * table.slices.w_spacing_mm;
    return static_cast<float>(std::sqrt(in_plane * in_plane + rise * rise) * table.inverse_width[cell]);
  }

  /// Calls use(i, overlap) for the pixels of slice k under a cell.
  template <class Use>
  static void for_overlaps(const DdView& table, int cell, int slice, const Use& use) {
    const float scale = static_cast<float>(table.scale_first + slice * table.scale_step);
    const float shift = static_cast<float>(table.shift_first + slice * table.shift_step);
    const auto width = static_cast<float>(table.slices.width);
    const auto c = static_cast<std::size_t>(cell);
    const float from = std::clamp(scale * table.edge[c] + shift, 0.0F, width);
    const float to = std::clamp(scale * table.edge[c + 1] + shift, 0.0F, width);
    for (int i = static_cast<int>(from); static_cast<float>(i) < to; ++i)
      use(i, std::min(to, static_cast<float>(i + 1)) - std::max(from, static_cast<float>(i)));
  }

  /// plane[i][z] of slice k; the volume has x fastest.
  void load_plane(const float* volume, const DdSlices& slices, int slice, float* plane) const {
    const VolumeGrid& g = grid();
    for (int z = 0; z < g.nz; ++z)
      for (int i = 0; i < slices.width; ++i)
        plane[static_cast<std::size_t>(i) * g.nz + z] = volume[slices.along_y ? g.index(i, slice, z) : g.index(slice, i, z)];
  }

  void add_plane(const float* plane, const DdSlices& slices, int slice, float* volume) const {
    const VolumeGrid& g = grid();
    for (int z = 0; z < g.nz; ++z)
      for (int i = 0; i < slices.width; ++i)
        volume[slices.along_y ? g.index(i, slice, z) : g.index(slice, i, z)] += plane[static_cast<std::size_t>(i) * g.nz + z];
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const int batch = std::clamp(subset.count / (2 * cpu_threads()), 1, view_batch);
    const int view_tasks = (subset.count + batch - 1) / batch;
    const int column_tasks = std::clamp(2 * cpu_threads() / std::max(view_tasks, 1), 1, geometry().columns());
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (int task = 0; task < view_tasks; ++task)
      for (int part = 0; part < column_tasks; ++part)
        forward_task(x.data(), y.data(), subset, task * batch, std::min(subset.count, (task + 1) * batch), part, column_tasks);
  }

  void forward_task(const float* volume, float* rays, ViewSubset subset, int first, int last, int part, int parts) const {
    const long columns = geometry().columns();
    const int cell_first = static_cast<int>(columns * part / parts), cell_last = static_cast<int>(columns * (part + 1) / parts);
    std::vector<View3d> group;
    for (int i = first; i < last; ++i) group.emplace_back(geometry(), grid(), subset.view(i));
    std::vector<float> plane(static_cast<std::size_t>(std::max(grid().nx, grid().ny)) * static_cast<std::size_t>(grid().nz));
    std::vector<float> line(static_cast<std::size_t>(grid().nz));
    for (const bool along_y : {true, false}) {
      if (std::ranges::none_of(group, [=](const View3d& v) { return v.table.slices.along_y == along_y; })) continue;
      const DdSlices slices = DdSlices::of(grid(), along_y);
      for (int k = 0; k < slices.count && !interrupted(); ++k) {
        load_plane(volume, slices, k, plane.data());
        for (View3d& view : group)
          if (view.table.slices.along_y == along_y) forward_slice(view, k, plane.data(), line, cell_first, cell_last);
      }
    }
    for (int i = first; i < last; ++i)
      store_columns(group[static_cast<std::size_t>(i - first)], cell_first, cell_last,
                    rays + static_cast<std::size_t>(subset.view(i)) * cells_per_view());
  }

  void forward_slice(View3d& view, int slice, const float* plane, std::vector<float>& line, int first, int last) const {
    const int nz = grid().nz, rows = geometry().rows();
    const DdKernels& kernels = dd_kernels();
    const auto inverse_scale = static_cast<float>(1 / (view.table.scale_first + slice * view.table.scale_step));
    for (int c = first; c < last; ++c) {
      bool hit = false;
      std::ranges::fill(line, 0.0F);
      for_overlaps(view.table, c, slice, [&](int i, float overlap) {
        kernels.add_scaled(overlap, plane + static_cast<std::size_t>(i) * nz, nz, line.data());
        hit = true;
      });
      if (!hit) continue;
      const AxialMap axial = axial_map(view.table, c, slice);
      kernels.resample(line.data(), nz, axial.origin, axial.pitch, inverse_scale / axial.pitch, rows, view.column(c, rows));
    }
  }

  void store_columns(View3d& view, int first, int last, float* rays) const {
    const int rows = geometry().rows(), columns = geometry().columns();
    for (int c = first; c < last; ++c) {
      const auto cell = static_cast<std::size_t>(c);
      const float* sum = view.column(c, rows);
      for (int q = 0; q < rows; ++q)
        rays[static_cast<std::size_t>(q) * columns + view.table.column(cell)] = sum[q] * cell_weight(view.table, cell, q);
    }
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    for (int first = 0; first < subset.count && !interrupted(); first += view_batch) {
      const int count = std::min(view_batch, subset.count - first);
      std::vector<std::unique_ptr<View3d>> group(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(dynamic)
      for (int i = 0; i < count; ++i)
        group[static_cast<std::size_t>(i)] = load_view(y.data(), subset.view(first + i));
      for (const bool along_y : {true, false}) adjoint_slices(group, along_y, x.data());
    }
  }

  std::unique_ptr<View3d> load_view(const float* rays, int index) const {
    auto view = std::make_unique<View3d>(geometry(), grid(), index);
    const int rows = geometry().rows(), columns = geometry().columns();
    const float* data = rays + static_cast<std::size_t>(index) * cells_per_view();
    for (int c = 0; c < columns; ++c) {
      const auto cell = static_cast<std::size_t>(c);
      for (int q = 0; q < rows; ++q)
        view->column(c, rows)[q] = data[static_cast<std::size_t>(q) * columns + view->table.column(cell)] * cell_weight(view->table, cell, q);
    }
    return view;
  }

  void adjoint_slices(const std::vector<std::unique_ptr<View3d>>& group, bool along_y, float* volume) const {
    if (std::ranges::none_of(group, [=](const auto& v) { return v->table.slices.along_y == along_y; })) return;
    const DdSlices slices = DdSlices::of(grid(), along_y);
    const auto plane_size = static_cast<std::size_t>(slices.width) * static_cast<std::size_t>(grid().nz);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < slices.count; ++k) {
      if (interrupted()) continue;
      std::vector<float> plane(plane_size, 0.0F), line(static_cast<std::size_t>(grid().nz));
      for (const auto& view : group)
        if (view->table.slices.along_y == along_y) adjoint_slice(*view, k, plane.data(), line);
      add_plane(plane.data(), slices, k, volume);
    }
  }

  void adjoint_slice(View3d& view, int slice, float* plane, std::vector<float>& line) const {
    const int nz = grid().nz, rows = geometry().rows();
    const DdKernels& kernels = dd_kernels();
    const auto inverse_scale = static_cast<float>(1 / (view.table.scale_first + slice * view.table.scale_step));
    for (int c = 0; c < view.table.cells(); ++c) {
      bool ready = false;
      for_overlaps(view.table, c, slice, [&](int i, float overlap) {
        if (!ready) {
          // A voxel spans 1/pitch rows; overlap in voxels / pitch is overlap in rows.
          const AxialMap axial = axial_map(view.table, c, slice);
          std::ranges::fill(line, 0.0F);
          kernels.resample(view.column(c, rows), rows, -axial.origin / axial.pitch, 1 / axial.pitch, inverse_scale, nz, line.data());
          ready = true;
        }
        kernels.add_scaled(overlap, line.data(), nz, plane + static_cast<std::size_t>(i) * nz);
      });
    }
  }
};

}  // namespace

std::unique_ptr<Projector> make_distance_driven_3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid) {
  return std::make_unique<DistanceDriven3d>(backend, std::move(geometry), grid);
}

}  // namespace gantry

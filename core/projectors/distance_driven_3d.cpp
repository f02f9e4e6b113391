// Distance-driven projection in 3D. The footprint of cell (c, q) on slice k is a rectangle: [U_c,
// U_c+1] in the slice as in 2D, and [Z_q, Z_q+1] along the axis, which is affine in the row q for a
// given column. Hence
//   p_cq = l_cq / (edge_c+1 - edge_c) * sum_k 1/scale_k * sum_z overlap([Z_q, Z_q+1], z) / (Z_q+1 -
//   Z_q)
//                                      * sum_i overlap([U_c, U_c+1], i) f_kiz
// with l_cq = w_spacing sqrt(1 + slope_c^2 + slope_z^2). The inner sum makes one line along z from
// a few voxel columns; the sum over z resamples that line onto the rows. The transpose runs the
// same two steps backwards, slice by slice, so that a task owns the slices it writes.
#include "core/projectors/distance_driven_3d.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/projectors/dd_kernels.hpp"
#include "core/projectors/dd_rows.hpp"
#include "core/projectors/dd_view.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

constexpr int view_batch = 8;  // views that share one pass over the slices
constexpr int slice_block =
    8;  // slices turned at once: a run of voxels along x then fills a cache line

/// A view's table and its data with rows running along memory: [table cell][row].
struct View3d {
  DdView table;
  std::vector<float> columns;

  View3d(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
      : table(geometry, grid, view), columns(geometry.cells(), 0.0F) {}
  float* column(int cell, int rows) {
    return columns.data() + static_cast<std::size_t>(cell) * static_cast<std::size_t>(rows);
  }
};

/// Rows of one detector column on one slice, in voxels along z: row q spans origin + q pitch to
/// origin + (q + 1) pitch.
struct AxialMap {
  float origin, pitch;
};

class DistanceDriven3d final : public Projector {
 public:
  DistanceDriven3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                   const VolumeGrid& grid)
      : Projector(backend, geometry, grid), rows_(make_dd_rows(geometry, grid)) {
    for (int v = 0; v < views(); ++v)
      DdView(this->geometry(), grid, v);  // throws where a view does not suit
  }

  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override {
    const std::size_t planes = slice_block *
                               static_cast<std::size_t>(std::max(grid().nx, grid().ny)) *
                               static_cast<std::size_t>(grid().nz);
    return sizeof(float) * static_cast<std::size_t>(cpu_threads()) *
           (view_batch * cells_per_view() + planes);
  }

 private:
  AxialMap axial_map(const DdView& table, int cell, int slice) const {
    const ScanSpec& spec = geometry().spec();
    const double first_edge_mm = (-0.5 - spec.central_row) * spec.row_pitch_mm;
    const double scale_mm =
        (table.scale_first + slice * table.scale_step) * table.slices.u_spacing_mm;
    const float inverse_depth = table.inverse_depth[static_cast<std::size_t>(cell)];
    const double zoom = inverse_depth == 0 ? 1.0 : scale_mm * inverse_depth;
    const double lower_mm = grid().lower_corner_mm().z, per_voxel = 1 / grid().spacing_mm.z;
    return {static_cast<float>((table.source_z_mm + first_edge_mm * zoom - lower_mm) * per_voxel),
            static_cast<float>(spec.row_pitch_mm * zoom * per_voxel)};
  }

  /// Weight of cell (c, q) that does not depend on the slice: path length per slice / footprint
  /// width.
  float cell_weight(const DdView& table, std::size_t cell, int row) const {
    const ScanSpec& spec = geometry().spec();
    const double slope_z = (row - spec.central_row) * spec.row_pitch_mm * table.inverse_depth[cell];
    const double in_plane = table.length_mm[cell], rise = slope_z * table.slices.w_spacing_mm;
    return static_cast<float>(std::sqrt(in_plane * in_plane + rise * rise) *
                              table.inverse_width[cell]);
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

  std::size_t plane_size(const Slices& slices) const {
    return static_cast<std::size_t>(slices.width) * static_cast<std::size_t>(grid().nz);
  }

  /// Calls use(voxel index in the volume, index in planes [slice - first][i][z]) for all voxels of
  /// some slices, in an order that reads the volume in runs.
  template <class Use>
  void for_planes(const Slices& slices, int first, int last, const Use& use) const {
    const VolumeGrid& g = grid();
    const std::size_t plane = plane_size(slices), nz = static_cast<std::size_t>(g.nz);
    for (int z = 0; z < g.nz; ++z) {
      if (slices.along_y) {
        for (int k = first; k < last; ++k)
          for (int i = 0; i < slices.width; ++i)
            use(g.index(i, k, z), static_cast<std::size_t>(k - first) * plane +
                                      static_cast<std::size_t>(i) * nz +
                                      static_cast<std::size_t>(z));
      } else {
        for (int i = 0; i < slices.width; ++i)
          for (int k = first; k < last; ++k)
            use(g.index(k, i, z), static_cast<std::size_t>(k - first) * plane +
                                      static_cast<std::size_t>(i) * nz +
                                      static_cast<std::size_t>(z));
      }
    }
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    // Many views: a task takes some of them. Few: tasks share a view, each over a part of its
    // slices.
    const int batch = std::min(subset.count, view_batch);
    const int view_tasks = (subset.count + batch - 1) / batch;
    const int parts =
        view_tasks >= 8 ? 1 : 8;  // not a function of the threads: neither are the sums
    const int group =
        parts == 1 ? cpu_threads() : view_tasks;  // view tasks between two chances to give way
    for (int first_task = 0; first_task < view_tasks; first_task += group) {
      const int last_task = std::min(view_tasks, first_task + group);
      std::vector<std::vector<View3d>> sums(static_cast<std::size_t>(last_task - first_task) *
                                            static_cast<std::size_t>(parts));
#pragma omp parallel for schedule(dynamic) collapse(2)
      for (int task = first_task; task < last_task; ++task)
        for (int part = 0; part < parts; ++part) {
          auto& views =
              sums[static_cast<std::size_t>(task - first_task) * static_cast<std::size_t>(parts) +
                   static_cast<std::size_t>(part)];
          for (int i = task * batch; i < std::min(subset.count, (task + 1) * batch); ++i)
            views.emplace_back(geometry(), grid(), subset.view(i));
          for (const bool along_y : {true, false})
            forward_slices(views, along_y, part, parts, x.data());
        }
      give_way();
#pragma omp parallel for schedule(dynamic)
      for (int task = first_task; task < last_task; ++task)
        store(&sums[static_cast<std::size_t>(task - first_task) * static_cast<std::size_t>(parts)],
              parts, y.data(), subset, task * batch);
    }
  }

  /// Adds one part of the slices of a kind to the columns of the views of that kind.
  void forward_slices(std::vector<View3d>& group, bool along_y, int part, int parts,
                      const float* volume) const {
    if (std::ranges::none_of(group,
                             [=](const View3d& v) { return v.table.slices.along_y == along_y; }))
      return;
    const Slices slices = Slices::of(grid(), along_y);
    const int begin = static_cast<int>(static_cast<long>(slices.count) * part / parts);
    const int end = static_cast<int>(static_cast<long>(slices.count) * (part + 1) / parts);
    const std::size_t plane = plane_size(slices);
    std::vector<float> planes(slice_block * plane), line(static_cast<std::size_t>(grid().nz));
    for (int first = begin; first < end && !interrupted(); first += slice_block) {
      const int last = std::min(end, first + slice_block);
      for_planes(slices, first, last,
                 [&](std::size_t voxel, std::size_t place) { planes[place] = volume[voxel]; });
      for (View3d& view : group)
        if (view.table.slices.along_y == along_y)
          for (int k = first; k < last; ++k)
            forward_slice(view, k, planes.data() + static_cast<std::size_t>(k - first) * plane,
                          line);
    }
  }

  /// Sums the parts of a group of views, weights them and writes the views' rays.
  void store(const std::vector<View3d>* part_sums, int parts, float* rays, ViewSubset subset,
             int first_view) const {
    const auto rows = static_cast<std::size_t>(geometry().rows()),
               columns = static_cast<std::size_t>(geometry().columns());
    for (std::size_t i = 0; i < part_sums[0].size(); ++i) {
      const DdView& table = part_sums[0][i].table;
      float* out = rays + static_cast<std::size_t>(subset.view(first_view + static_cast<int>(i))) *
                              cells_per_view();
      for (std::size_t cell = 0; cell < columns; ++cell)
        for (std::size_t q = 0; q < rows; ++q) {
          float sum = 0;
          for (int part = 0; part < parts; ++part)
            sum += part_sums[part][i].columns[cell * rows + q];
          out[q * columns + table.column(cell)] =
              sum * cell_weight(table, cell, static_cast<int>(q));
        }
    }
  }

  void forward_slice(View3d& view, int slice, const float* plane, std::vector<float>& line) const {
    const int nz = grid().nz, rows = geometry().rows();
    const DdKernels& kernels = dd_kernels();
    const auto inverse_scale =
        static_cast<float>(1 / (view.table.scale_first + slice * view.table.scale_step));
    for (int c = 0; c < view.table.cells(); ++c) {
      bool hit = false;
      std::ranges::fill(line, 0.0F);
      for_overlaps(view.table, c, slice, [&](int i, float overlap) {
        kernels.add_scaled(overlap, plane + static_cast<std::size_t>(i) * nz, nz, line.data());
        hit = true;
      });
      if (!hit) continue;
      const AxialMap axial = axial_map(view.table, c, slice);
      kernels.resample(line.data(), nz, axial.origin, axial.pitch, inverse_scale / axial.pitch,
                       rows, view.column(c, rows));
    }
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    for (int first = 0; first < subset.count; first += view_batch) {
      const int count = std::min(view_batch, subset.count - first);
      std::vector<std::unique_ptr<View3d>> group(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(dynamic)
      for (int i = 0; i < count; ++i)
        group[static_cast<std::size_t>(i)] = load_view(y.data(), subset.view(first + i));
      for (const bool along_y : {true, false}) adjoint_slices(group, along_y, x.data());
      give_way();
    }
  }

  std::unique_ptr<View3d> load_view(const float* rays, int index) const {
    auto view = std::make_unique<View3d>(geometry(), grid(), index);
    const int rows = geometry().rows(), columns = geometry().columns();
    const float* data = rays + static_cast<std::size_t>(index) * cells_per_view();
    for (int c = 0; c < columns; ++c) {
      const auto cell = static_cast<std::size_t>(c);
      for (int q = 0; q < rows; ++q)
        view->column(c, rows)[q] =
            data[static_cast<std::size_t>(q) * columns + view->table.column(cell)] *
            cell_weight(view->table, cell, q);
    }
    return view;
  }

  void adjoint_slices(const std::vector<std::unique_ptr<View3d>>& group, bool along_y,
                      float* volume) const {
    if (std::ranges::none_of(group,
                             [=](const auto& v) { return v->table.slices.along_y == along_y; }))
      return;
    const Slices slices = Slices::of(grid(), along_y);
    const std::size_t plane = plane_size(slices);
#pragma omp parallel for schedule(dynamic)
    for (int first = 0; first < slices.count; first += slice_block) {
      if (interrupted()) continue;
      const int last = std::min(slices.count, first + slice_block);
      std::vector<float> planes(slice_block * plane, 0.0F),
          line(static_cast<std::size_t>(grid().nz));
      for (const auto& view : group)
        if (view->table.slices.along_y == along_y)
          for (int k = first; k < last; ++k)
            adjoint_slice(*view, k, planes.data() + static_cast<std::size_t>(k - first) * plane,
                          line);
      for_planes(slices, first, last,
                 [&](std::size_t voxel, std::size_t place) { volume[voxel] += planes[place]; });
    }
  }

  void adjoint_slice(View3d& view, int slice, float* plane, std::vector<float>& line) const {
    const int nz = grid().nz, rows = geometry().rows();
    const DdKernels& kernels = dd_kernels();
    const auto inverse_scale =
        static_cast<float>(1 / (view.table.scale_first + slice * view.table.scale_step));
    for (int c = 0; c < view.table.cells(); ++c) {
      bool ready = false;
      for_overlaps(view.table, c, slice, [&](int i, float overlap) {
        if (!ready) {
          // A voxel spans 1/pitch rows; overlap in voxels / pitch is overlap in rows.
          const AxialMap axial = axial_map(view.table, c, slice);
          std::ranges::fill(line, 0.0F);
          kernels.resample(view.column(c, rows), rows, -axial.origin / axial.pitch, 1 / axial.pitch,
                           inverse_scale, nz, line.data());
          ready = true;
        }
        kernels.add_scaled(overlap, line.data(), nz, plane + static_cast<std::size_t>(i) * nz);
      });
    }
  }

  std::unique_ptr<RowSource> rows_;
};

}  // namespace

std::unique_ptr<Projector> make_distance_driven_3d(Backend& backend,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid) {
  return std::make_unique<DistanceDriven3d>(backend, std::move(geometry), grid);
}

}  // namespace gantry

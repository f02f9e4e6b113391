// The footprint of a voxel separates: the factor T_c for a detector column is the same for all
// voxels of a voxel line, and the factor for a row is the overlap of two intervals that are affine
// in row and voxel. A voxel line is thus resampled onto the rows once and added to the few columns
// under its trapezoid:
//   p_cq = 1 / cos_cq * sum_ik T_c(i, k) sum_z overlap(row q, voxel z) / pitch_ik f_ikz,
// with T_c in mm and cos_cq the cosine of the cell's cone angle.
#include "core/projectors/separable_footprint/separable_footprint_3d.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/projectors/common/voxel_lines.hpp"
#include "core/projectors/distance_driven/axial_rows.hpp"
#include "core/projectors/distance_driven/dd_kernels.hpp"
#include "core/projectors/separable_footprint/sf_rows.hpp"
#include "core/projectors/separable_footprint/sf_view.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

constexpr int view_batch = 8;   // views that the transpose adds in one pass over the layers
constexpr int layer_block = 4;  // layers that a task of the transpose owns

class SeparableFootprint3d final : public Projector {
 public:
  SeparableFootprint3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                       const VolumeGrid& grid)
      : Projector(backend, geometry, grid), rows_(make_sf_rows(geometry, grid)) {}

  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override { return sf_3d_bytes(geometry(), grid()); }

 private:
  std::size_t row_count() const { return static_cast<std::size_t>(geometry().rows()); }

  /// Calls use(column, weight) for the detector columns that a footprint touches.
  template <class Use>
  void for_columns(const Trapezoid& footprint, const Use& use) const {
    const double last = std::min<double>(geometry().columns(), footprint.corner[3]);
    for (int c = static_cast<int>(std::max(0.0, footprint.corner[0])); c < last; ++c)
      use(static_cast<std::size_t>(c), static_cast<float>(footprint.weight_mm(c)));
  }
  bool is_seen(const Trapezoid& footprint) const {
    return footprint.corner[3] > 0 && footprint.corner[0] < geometry().columns();
  }
  template <class Columns>
  static auto line(Columns& columns, const SfView& view, int i, int k) {
    return 1 + (view.slices().along_y ? columns.line(i, k) : columns.line(k, i));
  }

  /// Returns the data of a view as [column][row], each divided by the cosine of its cell's cone
  /// angle.
  std::vector<float> load(const float* rays, int view) const {
    const auto columns = static_cast<std::size_t>(geometry().columns());
    std::vector<float> data(cells_per_view());
    const float* values = rays + static_cast<std::size_t>(view) * cells_per_view();
    for (std::size_t q = 0; q < row_count(); ++q)
      for (std::size_t c = 0; c < columns; ++c)
        data[c * row_count() + q] = values[q * columns + c] * inverse_cosine(c, q);
    return data;
  }
  float inverse_cosine(std::size_t column, std::size_t row) const {
    return static_cast<float>(
        1 / cone_cosine(geometry(), static_cast<double>(column), static_cast<double>(row)));
  }

  // ---- Forward

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    VoxelLines volume(backend(), grid());
    volume.load(x.data());
    // Where there are few views, a task takes a part of the layers. The number of parts does not
    // depend on the threads, so that the sums do not depend on them either.
    const int parts = subset.count >= 8 ? 1 : 8;
    const int batch = parts == 1 ? 2 * cpu_threads() : 1;
    for (int first = 0; first < subset.count; first += batch) {
      const int count = std::min(batch, subset.count - first);
      std::vector<std::vector<float>> sums(static_cast<std::size_t>(count * parts));
      ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) collapse(2)
      for (int i = 0; i < count; ++i)
        for (int part = 0; part < parts; ++part)
          errors.run([&] {
            sums[static_cast<std::size_t>(i * parts + part)] =
                forward_part(volume, subset.view(first + i), part, parts);
          });
      errors.rethrow();
      check_interrupt();
      for (int i = 0; i < count; ++i)
        store(&sums[static_cast<std::size_t>(i * parts)], parts,
              y.data() + static_cast<std::size_t>(subset.view(first + i)) * cells_per_view());
    }
  }

  std::vector<float> forward_part(const VoxelLines& volume, int index, int part, int parts) const {
    const SfView view(geometry(), grid(), index);
    const AxialRows axial(geometry(), grid(), index);
    const DdKernels& kernels = dd_kernels();
    const int slices = view.slices().count, rows = geometry().rows();
    const int first = static_cast<int>(static_cast<long>(slices) * part / parts);
    const int last = static_cast<int>(static_cast<long>(slices) * (part + 1) / parts);
    std::vector<float> data(cells_per_view(), 0.0F), resampled(row_count());
    for (int k = first; k < last && !interrupted(); ++k)
      for (int i = 0; i < view.slices().width; ++i) {
        const Trapezoid footprint = view.footprint(i, k);
        if (!is_seen(footprint)) continue;
        const RowEdges edges = axial.at(i, k);
        std::ranges::fill(resampled, 0.0F);
        kernels.resample(line(volume, view, i, k), grid().nz, static_cast<float>(edges.origin),
                         static_cast<float>(edges.pitch), static_cast<float>(1 / edges.pitch), rows,
                         resampled.data());
        for_columns(footprint, [&](std::size_t c, float weight) {
          kernels.add_scaled(weight, resampled.data(), rows, data.data() + c * row_count());
        });
      }
    return data;
  }

  void store(const std::vector<float>* parts, int count, float* rays) const {
    const int columns = geometry().columns();
#pragma omp parallel for schedule(static)
    for (int q = 0; q < geometry().rows(); ++q)
      for (int c = 0; c < columns; ++c) {
        const auto column = static_cast<std::size_t>(c), row = static_cast<std::size_t>(q);
        float sum = 0;
        for (int part = 0; part < count; ++part) sum += parts[part][column * row_count() + row];
        rays[row * static_cast<std::size_t>(columns) + column] = sum * inverse_cosine(column, row);
      }
  }

  // ---- Transpose

  struct LoadedView {
    SfView plane;
    AxialRows axial;
    std::vector<float> data;
  };

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    VoxelLines volume(backend(), grid());
    for (int first = 0; first < subset.count; first += view_batch) {
      const int count = std::min(view_batch, subset.count - first);
      std::vector<LoadedView> views;
      for (int i = 0; i < count; ++i) {
        const int view = subset.view(first + i);
        views.push_back({{geometry(), grid(), view}, {geometry(), grid(), view}, {}});
      }
      ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
      for (int i = 0; i < count; ++i)
        errors.run([&] {
          views[static_cast<std::size_t>(i)].data = load(y.data(), subset.view(first + i));
        });
      errors.rethrow();
      for (const bool along_y : {true, false}) adjoint_kind(views, along_y, volume);
      check_interrupt();
    }
    volume.store(x.data());
  }

  void adjoint_kind(const std::vector<LoadedView>& views, bool along_y, VoxelLines& volume) const {
    const int slices = Layers::of(grid(), along_y).count;
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < slices; k += layer_block)
      errors.run([&] {
        if (interrupted()) return;
        std::vector<float> gathered(row_count());
        for (const LoadedView& view : views)
          if (view.plane.slices().along_y == along_y)
            for (int slice = k; slice < std::min(slices, k + layer_block); ++slice)
              adjoint_slice(view, slice, gathered, volume);
      });
    errors.rethrow();
  }

  void adjoint_slice(const LoadedView& loaded, int k, std::vector<float>& gathered,
                     VoxelLines& volume) const {
    const SfView& view = loaded.plane;
    const DdKernels& kernels = dd_kernels();
    const int rows = geometry().rows();
    for (int i = 0; i < view.slices().width; ++i) {
      const Trapezoid footprint = view.footprint(i, k);
      if (!is_seen(footprint)) continue;
      std::ranges::fill(gathered, 0.0F);
      for_columns(footprint, [&](std::size_t c, float weight) {
        kernels.add_scaled(weight, loaded.data.data() + c * row_count(), rows, gathered.data());
      });
      // A voxel spans 1 / pitch rows, and an overlap in voxels over pitch is the overlap in rows.
      const RowEdges edges = loaded.axial.at(i, k);
      kernels.resample(gathered.data(), rows, static_cast<float>(-edges.origin / edges.pitch),
                       static_cast<float>(1 / edges.pitch), 1.0F, grid().nz,
                       line(volume, view, i, k));
    }
  }

  std::unique_ptr<RowSource> rows_;
};

}  // namespace

std::unique_ptr<Projector> make_separable_footprint_3d(Backend& backend,
                                                       std::shared_ptr<const ScanGeometry> geometry,
                                                       const VolumeGrid& grid) {
  return std::make_unique<SeparableFootprint3d>(backend, std::move(geometry), grid);
}

std::size_t sf_3d_bytes(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return VoxelLines::bytes(grid) + sizeof(float) * view_batch * geometry.cells();
}

}  // namespace gantry

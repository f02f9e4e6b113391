// Area-integral model. All weights come from AreaView::visit, for products and single rays alike:
//   forward  y_i = sum_j w_ij x_j    a task owns some detector columns of a view,
//   adjoint  x_j = sum_i w_ij y_i    a task owns a block of layers.
// The transpose adds first the strips that run along y (layers y = const), then the strips that run
// along x (layers x = const). Sums are float64, in an order that does not depend on the number of
// threads.
#include "core/projectors/area/area_integral.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/geometry/cell_shadow.hpp"
#include "core/operator/row_source.hpp"
#include "core/projectors/area/area_view.hpp"

#include <algorithm>
#include <vector>

namespace gantry {

namespace {

constexpr int view_batch = 16;    // views whose strips are in memory at the same time
constexpr int layer_block = 16;   // layers that one task owns in the transpose
constexpr int column_block = 32;  // detector columns that one task owns in the forward product

/// The fraction `share` of a detector row's height that lies in the slice iz = plane.
struct PlaneShare {
  std::size_t plane;
  double share;
};
using RowPlanes = std::vector<std::vector<PlaneShare>>;

/// Returns the slices that each detector row covers. A single slice seen by one row is a 2D
/// problem, in which the heights do not count.
RowPlanes row_planes(const ScanGeometry& geometry, const VolumeGrid& grid) {
  if (grid.nz == 1 && geometry.rows() == 1) return {{{0, 1.0}}};
  const ScanSpec& spec = geometry.spec();
  const double height = spec.row_pitch_mm / grid.spacing_mm.z;
  RowPlanes rows(static_cast<std::size_t>(geometry.rows()));
  for (int row = 0; row < geometry.rows(); ++row) {
    const double edge_mm = (row - 0.5 - spec.central_row) * spec.row_pitch_mm;
    const double low = (edge_mm - grid.lower_corner_mm().z) / grid.spacing_mm.z,
                 high = low + height;
    for (int iz = static_cast<int>(std::clamp(low, 0.0, grid.nz * 1.0)); iz < grid.nz && iz < high;
         ++iz) {
      const double overlap = std::min(high, iz + 1.0) - std::max(low, iz * 1.0);
      if (overlap > 1e-12 * height)
        rows[static_cast<std::size_t>(row)].push_back(
            {static_cast<std::size_t>(iz), overlap / height});
    }
  }
  return rows;
}

class AreaRows final : public ViewRows {
 public:
  AreaRows(const Projector& projector, const RowPlanes& planes, AreaWeights weights, int view)
      : grid_(projector.grid()),
        planes_(planes),
        strips_(projector.geometry(), projector.grid(), view, weights),
        shadow_(projector.geometry(), view, true) {}

  void weights(int column, int row, RowWeights& out) const override {
    out.clear();
    const bool along_y = strips_.strip(column).along_y;
    for (const PlaneShare& p : planes_[static_cast<std::size_t>(row)])
      strips_.visit(column, [&](int slice, int pixel, double weight) {
        out.add(grid_.index(along_y ? pixel : slice, along_y ? slice : pixel,
                            static_cast<int>(p.plane)),
                weight * p.share);
      });
  }

  void voxel_weights(int ix, int iy, int iz, CellWeights& out) const override {
    out.clear();
    const CellRange cells = shadow_.of(grid_.voxel_center_mm(ix, iy, iz), 0.5 * grid_.spacing_mm);
    const auto columns = static_cast<std::size_t>(strips_.columns());
    for (int column = cells.first_column; column <= cells.last_column; ++column) {
      const bool along_y = strips_.strip(column).along_y;
      const double weight = strips_.weight(column, along_y ? iy : ix, along_y ? ix : iy);
      if (!(weight > 0)) continue;
      for (std::size_t row = 0; row < planes_.size(); ++row)
        for (const PlaneShare& p : planes_[row])
          if (p.plane == static_cast<std::size_t>(iz))
            out.add(row * columns + static_cast<std::size_t>(column), weight * p.share);
    }
  }

 private:
  const VolumeGrid& grid_;
  const RowPlanes& planes_;
  AreaView strips_;
  CellShadow shadow_;
};

class AreaIntegral final : public Projector, public RowSource, public DefinedRows {
 public:
  AreaIntegral(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
               const VolumeGrid& grid, AreaWeights weights)
      : Projector(backend, std::move(geometry), grid),
        weights_(weights),
        planes_(row_planes(this->geometry(), grid)) {}

  const RowSource* row_source() const override { return this; }
  std::size_t workspace_bytes() const override {
    return area_integral_memory(geometry(), grid(), 0).bytes;
  }

 private:
  std::unique_ptr<ViewRows> view_rows(int view) const override {
    return std::make_unique<AreaRows>(*this, planes_, weights_, view);
  }
  RowDefinition definition() const override {
    return weights_ == AreaWeights::area ? RowDefinition::area : RowDefinition::area_length;
  }
  std::string_view weights_name() const override {
    return weights_ == AreaWeights::area ? "area" : "area_length";
  }

  using Views = std::vector<std::unique_ptr<AreaView>>;
  Views batch_of(ViewSubset subset, int first) const {
    Views views(static_cast<std::size_t>(std::min(view_batch, subset.count - first)));
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < views.size(); ++i)
      errors.run([&] {
        views[i] = std::make_unique<AreaView>(geometry(), grid(),
                                              subset.view(first + static_cast<int>(i)), weights_);
      });
    errors.rethrow();
    return views;
  }

  std::size_t offset(ViewSubset subset, int first, std::size_t i) const {
    return static_cast<std::size_t>(subset.view(first + static_cast<int>(i))) * cells_per_view();
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const int blocks = (geometry().columns() + column_block - 1) / column_block;
    for (int first = 0; first < subset.count; first += view_batch) {
      const Views views = batch_of(subset, first);
      ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) collapse(2)
      for (std::size_t i = 0; i < views.size(); ++i)
        for (int block = 0; block < blocks; ++block)
          errors.run([&] {
            if (!interrupted())
              project(*views[i], block * column_block,
                      std::min(geometry().columns(), (block + 1) * column_block), x.data(),
                      y.data() + offset(subset, first, i));
          });
      errors.rethrow();
      check_interrupt();
    }
  }

  void project(const AreaView& view, int first, int last, const float* volume, float* rays) const {
    RowWeights strip;
    std::vector<double> in_plane(static_cast<std::size_t>(grid().nz));
    for (int column = first; column < last; ++column) {
      strip.clear();
      const bool along_y = view.strip(column).along_y;
      view.visit(column, [&](int slice, int pixel, double weight) {
        strip.add(grid().index(along_y ? pixel : slice, along_y ? slice : pixel, 0), weight);
      });
      for (std::size_t iz = 0; iz < in_plane.size(); ++iz) {
        const float* plane = volume + grid().index(0, 0, static_cast<int>(iz));
        in_plane[iz] = 0;
        for (std::size_t k = 0; k < strip.size(); ++k)
          in_plane[iz] += strip.weight[k] * plane[strip.voxel[k]];
      }
      float* out = rays + column;
      for (const auto& row : planes_) {
        double sum = 0;
        for (const PlaneShare& p : row) sum += p.share * in_plane[p.plane];
        *out = static_cast<float>(sum);
        out += geometry().columns();
      }
    }
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    for (int first = 0; first < subset.count; first += view_batch) {
      const Views views = batch_of(subset, first);
      for (const bool along_y : {true, false}) {
        const int slices = views[0]->slices(along_y).count;
        const int blocks = (slices + layer_block - 1) / layer_block;
        ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
        for (int block = 0; block < blocks; ++block)
          errors.run([&] {
            const int low = block * layer_block, high = std::min(slices, low + layer_block);
            LayerSums sums(grid(), along_y, low, high);
            for (std::size_t i = 0; i < views.size() && !interrupted(); ++i)
              backproject(*views[i], y.data() + offset(subset, first, i), sums);
            sums.add_to(x.data());
          });
        errors.rethrow();
      }
      check_interrupt();
    }
  }

  /// Sums of a task of the transpose over its layers first .. last - 1: [iz][layer][pixel].
  struct LayerSums {
    const VolumeGrid& grid;
    bool along_y;
    int first, last, width;
    std::vector<double> sum;

    LayerSums(const VolumeGrid& volume, bool rows, int low, int high)
        : grid(volume),
          along_y(rows),
          first(low),
          last(high),
          width(rows ? volume.nx : volume.ny),
          sum(plane_size() * static_cast<std::size_t>(volume.nz), 0.0) {}

    std::size_t plane_size() const {
      return static_cast<std::size_t>(last - first) * static_cast<std::size_t>(width);
    }
    std::size_t index(int slice, int pixel) const {
      return static_cast<std::size_t>(slice - first) * static_cast<std::size_t>(width) +
             static_cast<std::size_t>(pixel);
    }
    void add_to(float* volume) const {
      const double* value = sum.data();
      for (int iz = 0; iz < grid.nz; ++iz)
        for (int slice = first; slice < last; ++slice)
          for (int pixel = 0; pixel < width; ++pixel)
            volume[grid.index(along_y ? pixel : slice, along_y ? slice : pixel, iz)] +=
                static_cast<float>(*value++);
    }
  };

  void backproject(const AreaView& view, const float* rays, LayerSums& sums) const {
    RowWeights strip;
    std::vector<double> in_plane(static_cast<std::size_t>(grid().nz));
    for (int column = 0; column < geometry().columns(); ++column) {
      if (view.strip(column).along_y != sums.along_y) continue;
      strip.clear();
      view.visit(column, sums.first, sums.last, [&](int slice, int pixel, double weight) {
        strip.add(sums.index(slice, pixel), weight);
      });
      if (strip.size() == 0) continue;
      std::ranges::fill(in_plane, 0.0);
      const float* value = rays + column;
      for (const auto& row : planes_) {
        for (const PlaneShare& p : row) in_plane[p.plane] += p.share * *value;
        value += geometry().columns();
      }
      double* plane = sums.sum.data();
      for (const double weighted : in_plane) {
        for (std::size_t k = 0; k < strip.size(); ++k)
          plane[strip.voxel[k]] += strip.weight[k] * weighted;
        plane += sums.plane_size();
      }
    }
  }

  AreaWeights weights_;
  RowPlanes planes_;
};

}  // namespace

std::vector<ParamSpec> area_integral_params() {
  return {{.key = "normalisation",
           .label = "Weights",
           .unit = "",
           .fallback = std::string("length"),
           .choices = {"length", "area"},
           .help = "Length: area in common over the width of the strip there, in mm, fit for "
                   "measured data. Area: the share of the pixel's area, without unit, as it is "
                   "printed; data of line integrals do not belong to it."}};
}

std::unique_ptr<Projector> make_area_integral(Backend& backend,
                                              std::shared_ptr<const ScanGeometry> geometry,
                                              const VolumeGrid& grid, const Params& params) {
  require_turning(*geometry, "the area-integral model");
  if (geometry->beam() == Beam::cone)
    throw UsageError("the area-integral model does not cover cone beams", "projector",
                     "use distance_driven or siddon");
  return std::make_unique<AreaIntegral>(
      backend, std::move(geometry), grid,
      params.text("normalisation") == "area" ? AreaWeights::area : AreaWeights::length);
}

std::int64_t count_area_weights(const ScanGeometry& geometry, const VolumeGrid& grid, int view) {
  const AreaView strips(geometry, grid, view, AreaWeights::area);
  std::int64_t weights = 0;
  for (int column = 0; column < strips.columns(); ++column) weights += strips.count(column);
  return weights;
}

ProductMemory area_integral_memory(const ScanGeometry&, const VolumeGrid& grid, int) {
  return {sizeof(double) * static_cast<std::size_t>(cpu_threads()) *
          static_cast<std::size_t>(layer_block * std::max(grid.nx, grid.ny)) *
          static_cast<std::size_t>(grid.nz)};
}

}  // namespace gantry

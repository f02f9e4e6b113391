// Area-integral model. Single rays and voxels have their weights from AreaView; the products take
// the edges of the strips through eight layers at a time (area_kernels.hpp):
//   forward  y_i = sum_j w_ij x_j    a task owns a chunk of layers of a view,
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
#include "core/projectors/area/area_layers.hpp"
#include "core/projectors/area/area_view.hpp"

#include <algorithm>
#include <vector>

namespace gantry {

namespace {

constexpr int view_batch = 16;   // views whose strips are in memory at the same time
constexpr int layer_block = 16;  // layers that one task owns in the transpose
constexpr int layer_chunk = 64;  // layers that one task owns in the forward product

std::size_t layer_chunks(const VolumeGrid& grid) {
  return static_cast<std::size_t>((std::max(grid.nx, grid.ny) + layer_chunk - 1) / layer_chunk);
}

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

  /// Calls work(view) for the views of a batch in parallel.
  template <class Work>
  static void for_each_view(const Views& views, const Work& work) {
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < views.size(); ++i) errors.run([&] { work(i); });
    errors.rethrow();
  }

  std::size_t columns() const { return static_cast<std::size_t>(geometry().columns()); }
  /// Values of the strips of a view: [plane][column].
  std::size_t strips_of_view() const { return columns() * static_cast<std::size_t>(grid().nz); }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    std::vector<double> strips;
    for (int first = 0; first < subset.count; first += view_batch) {
      const Views views = batch_of(subset, first);
      strips.assign(views.size() * strips_of_view(), 0.0);
      for (int plane = 0; plane < grid().nz; plane += area_planes)
        project(views, x.data(), {plane, std::min(area_planes, grid().nz - plane)}, strips);
      check_interrupt();
      for_each_view(views, [&](std::size_t i) {
        share_out(strips.data() + i * strips_of_view(), y.data() + offset(subset, first, i));
      });
    }
  }

  /// Sums the parts of the strips in the order of the chunks of layers, whatever the threads.
  void project(const Views& views, const float* volume, AreaLayers::Planes planes,
               std::vector<double>& strips) const {
    const std::size_t chunks = layer_chunks(grid()),
                      size = columns() * static_cast<std::size_t>(planes.count);
    std::vector<double> parts(views.size() * chunks * size, 0.0);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t task = 0; task < views.size() * chunks; ++task)
      errors.run([&] {
        if (interrupted()) return;
        const AreaView& view = *views[task / chunks];
        AreaLayers layers(grid());
        for (const bool along_y : {true, false}) {
          const int first = static_cast<int>(task % chunks) * layer_chunk,
                    last = std::min(first + layer_chunk, view.slices(along_y).count);
          layers.gather(view, along_y, first, last, volume, planes, parts.data() + task * size);
        }
      });
    errors.rethrow();
    for_each_view(views, [&](std::size_t i) {
      double* out =
          strips.data() + i * strips_of_view() + static_cast<std::size_t>(planes.first) * columns();
      const double* part = parts.data() + i * chunks * size;
      for (std::size_t chunk = 0; chunk < chunks; ++chunk)
        for (std::size_t k = 0; k < size; ++k) out[k] += *part++;
    });
  }

  /// Sets the rays of a view to the shares of the planes in the rows.
  void share_out(const double* strips, float* rays) const {
    for (const auto& row : planes_)
      for (std::size_t column = 0; column < columns(); ++column) {
        double sum = 0;
        for (const PlaneShare& p : row) sum += p.share * strips[p.plane * columns() + column];
        *rays++ = static_cast<float>(sum);
      }
  }
  /// The transpose of share_out(): adds the rays to the strips.
  void collect(const float* rays, double* strips) const {
    for (const auto& row : planes_) {
      for (const PlaneShare& p : row)
        for (std::size_t column = 0; column < columns(); ++column)
          strips[p.plane * columns() + column] += p.share * rays[column];
      rays += columns();
    }
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    std::vector<double> strips;
    for (int first = 0; first < subset.count; first += view_batch) {
      const Views views = batch_of(subset, first);
      strips.assign(views.size() * strips_of_view(), 0.0);
      for_each_view(views, [&](std::size_t i) {
        collect(y.data() + offset(subset, first, i), strips.data() + i * strips_of_view());
      });
      for (const bool along_y : {true, false}) {
        const int slices = views[0]->slices(along_y).count;
        const int blocks = (slices + layer_block - 1) / layer_block;
        ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
        for (int block = 0; block < blocks; ++block)
          errors.run([&] {
            AreaLayers layers(grid());
            AreaLayers::Sums sums(grid(), along_y, block * layer_block,
                                  std::min(slices, (block + 1) * layer_block));
            for (std::size_t i = 0; i < views.size() && !interrupted(); ++i)
              layers.spread(*views[i], strips.data() + i * strips_of_view(), sums);
            sums.add_to(x.data());
          });
        errors.rethrow();
      }
      check_interrupt();
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

ProductMemory area_integral_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  const auto columns = static_cast<std::size_t>(geometry.columns()),
             planes = static_cast<std::size_t>(grid.nz),
             views = static_cast<std::size_t>(std::min(view_batch, geometry.views())),
             at_once = std::min<std::size_t>(planes, area_planes);
  const std::size_t of_layers = static_cast<std::size_t>(layer_block * std::max(grid.nx, grid.ny)),
                    strips = views * columns * (planes + layer_chunks(grid) * at_once);
  return {static_cast<std::size_t>(cpu_threads()) *
              (sizeof(double) * of_layers * planes + AreaLayers::bytes(grid, geometry.columns())) +
          sizeof(double) * strips};
}

}  // namespace gantry

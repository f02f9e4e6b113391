// Launches of the 3D distance-driven kernels. Times and what they were chosen against:
// tests/bench/RESULTS.md.
#include "core/base/check_showing.hpp"
#include "core/projectors/distance_driven/dd_rows.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/device/elementwise.cuh"
#include "gpu/projectors/common/image_layouts.hpp"
#include "gpu/projectors/distance_driven/cone/columns.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone_adjoint.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone_forward.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone_tables.hpp"
#include "gpu/projectors/distance_driven/cone/distance_driven_3d.hpp"
#include "gpu/projectors/distance_driven/cone/lines.cuh"

#include <algorithm>
#include <limits>

namespace gantry {

namespace {

constexpr std::size_t fewest_portion_bytes = std::size_t{8} << 20U;

using device::DdConeScan;
using device::DdConeSums;
using device::StoreRays;
using device::StoreResidual;

// StoreResidual keeps one sum per warp and view. The memory for these sums is announced before the
// kernel is chosen, so that it is that of the kernel with the most warps to a view: one of
// `fewest_cells` columns by `fewest_rows` rows, with at most `most_warp_columns` warps of a block
// side by side, of which the last block may leave all but one without a column.
constexpr int fewest_cells = 4, fewest_rows = 32, most_warp_columns = 2;

/// A launch of the forward kernel; see there for the numbers.
template <int Cells, int Rows, int Warps, int WarpColumns, bool Mirror, bool Arc, bool Tall,
          bool Ahead, class Out>
void forward(const DdConeScan& scan, const float* lines, const Out& out, cudaStream_t stream) {
  static_assert(Cells >= fewest_cells && 32 * Rows >= fewest_rows &&
                WarpColumns <= most_warp_columns && Warps % WarpColumns == 0);
  const int rows = Mirror ? (scan.rows + 1) / 2 : scan.rows;
  const dim3 grid(blocks(scan.columns, WarpColumns * Cells),
                  blocks(scan.views, Warps / WarpColumns), blocks(rows, 32 * Rows));
  const std::size_t elements = static_cast<std::size_t>(scan.nx) * scan.ny *
                               static_cast<std::size_t>(scan.nz + 2 * device::line_padding);
  if (elements <= std::numeric_limits<unsigned>::max())
    device::dd_cone_forward<Cells, Rows, Warps, WarpColumns, Mirror, Arc, Tall, unsigned, Ahead,
                            Out><<<grid, 32 * Warps, 0, stream>>>(scan, lines, out);
  else
    device::dd_cone_forward<Cells, Rows, Warps, WarpColumns, Mirror, Arc, Tall, std::size_t, Ahead,
                            Out><<<grid, 32 * Warps, 0, stream>>>(scan, lines, out);
  check_launch("dd_cone_forward");
}

/// A launch of the transpose.
template <int Voxels, int Cells, int LinesX, int LinesY, bool Mirror, bool Arc, bool Tall>
void adjoint(const DdConeScan& scan, const float* data, const DdConeSums& out,
             cudaStream_t stream) {
  const int voxels = Mirror ? (scan.nz + 1) / 2 : scan.nz;
  const dim3 grid(blocks(scan.nx, LinesX), blocks(scan.ny, LinesY), blocks(voxels, 32 * Voxels));
  device::dd_cone_adjoint<Voxels, Cells, LinesX, LinesY, Mirror, Arc, Tall>
      <<<grid, 32 * LinesX * LinesY, 0, stream>>>(scan, data, out);
  check_launch("dd_cone_adjoint");
}

template <class Out>
using Forward = void (*)(const DdConeScan&, const float*, const Out&, cudaStream_t);
using Adjoint = void (*)(const DdConeScan&, const float*, const DdConeSums&, cudaStream_t);

// The shapes were the fastest of those tried on an H200 (tests/bench/RESULTS.md): both kernels are
// bound by instructions, and several rows or voxels of a lane share what belongs to the column.

template <bool Arc, class Out>
Forward<Out> choose_forward(const DdTables& tables, int rows) {
  if (tables.tallest_row() > 2) return forward<4, 1, 8, 2, false, Arc, true, false, Out>;
  if (tables.mirrored() && rows > 1)
    return rows <= 128 ? forward<8, 1, 8, 1, true, Arc, false, false, Out>
                       : forward<4, 4, 8, 2, true, Arc, false, true, Out>;
  return rows <= 32 ? forward<8, 1, 8, 1, false, Arc, false, false, Out>
                    : forward<8, 2, 8, 1, false, Arc, false, false, Out>;
}

template <class Out>
Forward<Out> choose_forward(const DdTables& tables, int rows) {
  return tables.arc() ? choose_forward<true, Out>(tables, rows)
                      : choose_forward<false, Out>(tables, rows);
}

template <int Cells, bool Arc>
Adjoint choose_adjoint_voxels(const DdTables& tables, int nz) {
  if (tables.tallest_voxel() > 3) return adjoint<1, Cells, 2, 2, false, Arc, true>;
  if (tables.mirrored() && nz > 1) {
    if (nz <= 64) return adjoint<1, Cells, 2, 2, true, Arc, false>;
    return nz <= 128 ? adjoint<2, Cells, 2, 2, true, Arc, false>
                     : adjoint<4, Cells, 2, 2, true, Arc, false>;
  }
  if (nz <= 32) return adjoint<1, Cells, 2, 2, false, Arc, false>;
  return nz <= 64 ? adjoint<2, Cells, 2, 2, false, Arc, false>
                  : adjoint<4, Cells, 2, 2, false, Arc, false>;
}

template <bool Arc>
Adjoint choose_adjoint(const DdTables& tables, int nz) {
  const int cells = tables.most_cells();
  if (cells <= 4) return choose_adjoint_voxels<4, Arc>(tables, nz);
  if (cells <= 8) return choose_adjoint_voxels<8, Arc>(tables, nz);
  if (cells <= 32) return adjoint<1, 32, 2, 1, false, Arc, true>;
  throw UsageError("a voxel is wider than 30 detector cells", "grid", "use smaller voxels");
}

class CudaDistanceDriven3d final : public Projector {
 public:
  CudaDistanceDriven3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                       const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        cuda_(cuda_backend(backend)),
        rows_(make_dd_rows(geometry, grid)),
        tables_(cuda_, *geometry, grid),
        forward_(choose_forward<StoreRays>(tables_, geometry->rows())),
        residual_(choose_forward<StoreResidual>(tables_, geometry->rows())),
        adjoint_(tables_.arc() ? choose_adjoint<true>(tables_, grid.nz)
                               : choose_adjoint<false>(tables_, grid.nz)) {}

  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override {
    return tables_.bytes() +
           std::max(lines_bytes(), static_cast<std::size_t>(views_at_once()) * view_bytes());
  }
  /// The lines of the volume are the copy of x that the step is made from, and what was projected
  /// of a portion of the views goes straight to where the transpose reads it. Row weights take half
  /// of what they would as floats, and the portion no more than that leaves: volume x 3 + data x 2
  /// in all (SIRT), where half of the data are more than some MB.
  GradientRoom gradient_room() const override {
    return {.rays = false,
            .image = false,
            .workspace_bytes = tables_.bytes() + lines_bytes() + portion_bytes() +
                               (partial_count() + norms_count()) * sizeof(double),
            .row_weight_size = device::compact_size(range_size())};
  }

 private:
  std::size_t view_bytes() const {
    return sizeof(float) * static_cast<std::size_t>(geometry().columns()) *
           static_cast<std::size_t>(geometry().rows() + 2 * device::line_padding);
  }
  /// As many views at a time as so many bytes hold, and parts of the scan of one size: each part
  /// goes through the volume once. In eights, of which no kernel's blocks have more; but what is
  /// little anyway is taken.
  int views_in(std::size_t bytes, std::size_t bytes_of_view) const {
    const std::size_t room = std::clamp(bytes, fewest_portion_bytes, most_view_bytes),
                      most = std::max<std::size_t>(room / bytes_of_view / 8, 1) * 8;
    const int parts = static_cast<int>((static_cast<std::size_t>(views()) + most - 1) / most),
              each = (views() + parts - 1) / parts;
    return std::min(views(), (each + 7) / 8 * 8);
  }
  /// Of a step.
  int portion() const {
    const std::size_t rays = range_size() * sizeof(float),
                      beside = device::compact_size(range_size()) * sizeof(float) + lines_bytes() -
                               domain_size() * sizeof(float) + tables_.bytes() +
                               (column_tiles_count() + norms_count()) * sizeof(double);
    return views_in(rays - std::min(rays, beside),
                    view_bytes() + static_cast<std::size_t>(view_squares()) * sizeof(double));
  }
  std::size_t portion_bytes() const { return static_cast<std::size_t>(portion()) * view_bytes(); }
  /// Of a transpose: two volumes, what a step of SIRT takes beside one and the data.
  int views_at_once() const {
    const std::size_t volumes = 2 * domain_size() * sizeof(float);
    return views_in(volumes - std::min(volumes, tables_.bytes()), view_bytes());
  }
  std::size_t lines_bytes() const {
    return voxel_columns_size(grid(), device::line_padding) * sizeof(float);
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const DeviceBuffer<float> lines = voxel_columns(cuda_, grid(), device::line_padding, x.data());
    forward_(tables_.scan(subset), lines.data(), {y.data()}, cuda_.stream());
  }

  /// In 16 bits each: rounded by 2^-12 at most, which leaves the solution of data without
  /// contradictions as it is, and else that of least squares with weights so far off; steps stay
  /// within their bound to that fraction.
  Array do_inverse_row_sums(const Array& ones, float threshold) const override {
    const DeviceScope scope(cuda_.device());
    Array weight(backend(), device::compact_size(range_size()));
    const float unit = device::compact_unit(1 / threshold);
    backend().fill(weight, unit, 0, 1);
    const DeviceBuffer<float> lines =
        voxel_columns(cuda_, grid(), device::line_padding, ones.data());
    DeviceBuffer<float> sums(cuda_, static_cast<std::size_t>(portion()) * cells_per_view(),
                             "the row sums of some views");
    for_parts(all(), portion(), [&](ViewSubset views) {
      check_interrupt();
      const std::size_t first = static_cast<std::size_t>(views.first) * cells_per_view(),
                        count = static_cast<std::size_t>(views.count) * cells_per_view();
      forward_(tables_.scan(views), lines.data(), {sums.data(), first}, cuda_.stream());
      device::compact_reciprocals<<<8 * static_cast<unsigned>(cuda_.multiprocessors()), 256, 0,
                                    cuda_.stream()>>>(sums.data(), count, threshold, 1 / unit,
                                                      device::compact_codes(weight.data()) + first);
      check_launch("compact_reciprocals");
    });
    return weight;
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const int at_once = std::min(views_at_once(), subset.count);
    DeviceBuffer<float> data(cuda_,
                             static_cast<std::size_t>(at_once) * view_bytes() / sizeof(float),
                             "the backprojection");
    if (subset.count == 0) backend().fill(x, 0);
    bool add = false;
    for_parts(subset, at_once, [&](ViewSubset views) {
      const DdConeScan part = tables_.scan(views);
      device::rays_to_lines<<<dim3(blocks(part.columns, 32),
                                   blocks(part.rows + 2 * device::line_padding, 32),
                                   static_cast<unsigned>(part.views)),
                              dim3(32, 8), 0, cuda_.stream()>>>(part, y.data(), data.data());
      check_launch("rays_to_lines");
      adjoint_(part, data.data(), {.volume = x.data(), .add = add}, cuda_.stream());
      add = true;
    });
  }

  // ---- A step of all views

  UpdateNorms do_gradient_update(Array& x, const Array& b, const GradientStep& step, Array&,
                                 Array&) const override {
    const DeviceScope scope(cuda_.device());
    check_interrupt();
    DeviceBuffer<double> partial(cuda_, partial_count(), "norms on the GPU");
    DeviceBuffer<float> before = voxel_columns(cuda_, grid(), device::line_padding, x.data());
    try {
      return update_by_portions(x, b, step, before.data(), partial.data());
    } catch (...) {
      visit_columns(x, before.data(), device::TakeBack{}, partial.data());
      throw;
    }
  }

  UpdateNorms update_by_portions(Array& x, const Array& b, const GradientStep& step, float* before,
                                 double* partial) const {
    DeviceBuffer<float> data(cuda_, portion_bytes() / sizeof(float), "the residual of some views");
    DeviceBuffer<double> norms(cuda_, norms_count(), "norms on the GPU");
    clear(data.data(), portion_bytes());               // around the rows, and
    clear(partial, partial_count() * sizeof(double));  // where a view has no warps
    const StoreResidual residual{.b = b.data(),
                                 .row_weight = row_weight(step.row_weight),
                                 .lines = data.data(),
                                 .square = partial,
                                 .view_squares = view_squares()};
    const DdConeSums update{.volume = x.data(),
                            .column_weight = step.column_weight.data(),
                            .relaxation = step.relaxation};
    double* sums = norms.data() + 2;
    for_parts(all(), portion(), [&](ViewSubset views) {
      check_interrupt_showing(x, before);
      const DdConeScan part = tables_.scan(views);
      residual_(part, before, residual, cuda_.stream());
      add_up(partial, views.count, view_squares(), sums + views.first);
      adjoint_(part, data.data(), update, cuda_.stream());
    });
    add_up(sums, 1, views(), norms.data());
    visit_columns(x, before, device::EndStep{step.low}, partial);
    const dim3 tiles = column_tiles();
    add_up(partial, tiles.z, tiles.x * tiles.y, sums);
    add_up(sums, 1, tiles.z, norms.data() + 1);
    UpdateNorms found;
    double values[2];
    cuda_.download_bytes(norms.data(), values, sizeof values);
    found.residual_square = values[0];
    found.update_square = values[1];
    return found;
  }

  /// Whoever reads x meanwhile finds the image before the step: it takes its place, and x that of
  /// its columns. The portion before has been waited for: those of a large scan take long.
  void check_interrupt_showing(Array& x, float* before) const {
    if (interrupt() == nullptr) return;
    cuda_.synchronize();
    const auto swap = [&] {
      device::swap_columns<<<column_tiles(), dim3(32, 8), 0, cuda_.stream()>>>(
          before, x.data(), grid().nx, grid().ny, grid().nz, device::line_padding);
      check_launch("swap_columns");
    };
    check_showing(*interrupt(), swap, swap);
  }

  device::RowWeight row_weight(const Array* weight) const {
    if (weight == nullptr) return {};
    if (weight->size() == range_size()) return {.plain = weight->data()};
    return {.compact = weight->data()};
  }

  template <class Op>
  void visit_columns(Array& x, const float* columns, const Op& op, double* partial) const {
    device::visit_columns<<<column_tiles(), dim3(32, 8), 0, cuda_.stream()>>>(
        columns, x.data(), grid().nx, grid().ny, grid().nz, device::line_padding, op, partial);
    check_launch("visit_columns");
  }
  dim3 column_tiles() const {
    return {blocks(grid().nx, 32), blocks(grid().nz, 32),
            static_cast<unsigned>(std::min(grid().ny, most_along_grid))};
  }

  /// sums[n] = that of the n-th `each` numbers.
  void add_up(const double* numbers, unsigned count, int each, double* sums) const {
    constexpr int threads = 256;
    kernels::add_partials<threads><<<count, threads, 0, cuda_.stream()>>>(numbers, each, sums);
    check_launch("add_partials");
  }
  void clear(void* memory, std::size_t bytes) const {
    gantry::check(cudaMemsetAsync(memory, 0, bytes, cuda_.stream()), "a step on the GPU");
  }

  /// Sums of a view, one of each warp, of the kernel that has the most.
  int view_squares() const {
    return static_cast<int>((blocks(geometry().columns(), fewest_cells) + most_warp_columns - 1) *
                            blocks(geometry().rows(), fewest_rows));
  }
  std::size_t partial_count() const {
    return std::max(static_cast<std::size_t>(portion()) * static_cast<std::size_t>(view_squares()),
                    column_tiles_count());
  }
  std::size_t column_tiles_count() const {
    const dim3 tiles = column_tiles();
    return static_cast<std::size_t>(tiles.x) * tiles.y * tiles.z;
  }
  /// Both norms, and sums that they are the sums of.
  std::size_t norms_count() const {
    return 2 +
           std::max(static_cast<std::size_t>(views()), static_cast<std::size_t>(column_tiles().z));
  }

  const CudaBackend& cuda_;
  std::unique_ptr<RowSource> rows_;
  DdTables tables_;
  Forward<StoreRays> forward_;
  Forward<StoreResidual> residual_;
  Adjoint adjoint_;
};

}  // namespace

std::unique_ptr<Projector> make_cuda_dd_3d(Backend& backend,
                                           std::shared_ptr<const ScanGeometry> geometry,
                                           const VolumeGrid& grid) {
  return std::make_unique<CudaDistanceDriven3d>(backend, std::move(geometry), grid);
}

}  // namespace gantry

// The 3D distance-driven pair as a Projector: launches of its kernels in the shapes of tuning.hpp,
// and a gradient step of its own, which takes volume x 3 + data x 2 in all (dd_cone_plan.hpp).
#include "core/base/check_with_restored_data.hpp"
#include "core/projectors/distance_driven/dd_rows.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/device/elementwise.cuh"
#include "gpu/projectors/common/image_layouts.hpp"
#include "gpu/projectors/distance_driven/cone/dd_cone_adjoint.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone_forward.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone_plan.hpp"
#include "gpu/projectors/distance_driven/cone/dd_cone_tables.hpp"
#include "gpu/projectors/distance_driven/cone/distance_driven_3d.hpp"
#include "gpu/projectors/distance_driven/cone/tuning.hpp"
#include "gpu/projectors/distance_driven/cone/voxel_lines.cuh"
#include "gpu/projectors/distance_driven/weights/dd_access.hpp"

#include <algorithm>
#include <limits>

namespace gantry {

namespace {

using dd_cone::AdjointShape;
using dd_cone::ForwardShape;
using device::DdConeScan;
using device::DdConeSums;
using device::StoreRays;
using device::StoreResidual;

// Offsets of 32 bits from one base address make the kernels a third faster than 64-bit ones; the
// latter serve larger volumes.
template <ForwardShape shape, bool Arc, class Out>
void forward(const DdConeScan& scan, const float* lines, const Out& out, cudaStream_t stream) {
  constexpr ForwardShape s = shape;
  const int rows = s.mirror ? (scan.rows + 1) / 2 : scan.rows;
  const dim3 grid(blocks(scan.columns, s.warp_columns * s.cells),
                  blocks(scan.views, s.warps / s.warp_columns), blocks(rows, 32 * s.rows));
  const std::size_t elements = static_cast<std::size_t>(scan.nx) * scan.ny *
                               static_cast<std::size_t>(scan.nz + 2 * device::line_padding);
  if (elements <= std::numeric_limits<unsigned>::max())
    device::dd_cone_forward<s.cells, s.rows, s.warps, s.warp_columns, s.mirror, Arc, s.tall,
                            unsigned, s.ahead, Out>
        <<<grid, 32 * s.warps, 0, stream>>>(scan, lines, out);
  else
    device::dd_cone_forward<s.cells, s.rows, s.warps, s.warp_columns, s.mirror, Arc, s.tall,
                            std::size_t, s.ahead, Out>
        <<<grid, 32 * s.warps, 0, stream>>>(scan, lines, out);
  check_launch("dd_cone_forward");
}

template <AdjointShape shape, bool Arc>
void adjoint(const DdConeScan& scan, const float* data, const DdConeSums& out,
             cudaStream_t stream) {
  constexpr AdjointShape s = shape;
  const int voxels = s.mirror ? (scan.nz + 1) / 2 : scan.nz;
  const dim3 grid(blocks(scan.nx, s.lines_x), blocks(scan.ny, s.lines_y),
                  blocks(voxels, 32 * s.voxels));
  device::dd_cone_adjoint<s.voxels, s.cells, s.lines_x, s.lines_y, s.mirror, Arc, s.tall>
      <<<grid, 32 * s.lines_x * s.lines_y, 0, stream>>>(scan, data, out);
  check_launch("dd_cone_adjoint");
}

template <class Out>
using Forward = void (*)(const DdConeScan&, const float*, const Out&, cudaStream_t);
using Adjoint = void (*)(const DdConeScan&, const float*, const DdConeSums&, cudaStream_t);

template <bool Arc, class Out>
Forward<Out> choose_forward(const DdTables& tables, int rows) {
  if (tables.tallest_row() > 2) return forward<dd_cone::forward_tall, Arc, Out>;
  if (tables.mirrored() && rows > 1)
    return rows <= 128 ? forward<dd_cone::forward_mirror_few_rows, Arc, Out>
                       : forward<dd_cone::forward_mirror, Arc, Out>;
  return rows <= 32 ? forward<dd_cone::forward_few_rows, Arc, Out>
                    : forward<dd_cone::forward_rows, Arc, Out>;
}

template <class Out>
Forward<Out> choose_forward(const DdTables& tables, int rows) {
  return tables.arc() ? choose_forward<true, Out>(tables, rows)
                      : choose_forward<false, Out>(tables, rows);
}

template <int Cells, bool Arc>
Adjoint choose_adjoint_voxels(const DdTables& tables, int nz) {
  using dd_cone::adjoint_mirror, dd_cone::adjoint_plain;
  if (tables.tallest_voxel() > 3) return adjoint<dd_cone::adjoint_tall(Cells), Arc>;
  if (tables.mirrored() && nz > 1) {
    if (nz <= 64) return adjoint<adjoint_mirror(1, Cells), Arc>;
    return nz <= 128 ? adjoint<adjoint_mirror(2, Cells), Arc>
                     : adjoint<adjoint_mirror(4, Cells), Arc>;
  }
  if (nz <= 32) return adjoint<adjoint_plain(1, Cells), Arc>;
  return nz <= 64 ? adjoint<adjoint_plain(2, Cells), Arc> : adjoint<adjoint_plain(4, Cells), Arc>;
}

template <bool Arc>
Adjoint choose_adjoint(const DdTables& tables, int nz) {
  const int cells = tables.most_cells();
  if (cells <= 4) return choose_adjoint_voxels<4, Arc>(tables, nz);
  if (cells <= 8) return choose_adjoint_voxels<8, Arc>(tables, nz);
  if (cells <= dd_cone::most_cells) return adjoint<dd_cone::adjoint_wide, Arc>;
  throw UsageError(
      "a voxel covers more than 30 detector cells, which the distance-driven projector on a GPU "
      "does not support",
      "grid", "use smaller voxels");
}

class CudaDistanceDriven3d final : public Projector,
                                   public MakesGradientSteps,
                                   public GivesColumns,
                                   public GivesRows {
 public:
  CudaDistanceDriven3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                       const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        cuda_(cuda_backend(backend)),
        rows_(make_dd_rows(geometry, grid)),
        plan_(*geometry, grid),
        tables_(cuda_, *geometry, grid),
        forward_(choose_forward<StoreRays>(tables_, geometry->rows())),
        residual_(choose_forward<StoreResidual>(tables_, geometry->rows())),
        adjoint_(tables_.arc() ? choose_adjoint<true>(tables_, grid.nz)
                               : choose_adjoint<false>(tables_, grid.nz)) {}

  const RowSource* row_source() const override { return rows_.get(); }
  std::unique_ptr<ColumnAccess> make_columns(ColumnWorker worker) const override {
    return make_cuda_dd_columns(*this, worker);
  }
  std::size_t columns_bytes() const override { return cuda_dd_access_bytes(geometry()); }
  std::unique_ptr<RowAccess> make_rows(const RowWorkers& workers) const override {
    return make_cuda_dd_rows(*this, workers);
  }
  std::size_t workspace_bytes() const override { return plan_.product_bytes(); }
  std::size_t scratch_bytes() const override { return plan_.scratch_bytes(); }
  StepWorkspace gradient_step_workspace() const override { return plan_.step_workspace(); }
  std::unique_ptr<GradientStep> make_gradient_step() const override;

 private:
  class Step;

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const DeviceBuffer<float> lines = columns_of(x);
    forward_(tables_.scan(subset), lines.data(), {y.data()}, cuda_.stream());
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const int at_once = std::min(plan_.views_at_once(), subset.count);
    DeviceBuffer<float> data(cuda_, static_cast<std::size_t>(at_once) * plan_.view_floats(),
                             "the backprojection");
    if (subset.count == 0) backend().fill(x, 0);
    bool add = false;
    for_parts(subset, at_once, [&](ViewSubset views) {
      const DdConeScan part = tables_.scan(views);
      device::rays_to_row_lines<<<
          dim3(blocks(part.columns, device::transpose_side),
               blocks(part.rows + 2 * device::line_padding, device::transpose_side),
               static_cast<unsigned>(part.views)),
          dim3(device::transpose_side, device::transpose_rows), 0, cuda_.stream()>>>(part, y.data(),
                                                                                     data.data());
      check_launch("rays_to_row_lines");
      adjoint_(part, data.data(), {.volume = x.data(), .add = add}, cuda_.stream());
      add = true;
    });
  }

  /// Returns a copy of an image as voxel lines (z contiguous).
  DeviceBuffer<float> columns_of(const Array& image) const {
    return to_voxel_lines(cuda_, grid(), device::line_padding, image.data());
  }

  const CudaBackend& cuda_;
  std::unique_ptr<RowSource> rows_;
  DdConePlan plan_;
  DdTables tables_;
  Forward<StoreRays> forward_;
  Forward<StoreResidual> residual_;
  Adjoint adjoint_;
};

/// The gradient step, by portions of the views: the forward product writes the residual of a
/// portion in the order in which the transpose reads it, and the transpose adds C times its sums to
/// the image.
class CudaDistanceDriven3d::Step final : public GradientStep {
 public:
  explicit Step(const CudaDistanceDriven3d& A)
      : GradientStep(A), A_(A), cuda_(A.cuda_), plan_(A.plan_) {}

 private:
  void do_scale_rows(Array weights) override {
    codes_ = {};
    weights_ = std::move(weights);
  }

  /// Each weight has a relative error of at most 2^-12. Consistent data have the same solution with
  /// these weights; for other data the weighted least-squares solution is that of the rounded
  /// weights. The bound on the step's size holds up to the same fraction.
  void do_scale_rows_by_inverse_sums(const Array& ones, float threshold) override {
    const DeviceScope scope(cuda_.device());
    weights_ = {};
    codes_ = DeviceBuffer<std::uint16_t>(cuda_, A_.range_size(), "the row weights");
    unit_ = device::compact_unit(1 / threshold);
    const DeviceBuffer<float> lines = A_.columns_of(ones);
    DeviceBuffer<float> sums(cuda_, static_cast<std::size_t>(plan_.portion()) * A_.cells_per_view(),
                             "the row sums of some views");
    for_parts(A_.all(), plan_.portion(), [&](ViewSubset views) {
      A_.check_interrupt();
      const std::size_t first = static_cast<std::size_t>(views.first) * A_.cells_per_view(),
                        count = static_cast<std::size_t>(views.count) * A_.cells_per_view();
      A_.forward_(A_.tables_.scan(views), lines.data(), {sums.data(), first}, cuda_.stream());
      device::compact_reciprocals<<<dd_cone::reciprocal_blocks* static_cast<unsigned>(
                                        cuda_.multiprocessors()),
                                    usual_threads, 0, cuda_.stream()>>>(
          sums.data(), count, threshold, 1 / unit_, codes_.data() + first);
      check_launch("compact_reciprocals");
    });
  }

  /// If the step is interrupted between portions, the image is restored from its copy.
  UpdateNorms do_apply(Array& x, const Array& b, const Array& column_weight,
                       StepBounds bounds) override {
    const DeviceScope scope(cuda_.device());
    A_.check_interrupt();
    DeviceBuffer<double> partial(cuda_, plan_.partial_sums(), "norms on the GPU");
    DeviceBuffer<float> before = A_.columns_of(x);
    try {
      return update_by_portions(x, b, column_weight, bounds, before.data(), partial.data());
    } catch (...) {
      visit_columns(x, before.data(), device::RestoreImage{}, partial.data());
      throw;
    }
  }

  UpdateNorms update_by_portions(Array& x, const Array& b, const Array& column_weight,
                                 StepBounds bounds, float* before, double* partial) const {
    DeviceBuffer<float> data(cuda_, plan_.portion_floats(), "the residual of some views");
    DeviceBuffer<double> norms(cuda_, plan_.norms(), "norms on the GPU");
    clear(data.data(), plan_.portion_floats() * sizeof(float));  // for the padding
    clear(partial, plan_.partial_sums() * sizeof(double));       // for sums that no warp writes
    const StoreResidual residual{.b = b.data(),
                                 .row_weight = {weights_.empty() ? nullptr : weights_.data(),
                                                codes_.empty() ? nullptr : codes_.data(), unit_},
                                 .lines = data.data(),
                                 .square = partial,
                                 .view_squares = plan_.view_squares()};
    const DdConeSums update{
        .volume = x.data(), .column_weight = column_weight.data(), .relaxation = bounds.relaxation};
    double* sums = norms.data() + 2;
    for_parts(A_.all(), plan_.portion(), [&](ViewSubset views) {
      check_interrupt_showing(x, before);
      const DdConeScan part = A_.tables_.scan(views);
      A_.residual_(part, before, residual, cuda_.stream());
      add_up(partial, views.count, plan_.view_squares(), sums + views.first);
      A_.adjoint_(part, data.data(), update, cuda_.stream());
    });
    add_up(sums, 1, A_.views(), norms.data());
    visit_columns(x, before, device::ClampAndMeasure{bounds.low}, partial);
    add_up(partial, plan_.tiles_y(), static_cast<int>(plan_.tiles_x() * plan_.tiles_z()), sums);
    add_up(sums, 1, static_cast<int>(plan_.tiles_y()), norms.data() + 1);
    double values[2];
    cuda_.download_bytes(norms.data(), values, sizeof values);
    return {values[0], values[1]};
  }

  /// Checks for an interrupt, which may read x: x is exchanged with its copy from before the step
  /// meanwhile. The stream is synchronized first; portions of a large scan take so long that the
  /// wait does not matter.
  void check_interrupt_showing(Array& x, float* before) const {
    if (A_.interrupt() == nullptr) return;
    cuda_.synchronize();
    const auto swap = [&] {
      device::swap_voxel_lines<<<column_tiles(), tile_threads, 0, cuda_.stream()>>>(
          before, x.data(), A_.grid().nx, A_.grid().ny, A_.grid().nz, device::line_padding);
      check_launch("swap_voxel_lines");
    };
    check_with_restored_data(*A_.interrupt(), swap, swap);
  }

  template <class Op>
  void visit_columns(Array& x, const float* columns, const Op& op, double* partial) const {
    device::visit_columns<<<column_tiles(), tile_threads, 0, cuda_.stream()>>>(
        columns, x.data(), A_.grid().nx, A_.grid().ny, A_.grid().nz, device::line_padding, op,
        partial);
    check_launch("visit_columns");
  }
  dim3 column_tiles() const { return {plan_.tiles_x(), plan_.tiles_z(), plan_.tiles_y()}; }

  /// sums[n] = the sum of numbers[n each .. (n + 1) each), for n below `count`.
  void add_up(const double* numbers, unsigned count, int each, double* sums) const {
    constexpr int threads = 256;
    kernels::add_partials<threads><<<count, threads, 0, cuda_.stream()>>>(numbers, each, sums);
    check_launch("add_partials");
  }
  void clear(void* memory, std::size_t bytes) const {
    gantry::check(cudaMemsetAsync(memory, 0, bytes, cuda_.stream()), "a step on the GPU");
  }

  inline static const dim3 tile_threads{dd_cone::tile_width, dd_cone::tile_height};

  const CudaDistanceDriven3d& A_;
  const CudaBackend& cuda_;
  const DdConePlan& plan_;
  Array weights_;                      // R with a float per ray, or empty
  DeviceBuffer<std::uint16_t> codes_;  // R with 16 bits per ray (compact_weight.hpp), or empty
  float unit_ = 0;                     // of the codes
};

std::unique_ptr<GradientStep> CudaDistanceDriven3d::make_gradient_step() const {
  return std::make_unique<Step>(*this);
}

}  // namespace

std::unique_ptr<Projector> make_cuda_dd_3d(Backend& backend,
                                           std::shared_ptr<const ScanGeometry> geometry,
                                           const VolumeGrid& grid) {
  return std::make_unique<CudaDistanceDriven3d>(backend, std::move(geometry), grid);
}

}  // namespace gantry
